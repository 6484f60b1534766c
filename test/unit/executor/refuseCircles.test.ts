import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { ResultTarget } from '../../../nodes/Yuntongxun/callbacks/wait';
import { refuseCircles } from '../../../nodes/Yuntongxun/executor/refuseCircles';
import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { buildNode } from '../../support/fakeN8n';
import { buildItem, buildRehearsal, call, inTotal, perNumber } from '../../support/messages';

const A = '13800000001';
const TO_TRIGGER: ResultTarget = { kind: 'trigger', event: 'voiceNotification' };
const TO_WAIT: ResultTarget = { kind: 'wait', event: 'voiceNotification', maxWaitMs: 1 };
const perValue = { ...inTotal(1), by: 'value' as const, value: 'v' };
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

/** What becomes of a call to a number: why it is refused, or its kind. */
function judge(
	context: IExecuteFunctions,
	number = A,
	{ target = TO_TRIGGER as ResultTarget | null, guards = {} as Guards } = {},
): string {
	const items = [
		{ ...buildItem(0, call([number], { resultTarget: target ?? undefined })), guards },
	];
	refuseCircles(context, items);
	const [item] = items as Item[];
	return item.kind === 'refused' ? String(item.status.error) : item.kind;
}

it.each<[string, string]>([
	['that starts its workflow again', judge(startedBy([RESULT]))],
	['to another number, as where two ring in turn', judge(startedBy([RESULT]), '13800000002')],
	['of a code', judge(startedBy([{ ...RESULT, event: 'voiceVerification' }]))],
	['behind one of several results', judge(startedBy([{ event: 'smsReply' }, RESULT]))],
	[
		'with an ID, which can be another each time',
		judge(startedBy([RESULT]), A, { guards: { key: 'k' } }),
	],
	['with a limit by value', judge(startedBy([RESULT]), A, { guards: { limits: [perValue] } })],
])('a call %s is refused where the result of a call has started it', (_, kind) => {
	expect(kind).toMatch(/has started this execution.*Add Limits/);
});

it.each<[string, string]>([
	['that waits', judge(startedBy([RESULT]), A, { target: TO_WAIT })],
	['whose result nobody wants', judge(startedBy([RESULT]), A, { target: null })],
	['with a limit by number', judge(startedBy([RESULT]), A, { guards: { limits: [perNumber(1)] } })],
	['with a limit in total', judge(startedBy([RESULT]), A, { guards: { limits: [inTotal(9)] } })],
	['back to who has replied by SMS', judge(startedBy([{ ...RESULT, event: 'smsReply' }]))],
	['behind another trigger', judge(startedBy([RESULT], { type: 'n8n-nodes-base.webhook' }))],
	['of a run that nothing is known of', judge({} as IExecuteFunctions)],
])('a call %s goes out', (_, kind) => {
	expect(kind).toBe('message');
});

it('a rehearsal calls nobody, so it is not refused', () => {
	const items = [buildRehearsal(call([A], { resultTarget: TO_TRIGGER }))];
	refuseCircles(startedBy([RESULT]), items);
	expect(items[0].kind).toBe('message');
});
