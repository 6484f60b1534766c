import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { refuseCircles, routeResults } from '../../../nodes/Yuntongxun/executor/routeResults';
import { refuse } from '../../../nodes/Yuntongxun/executor/model';
import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { ExplainedError } from '../../../nodes/Yuntongxun/language/explainedError';
import type { FoundRoute, ResultTarget } from '../../../nodes/Yuntongxun/waiting/resultTarget';
import { findResultRoutes } from '../../../nodes/Yuntongxun/waiting/routes';
import type { WaitingRun } from '../../../nodes/Yuntongxun/waiting/waitingRun';
import { buildNode } from '../../support/fakeN8n';
import {
	buildItem,
	buildRehearsal,
	buildTaskItem,
	call,
	done,
	inTotal,
	perNumber,
} from '../../support/messages';

// What a route is, is for waiting/routes.test.ts: here is which items ask for one and get it.
jest.mock('../../../nodes/Yuntongxun/waiting/routes', () => ({
	...jest.requireActual<object>('../../../nodes/Yuntongxun/waiting/routes'),
	findResultRoutes: jest.fn(),
}));
const find = jest.mocked(findResultRoutes);

const ACCOUNT = parseCredential({
	accountSid: 'sid',
	authToken: 'made-up',
	baseUrl: 'https://example.com',
});
const TARGET: ResultTarget = { kind: 'trigger', event: 'voiceNotification' };
const routeNamed = (name: string): FoundRoute => ({
	buildUrl: () => 'https://n8n.example.com/webhook/4f9c',
	hints: [name],
});

const route = async (items: Item[]) =>
	await routeResults({} as IExecuteFunctions, () => ACCOUNT, {} as WaitingRun, items);
const wanting = (number: string) => call([number], { resultTarget: TARGET });

beforeEach(() => find.mockReset());

it('calls that want a result ask for a route, rehearsed or not, and each gets its own', async () => {
	const sent = buildItem(4, wanting('4'));
	sent.status = done();
	const items: Item[] = [
		refuse(0, new Error('no')),
		buildTaskItem({ state: 'planned' }, {}, 1),
		buildItem(2, call(['2'])),
		buildItem(3, wanting('3')),
		sent,
		buildRehearsal(wanting('5'), 5),
		buildItem(6, wanting('6')),
	];
	const before = [...items];
	find.mockResolvedValue([
		routeNamed('one'),
		routeNamed('another'),
		new ExplainedError('It cannot arrive', 'Activate the workflow.'),
	]);

	await route(items);
	const [[, , , targets]] = find.mock.calls;
	expect(targets).toEqual([
		{ target: TARGET, isDryRun: false },
		{ target: TARGET, isDryRun: true },
		{ target: TARGET, isDryRun: false },
	]);
	expect(items.slice(0, 6)).toEqual(before.slice(0, 6));
	const names = items.map((item) => ('route' in item ? item.route?.hints[0] : undefined));
	expect(names).toEqual([undefined, undefined, undefined, 'one', undefined, 'another', undefined]);
	const message = expect.stringContaining('It cannot arrive.') as string;
	expect(items[6]).toMatchObject({ kind: 'refused', index: 6, status: { error: { message } } });
});

it('n8n is not asked for anything by items that want no result', async () => {
	await route([buildItem(0, call(['1']))]);
	expect(find).not.toHaveBeenCalled();
});

const A = '13800000001';
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
	{ target = TARGET as ResultTarget | null, guards = {} as Guards } = {},
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
])('a call %s is refused in a run started by a call result', (_, kind) => {
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
	const items = [buildRehearsal(call([A], { resultTarget: TARGET }))];
	refuseCircles(startedBy([RESULT]), items);
	expect(items[0].kind).toBe('message');
});
