import type { MessageItem } from '../../../nodes/Yuntongxun/executor/model';
import { Pace, StopSignal } from '../../../nodes/Yuntongxun/executor/pace';
import { sendAll } from '../../../nodes/Yuntongxun/executor/send';
import type { SendTools } from '../../../nodes/Yuntongxun/executor/send';
import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { keyStore } from '../../support/keyStore';
import {
	buildItem,
	buildItems,
	call,
	failed,
	failure,
	inTotal,
	OVERLOAD,
	perNumber,
	service,
	showItem,
	sms,
	UNKNOWN,
	WITHOUT_ID,
} from '../../support/messages';
import { toPhoneNumber } from '../../support/form';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const [A, B, C] = ['13800000001', '13800000002', '13800000003'];
const KEY = { key: 'order-42' };
const once = { limits: [perNumber(1)] };

interface Settings {
	continues?: boolean;
	cancelled?: AbortSignal;
}

/** Runs that know nothing of one another's pace. */
let nodes = 0;

/** Runs of one node against one service. */
function nodeWith(rules: Parameters<typeof service>[0] = []) {
	nodes += 1;
	const node = `node ${nodes}`;
	const store = keyStore();
	const remote = service(rules);
	const placed: string[] = [];
	return {
		...remote,
		store,
		placed,
		async run(items: MessageItem[], { continues = true, cancelled }: Settings = {}) {
			const stop = new StopSignal(cancelled);
			await sendAll(items, {
				continues,
				stop,
				pace: new Pace(node, 0, stop),
				reservations: new Reservations(store.createContext()),
				getClient: () => remote.send,
				waiting: { recordPlacedCall: (callSid) => void placed.push(callSid) },
			});
			return items.map((item) => showItem(item));
		},
	};
}

const errorMessage = ({ outputs: [json] }: { outputs: Array<{ error?: unknown }> }) =>
	(json.error as { message: string }).message;
const callsTo = (numbers: string[], guards: Guards = KEY) =>
	numbers.map((to, index) => buildItem(index, call([to]), guards));
const duplicate = (to: string) => ({ duplicate: true, idempotencyKey: 'order-42', to });

describe('an ID', () => {
	it('is free again after a refusal', async () => {
		const { run, requests } = nodeWith([{ thrown: failure() }]);
		const refused = callsTo([A]);
		await run(refused);
		expect(refused[0].status).toMatchObject({ mayCountAsUsed: false });
		const [again] = await run(callsTo([A]));
		expect(again.failure).toBeUndefined();
		const [third] = await run(callsTo([A]));
		expect([third.outputs, requests]).toEqual([[duplicate(A)], [A, A]]);
	});

	it.each([
		['may have been accepted', UNKNOWN],
		['was accepted without its id', WITHOUT_ID],
	])('is used up by a request that %s', async (_what, thrown) => {
		const { run, requests } = nodeWith([{ thrown }]);
		await run(callsTo([A]));
		const [again] = await run(callsTo([A]));
		expect([again.outputs, requests]).toEqual([[duplicate(A)], [A]]);
	});

	it('lets only one of two simultaneous items go out', async () => {
		const { run, requests } = nodeWith();
		const [, second] = await run(callsTo([A, A]));
		expect([second.outputs, requests]).toEqual([[duplicate(A)], [A]]);
	});

	it('is in the database before its request goes out, and shows neither number nor ID there', async () => {
		const { store, send } = nodeWith();
		const stop = new StopSignal();
		const stored: number[] = [];
		const items = callsTo([A], { ...KEY, ...once });
		await sendAll(items, {
			continues: true,
			stop,
			pace: new Pace('a node', 0, stop),
			reservations: new Reservations(store.createContext()),
			getClient: () => async (request) => {
				stored.push(store.stored().length);
				return await send(request);
			},
		});
		expect(stored).toEqual([1]);
		expect(items[0].status.state).toBe('done');
		expect(JSON.stringify(store.stored())).not.toMatch(/138|order/);
	});

	it('stops its request if n8n cannot record it, and the error says that it may count as used', async () => {
		const { run, requests, store } = nodeWith();
		store.breakIt();
		const items = callsTo([A]);
		const [result] = await run(items);
		expect(result.failure).toMatchObject({ accepted: 'no', to: A });
		expect(items[0].status).toMatchObject({ mayCountAsUsed: true });
		expect(errorMessage(result)).toMatch(
			/ of a request, so it was not sent \(Database message: database is locked\)\. .* may count as used .* use another /,
		);
		expect(requests).toEqual([]);
	});
});

it.each([
	['an ID counts an extension as another number, and a country code not', KEY, [A, `${A}-12`]],
	['a limit counts an extension as its line', once, [A]],
])('%s', async (_what, guards, expected) => {
	const { run, requests } = nodeWith();
	const items = [A, `+86${A}`, `0086${A}`, `${A}-12`].map((to, index) =>
		buildItem(index, call([], { recipients: [toPhoneNumber(to)] }), guards),
	);
	await run(items);
	expect(requests.sort()).toEqual(expected);
});

describe('a limit', () => {
	it('in total stops at the total, in list order, and says who was left out', async () => {
		const { run, requests } = nodeWith();
		const [result] = await run([buildItem(0, sms([A, B, C]), { limits: [inTotal(2)] })]);
		expect(requests).toEqual([`${A},${B}`]);
		expect(result.outputs).toMatchObject([
			{ to: `${A},${B}`, leftOut: [{ to: C, reason: 'limit', by: 'total' }] },
		]);
	});

	it('by number lets as many requests go at once as it allows', async () => {
		const { run, requests } = nodeWith();
		const items = callsTo([A, A, A, A], { limits: [perNumber(3)] });
		const results = await run(items);
		expect(requests).toEqual([A, A, A]);
		expect(items[3].status).toEqual({
			...failed(expect.any(Error)),
			accepted: 'no',
			members: {},
			mayCountAsUsed: false,
		});
		expect(errorMessage(results[3])).toMatch(
			/reached .* as often as Limits allows\. Send again after 20/,
		);
	});

	it.each([[[A, C]], [[C, A]]])('tells when all of %j are free again', async (numbers) => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T00:30:00Z'));
		const guards = { limits: [perNumber(1, 'hour'), inTotal(2, 'minute')] };
		const { run } = nodeWith();
		await run(callsTo([A, B], guards));
		const [result] = await run([buildItem(0, sms(numbers), guards)]);
		jest.restoreAllMocks();
		expect(errorMessage(result)).toContain('Send again after 2026-03-01 09:00:00 (UTC+8).');
	});

	it('that skips many numbers lets others have their turn', async () => {
		const { run } = nodeWith();
		await run(callsTo([A], once));
		let turns = 0;
		const count = () => {
			turns += 1;
			next = setImmediate(count);
		};
		let next = setImmediate(count);
		await run(callsTo(Array<string>(2000).fill(A), once));
		clearImmediate(next);
		expect(turns).toBeGreaterThan(5);
	});
});

describe('what may have been accepted', () => {
	it.each([
		[KEY, true],
		[once, false],
	])('says with %j whether an ID is used up: %s', async (guards, isSaid) => {
		const { run } = nodeWith([{ thrown: UNKNOWN }]);
		const [result] = await run(callsTo([A], guards));
		const words = 'Its Send Once per ID counts as used: to send it again, use another one.';
		expect(errorMessage(result).includes(words)).toBe(isSaid);
	});

	it('keeps who was left out, and what its operation gives with every error', async () => {
		const { run } = nodeWith([{ thrown: UNKNOWN, number: C }]);
		await run([buildItem(0, sms([A]), KEY)]);
		const message = { ...sms([A, C]), errorFields: { expiresAt: 'later' } };
		const [{ outputs }] = await run([buildItem(0, message, KEY)]);
		expect(outputs).toMatchObject([
			{ error: { leftOut: [{ to: A, reason: 'duplicate' }], expiresAt: 'later' } },
		]);
	});

	const numbers = Array.from({ length: 40 }, (_each, at) => String(13_800_000_000 + at));

	it('ends the run when it comes ten times in a row, and the rest says that it was not sent', async () => {
		const { run, requests } = nodeWith([{ thrown: UNKNOWN, times: Infinity }]);
		const results = await run(callsTo(numbers));
		expect(requests.length).toBeLessThan(20);
		expect(results[0].failure?.accepted).toBe('unknown');
		expect(results[39].failure?.accepted).toBe('no');
		expect(errorMessage(results[39])).toMatch(
			/^This was not sent, .* Send it again once Yuntongxun answers/,
		);
	});

	it('does not end a run if others are accepted in between', async () => {
		const unclear = numbers.filter((_number, at) => at % 5 > 0);
		const { run, requests } = nodeWith(unclear.map((number) => ({ number, thrown: UNKNOWN })));
		await run(callsTo(numbers));
		expect(requests).toHaveLength(40);
	});
});

describe('a run that stops', () => {
	const many = Array.from({ length: 12 }, (_each, at) => String(13_800_000_000 + at));

	it('goes on after what was accepted', async () => {
		const { run, requests } = nodeWith();
		await run(callsTo(many, {}), { continues: false });
		expect(requests).toEqual(many);
	});

	it('sends nothing more after a failure, and frees the ID that was refused', async () => {
		const { run, requests, store } = nodeWith([{ thrown: failure(), number: many[0] }]);
		const items = callsTo(many);
		await run(items, { continues: false });
		// Ten were under way.
		expect(requests).toEqual(many.slice(0, 10));
		expect(items.slice(10).map(({ status }) => status.state)).toEqual(['planned', 'planned']);
		expect(store.stored()).toHaveLength(9);
	});

	it('sends nothing more while it frees an ID after a failure', async () => {
		const { requests, send } = service([{ thrown: failure(), number: many[0] }]);
		const stop = new StopSignal();
		const release = async () =>
			await new Promise<boolean>((resolve) => setTimeout(resolve, 30, true));
		await sendAll(callsTo(many), {
			continues: false,
			stop,
			pace: new Pace('slow', 0, stop),
			reservations: { reserve: async () => await Promise.resolve({ skips: [], release }) },
			getClient: () => send,
		});
		expect(requests).toEqual(many.slice(0, 10));
	});

	/** A user stops the execution while n8n records. */
	function stopWhileRecording(store: ReturnType<typeof keyStore>): AbortSignal {
		const user = new AbortController();
		const { helpers } = store.createContext();
		const record = helpers.checkProcessedAndRecord;
		helpers.checkProcessedAndRecord = async (...about: Parameters<typeof record>) => {
			user.abort();
			return await record(...about);
		};
		return user.signal;
	}

	it('frees the ID of an item whose request a user stopped, and leaves it planned', async () => {
		const { run, requests, store } = nodeWith();
		const items = callsTo([A]);
		const [result] = await run(items, { cancelled: stopWhileRecording(store) });
		expect([requests, result.outputs, store.stored()]).toEqual([[], [], []]);
		expect(items[0].status.state).toBe('planned');
	});

	it('says so if n8n did not confirm that an ID was freed', async () => {
		const { run, requests, store } = nodeWith();
		// The first round trip records the key, the second would remove it.
		store.breakAt(2);
		const items = callsTo([A]);
		const [result] = await run(items, { cancelled: stopWhileRecording(store) });
		expect(requests).toEqual([]);
		expect(errorMessage(result)).toMatch(
			/^The run stopped before this request\. .* may count as used .* use another/,
		);
		expect(items[0].status).toMatchObject({ accepted: 'no', mayCountAsUsed: true });
	});
});

it.each<[string, string[], Guards, object | RegExp]>([
	['duplicates alone give one item', [A], KEY, { duplicate: true, to: A }],
	[
		'a limit beside a duplicate fails',
		[A, B],
		{ ...KEY, limits: [inTotal(1)] },
		/Send again after/,
	],
])('when everybody of an SMS is left out, %s', async (_what, numbers, guards, expected) => {
	const { run, requests } = nodeWith();
	await run([buildItem(0, sms([A]), guards)]);
	const [result] = await run([buildItem(0, sms(numbers), guards)]);
	expect(requests).toEqual([A]);
	if (expected instanceof RegExp) expect(errorMessage(result)).toMatch(expected);
	else expect(result.outputs).toEqual([expect.objectContaining(expected)]);
});

it('an SMS to five numbers, two per request, is three items, each with its own end', async () => {
	const numbers = [1, 2, 3, 4, 5].map((at) => `1380000000${at}`);
	const { run } = nodeWith([{ thrown: failure(), number: numbers[2] }]);
	const items = buildItems(7, sms(numbers, 2));
	const results = await run(items);
	expect(items.map(({ index }) => index)).toEqual([7, 7, 7]);
	expect(results.map(({ failure: each }) => each?.accepted)).toEqual([undefined, 'no', undefined]);
	expect(results[1].failure?.to).toBe(`${numbers[2]},${numbers[3]}`);
	expect(results[2].outputs).toEqual([
		{ statusCode: '000000', smsMessageSid: 'id-3', to: numbers[4] },
	]);
});

it('an accepted call is recorded with its id, whether it waits or not', async () => {
	const { run, placed } = nodeWith([{ thrown: failure(), number: B }]);
	await run(callsTo([A, B, C], {}));
	expect(placed).toEqual(['id-1', 'id-3']);
});

describe('a request that is refused for load', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
	afterEach(() => jest.restoreAllMocks());

	/** Runs one request that is always refused for load. @param seconds what each step takes */
	async function refused(seconds: { turn?: number; answer?: number }) {
		let now = 0;
		const passes = (some = 0) => void (now += some * 1000);
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const { requests, send } = service([{ thrown: OVERLOAD, times: Infinity }]);
		const pauses: number[] = [];
		const pace: SendTools['pace'] = {
			start: async (pauseMs = 0) => {
				if (pauseMs > 0) pauses.push(pauseMs);
				passes(pauseMs / 1000 + (pauseMs > 0 ? (seconds.turn ?? 0) : 0));
				return await Promise.resolve(true);
			},
		};
		await sendAll([buildItem(0, call([A]))], {
			continues: false,
			stop: new StopSignal(),
			pace,
			reservations: new Reservations(keyStore().createContext()),
			getClient: () => async (request) => {
				passes(seconds.answer);
				return await send(request);
			},
		});
		return { pauses, requests: requests.length };
	}

	it.each([
		[0, [250, 500, 1000]],
		[0.5, [500, 1000, 2000]],
		[1, [750, 1500, 3000]],
	])('pauses longer before each further try, more or less by chance: %d', async (chance, all) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);
		expect((await refused({})).pauses).toEqual(all);
	});

	it.each([
		[{ answer: 15 }, 4],
		[{ answer: 20 }, 3],
		[{ answer: 59.5 }, 2],
		[{ answer: 59.6 }, 1],
		[{ turn: 59.5 }, 2],
		[{ turn: 59.6 }, 1],
	])('is not tried again a minute after its first start: %j', async (seconds, count) => {
		expect((await refused(seconds)).requests).toBe(count);
	});

	it('is sent again, and reserves once', async () => {
		const { run, requests, store } = nodeWith([{ thrown: OVERLOAD, times: 2 }]);
		const [result] = await run(callsTo([A]));
		expect(result.failure).toBeUndefined();
		expect(requests).toEqual([A, A, A]);
		expect(store.calls).toHaveLength(1);
	});
});

it.each<[string, (people: string[]) => Message[]]>([
	['calls at once', (people) => people.map((to) => call([to]))],
	['one SMS', (people) => [sms(people)]],
])(
	'an ID beside a limit reaches as many new people of a list each day as it allows: %s',
	async (_form, toMessages) => {
		let now = Date.parse('2026-03-01T00:00:00Z');
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const people = Array.from({ length: 60 }, (_each, index) => String(13_800_000_000 + index));
		const { run, requests } = nodeWith();
		const reached = () => requests.flatMap((to) => to.split(','));
		const told = [];
		for (let day = 0; day < 4; day++) {
			const guards = { ...KEY, limits: [inTotal(20)] };
			await run(toMessages(people).map((message, index) => buildItem(index, message, guards)));
			told.push(reached().length);
			now += 86_400_000;
		}
		jest.restoreAllMocks();
		expect(told).toEqual([20, 40, 60, 60]);
		expect(new Set(reached()).size).toBe(60);
	},
);
