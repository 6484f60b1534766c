import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { refuseCircles, routeResults } from '../../../nodes/Yuntongxun/executor/routeResults';
import { refuse } from '../../../nodes/Yuntongxun/executor/model';
import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
import type { Limit } from '../../../nodes/Yuntongxun/idempotency/limits';
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
const perValue: Limit = { ...inTotal(1), by: 'value', value: 'v' };
const PLANNED: Status = { state: 'planned' };
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

/** What becomes of a call to a number beside one whose result nobody wants: why it is refused, or its kind. */
function judge(
	context: IExecuteFunctions,
	number = A,
	{ target = TARGET as ResultTarget | null, guards = {} as Guards, status = PLANNED } = {},
): string {
	const message = call([number], { resultTarget: target ?? undefined });
	const items: Item[] = [buildItem(0, call([A])), { ...buildItem(1, message, guards), status }];
	refuseCircles(context, items);
	const [quiet, item] = items;
	expect(quiet.kind).toBe('message');
	return item.kind === 'refused' ? String(item.status.error) : item.kind;
}

const limitedBy = (...limits: Limit[]) => ({ guards: { limits } });
const AGAIN = startedBy([RESULT]);

it.each<[string, ...Parameters<typeof judge>]>([
	['that starts its workflow again', AGAIN],
	['to another number, as where two ring in turn', AGAIN, '13800000002'],
	['of a code', startedBy([{ ...RESULT, event: 'voiceVerification' }])],
	['behind one of several results', startedBy([{ event: 'smsReply' }, RESULT])],
	['with an ID, which can be another each time', AGAIN, A, { guards: { key: 'k' } }],
	['with a limit by value', AGAIN, A, limitedBy(perValue)],
])('a call %s is refused in a run started by a call result', (_what, ...about) => {
	expect(judge(...about)).toMatch(/has started this execution.*Add Limits/);
});

it.each<[string, ...Parameters<typeof judge>]>([
	['that waits', AGAIN, A, { target: TO_WAIT }],
	['whose result nobody wants', AGAIN, A, { target: null }],
	['with a limit by number', AGAIN, A, limitedBy(perNumber(1), perValue)],
	['with a limit in total', AGAIN, A, limitedBy(inTotal(9))],
	['that an earlier try has placed', AGAIN, A, { status: done() }],
	['back to who has replied by SMS', startedBy([{ ...RESULT, event: 'smsReply' }])],
	['behind another trigger', startedBy([RESULT], { type: 'n8n-nodes-base.webhook' })],
	['of a run that nothing is known of', {} as IExecuteFunctions],
])('a call %s goes out', (_what, ...about) => {
	expect(judge(...about)).toBe('message');
});

it('a rehearsal calls nobody, so it is not refused', () => {
	const items = [buildRehearsal(call([A], { resultTarget: TARGET }))];
	refuseCircles(AGAIN, items);
	expect(items[0].kind).toBe('message');
});
