import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { ResultWish } from '../../../nodes/Yuntongxun/callbacks/wait';
import { refuseCircles } from '../../../nodes/Yuntongxun/executor/refuseCircles';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { buildNode } from '../../support/fakeN8n';
import { buildItem, buildRehearsal, call, perNumber } from '../../support/messages';

const A = '13800000001';
const TO_TRIGGER: ResultWish = { kind: 'trigger', event: 'voiceNotification' };
const TO_WAIT: ResultWish = { kind: 'wait', event: 'voiceNotification', maxWaitMs: 1 };
const RESULT = { event: 'voiceNotification', number: A };

/** An execution that a trigger of the workflow has started with these items. */
function startedBy(items: IDataObject[], changes: Partial<INode> = {}): IExecuteFunctions {
	const trigger = buildNode({
		name: 'Ended',
		type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
		...changes,
	});
	const data = { main: [items.map((json) => ({ json }))] };
	return {
		workflow: { nodes: { Ended: trigger } },
		runExecutionData: { resultData: { runData: { Ended: [{ data }] } } },
	} as unknown as IExecuteFunctions;
}

/** What becomes of a call to a number. */
function judge(
	context: IExecuteFunctions,
	number = A,
	{ wish = TO_TRIGGER as ResultWish | null, guards = {} as Guards } = {},
): string {
	const items = [{ ...buildItem(0, call([number], { resultWish: wish ?? undefined })), guards }];
	refuseCircles(context, items);
	return items[0].kind;
}

it('a call that starts its workflow again for the number that has started it is refused', () => {
	const items = [buildItem(0, call([A], { resultWish: TO_TRIGGER }))];
	refuseCircles(startedBy([RESULT]), items);
	expect(items).toEqual([
		{
			kind: 'refused',
			index: 0,
			error: expect.objectContaining({
				message: expect.stringMatching(/has just started this execution.*Add Limits/) as string,
			}) as Error,
		},
	]);
});

it.each<[string, IExecuteFunctions]>([
	['written with +86', startedBy([{ ...RESULT, number: `+86${A}` }])],
	['one of several', startedBy([{ ...RESULT, number: '1' }, RESULT])],
	['of a code', startedBy([{ ...RESULT, event: 'voiceVerification' }])],
])('the number may be %s', (_, context) => {
	expect(judge(context)).toBe('refused');
});

it.each<[string, string]>([
	['to the next person', judge(startedBy([RESULT]), '13800000002')],
	['that waits', judge(startedBy([RESULT]), A, { wish: TO_WAIT })],
	['whose result nobody wants', judge(startedBy([RESULT]), A, { wish: null })],
	['with an ID', judge(startedBy([RESULT]), A, { guards: { key: 'k' } })],
	['with a limit', judge(startedBy([RESULT]), A, { guards: { limits: [perNumber(1)] } })],
	['back to who has replied by SMS', judge(startedBy([{ ...RESULT, event: 'smsReply' }]))],
	['behind another trigger', judge(startedBy([RESULT], { type: 'n8n-nodes-base.webhook' }))],
	['of a run that nothing is known of', judge({} as IExecuteFunctions)],
])('a call %s goes out', (_, kind) => {
	expect(kind).toBe('message');
});

it('a rehearsal calls nobody, so it is not refused', () => {
	const items = [buildRehearsal(call([A], { resultWish: TO_TRIGGER }))];
	refuseCircles(startedBy([RESULT]), items);
	expect(items[0].kind).toBe('message');
});
