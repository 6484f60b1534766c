import type { MessageItem } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/messages';
import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { sendAll } from '../../../nodes/Yuntongxun/executor/send';
import type { SendTools } from '../../../nodes/Yuntongxun/executor/send';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';
import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Limit } from '../../../nodes/Yuntongxun/idempotency/quotas';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { keyStore } from '../../support/keyStore';
import {
	call,
	failure,
	inTotal,
	buildItem,
	OVERLOAD,
	perNumber,
	service,
	showItem,
	sms,
	UNKNOWN,
	WITHOUT_ID,
} from '../../support/messages';
import { toPhoneNumber } from '../../support/phoneNumbers';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const [A, B, C] = ['13800000001', '13800000002', '13800000003'];
const KEY = { key: 'order-42' };
const once = { limits: [perNumber(1)] };

interface Settings {
	continues?: boolean;
	concurrency?: number;
	cancelled?: AbortSignal;
}

/** Runs that know nothing of one another's pace. */
let nodes = 0;

/** Runs of one node against one service. */
function nodeWith(rules: Parameters<typeof service>[0] = []) {
	nodes += 1;
	const store = keyStore();
	const remote = service(rules);
	const placed: string[] = [];
	return {
		...remote,
		store,
		placed,
		async run(
			items: MessageItem[],
			{ continues = true, concurrency = 10, cancelled }: Settings = {},
		) {
			const stop = new StopSignal(cancelled);
			const reservations = new Reservations(store.createContext());
			await sendAll(planRequests(items), {
				concurrency,
				continues,
				stop,
				limiter: new RateLimiter(`node ${nodes}`, 0, stop),
				reservations,
				getClient: () => remote.send,
				waiting: { recordPlacedCall: (callSid) => void placed.push(callSid) },
			});
			await reservations.close();
			return items.map((item) => showItem(item));
		},
	};
}

const errorMessage = ({ outputs: [json] }: { outputs: Array<{ error?: unknown }> }) =>
	(json.error as { message: string }).message;
const firstState = ({ rows: [row] }: { rows: Array<{ state: string }> }) => row.state;
const duplicate = (to: string) => ({ duplicate: true, idempotencyKey: 'order-42', to });

describe('a key', () => {
	it('is free again after a refusal, so the next item has its turn', async () => {
		const { run, requests } = nodeWith([{ thrown: failure() }]);
		const results = await run([0, 1, 2].map((index) => buildItem(index, call([A]), KEY)));
		expect(results.map(firstState)).toEqual(['refused', 'accepted', 'leftOut']);
		expect(results[2].outputs).toEqual([duplicate(A)]);
		expect(requests).toEqual([A, A]);
	});

	it.each([
		['may have been accepted', UNKNOWN],
		['was accepted without its id', WITHOUT_ID],
	])('is used up by what %s', async (_what, thrown) => {
		const { run, requests } = nodeWith([{ thrown }]);
		const results = await run([0, 1].map((index) => buildItem(index, call([A]), KEY)));
		expect(results[1].outputs).toEqual([duplicate(A)]);
		expect(requests).toEqual([A]);
	});

	it('keeps phone numbers and keys out of the database', async () => {
		const { run, store } = nodeWith();
		await run([buildItem(0, call([A]), { ...KEY, limits: [perNumber(1), inTotal(5, 'hour')] })]);
		expect(store.stored()).toHaveLength(3);
		expect(JSON.stringify(store.stored())).not.toMatch(/138|order/);
	});

	it('that n8n cannot record sends nothing', async () => {
		const { run, requests, store } = nodeWith();
		store.breakIt();
		const [result] = await run([buildItem(0, call([A]), KEY)]);
		expect(result.failure).toMatchObject({ accepted: 'no', to: A });
		expect(errorMessage(result)).toMatch(
			/ of a request, so it was not sent\. .* may count as used .* use another .* Database message: .*locked/,
		);
		expect(requests).toEqual([]);
	});

	it('of a part of an SMS that n8n cannot record keeps the other part', async () => {
		const { run, requests, store } = nodeWith();
		store.breakAt(2);
		const [result] = await run([buildItem(0, sms([A, B], 1), KEY)], { concurrency: 1 });
		expect(result.failure).toMatchObject({ accepted: 'partly' });
		expect(errorMessage(result)).not.toContain('nothing was sent');
		expect(errorMessage(result)).toMatch(/may count as used .* use another/);
		expect(requests).toEqual([A]);
	});
});

it.each<[string, Guards, string[]]>([
	[
		'a key is the same for a number with its country code, and another for an extension',
		KEY,
		[A, `${A}-12`],
	],
	['a limit counts the spellings and the extensions of a number together', once, [A]],
])('%s', async (_title, guards, expected) => {
	const { run, requests } = nodeWith();
	const spellings = [A, `+86${A}`, `0086${A}`, `${A}-12`];
	const items = spellings.map((to, index) =>
		buildItem(index, call([], { recipients: [toPhoneNumber(to)] }), guards),
	);
	await run(items);
	expect(requests.sort()).toEqual(expected);
});

it('a count of the total stops at the total, in list order', async () => {
	const { run, requests } = nodeWith();
	const total = { limits: [inTotal(2)] };
	const [result] = await run([buildItem(0, sms([A, B, C]), total)]);
	expect(requests).toEqual([`${A},${B}`]);
	expect(result.outputs).toMatchObject([
		{ to: `${A},${B}`, leftOut: [{ to: C, reason: 'limit', by: 'total' }] },
	]);
});

describe('what may have been accepted', () => {
	it.each([
		[KEY, 'Its Send Once per ID counts as used: to send it again, use another one.'],
		[once, 'Limits counts it as sent.'],
		[
			{ ...KEY, ...once },
			'Its Send Once per ID counts as used: to send it again, use another one. Limits counts it as sent.',
		],
	])('says with %j what is used up', async (guards, words) => {
		const { run } = nodeWith([{ thrown: UNKNOWN }]);
		const [result] = await run([buildItem(0, call([A]), guards)]);
		expect(errorMessage(result)).toContain(words);
	});

	it('ten times in a row is the end of the run: the rest says that it was not sent', async () => {
		const { run, requests, store } = nodeWith([{ thrown: UNKNOWN, times: Infinity }]);
		const items = Array.from({ length: 30 }, (_each, index) =>
			buildItem(index, call([String(13_800_000_000 + index)]), KEY),
		);
		const results = await run(items, { concurrency: 1 });
		expect(requests).toHaveLength(10);
		expect(store.stored()).toHaveLength(10);
		expect(results[29].failure?.accepted).toBe('no');
		expect(errorMessage(results[29])).toContain('Send it again once Yuntongxun answers');
		expect(firstState(results[29])).toBe('notSent');
	});
});

describe('a run that stops', () => {
	const items = () => [A, B, C].map((to, index) => buildItem(index, call([to]), KEY));

	it('after a failure sends nothing more, and frees what was not sent', async () => {
		const { run, requests, store } = nodeWith([{ thrown: failure() }]);
		const results = await run(items(), { continues: false, concurrency: 1 });
		expect(requests).toEqual([A]);
		expect(results.map(firstState)).toEqual(['refused', 'notSent', 'notSent']);
		expect(store.stored()).toEqual([]);
		const inFlight = nodeWith([{ thrown: failure() }]);
		await inFlight.run(items(), { continues: false, concurrency: 3 });
		expect(inFlight.requests).toHaveLength(3);
		expect(inFlight.store.stored()).toHaveLength(2);
	});

	it('after a number over its limit sends nothing more', async () => {
		const { run, requests } = nodeWith();
		await run([buildItem(0, call([A]), once)]);
		const over = items().map(({ index, task }) => buildItem(index, task, once));
		const results = await run(over, { continues: false, concurrency: 1 });
		expect(results[0].failure).toBeDefined();
		expect(requests).toEqual([A]);
	});
});

it('a run that a user stops does not wait for a lock that another run holds', async () => {
	const { run, store } = nodeWith();
	const holder = new Reservations(store.createContext());
	const held = await holder.lock([{ key: A, line: A }], KEY);
	const user = new AbortController();
	const running = run([buildItem(0, call([A]), KEY)], { cancelled: user.signal });
	setTimeout(() => user.abort(), 5);
	const [result] = await running;
	expect(firstState(result)).toBe('notSent');
	held.unlock();
	// The late lock is given back: the next run has its turn.
	const [next] = await run([buildItem(0, call([A]), KEY)]);
	expect(firstState(next)).toBe('accepted');
});

/** A user stops the execution while n8n records. */
function stopWhileRecording(store: ReturnType<typeof keyStore>): AbortSignal {
	const user = new AbortController();
	const { helpers } = store.createContext();
	const record = helpers.checkProcessedAndRecord;
	helpers.checkProcessedAndRecord = async (...given: Parameters<typeof record>) => {
		user.abort();
		return await record(...given);
	};
	return user.signal;
}

it('a number whose key n8n did not free after the run stopped says so', async () => {
	const { run, requests, store } = nodeWith();
	// The first round trip records the key, the second would remove it.
	store.breakAt(2);
	const cancelled = stopWhileRecording(store);
	const [result] = await run([buildItem(0, call([A]), KEY)], { cancelled });
	expect(requests).toEqual([]);
	expect(errorMessage(result)).toMatch(
		/^The run stopped before this request\. .* may count as used .* use another/,
	);
});

it('a number whose key n8n freed after the run stopped was not attempted', async () => {
	const { run, requests, store } = nodeWith();
	const cancelled = stopWhileRecording(store);
	const [result] = await run([buildItem(0, call([A]), KEY)], { cancelled });
	expect([requests, result.outputs, store.stored()]).toEqual([[], [], []]);
	expect(firstState(result)).toBe('notSent');
});

it('an SMS of which n8n did not free a key for certain says so though it was accepted', async () => {
	const { run, store } = nodeWith();
	await run([buildItem(0, call([A]), once)]);
	// It records both keys, and then removes the key of the number that is over its limit.
	store.breakAt(store.calls.length + 2);
	const item = buildItem(0, sms([A, B]), { ...KEY, ...once });
	const [result] = await run([item]);
	expect(result.outputs).toEqual([
		expect.objectContaining({ leftOut: [{ to: A, reason: 'limit', by: 'number' }] }),
	]);
});

it('a duplicate beside a number that n8n cannot record is left out, and not to be sent again', async () => {
	const { run, requests, store } = nodeWith();
	await run([buildItem(0, call([A]), KEY)]);
	store.breakAt(store.calls.length + 1);
	const [result] = await run([buildItem(0, sms([A, B]), { ...KEY, ...once })]);
	expect(requests).toEqual([A]);
	expect(result.rows).toEqual([
		{ itemIndex: 0, to: B, state: 'notSent' },
		{ itemIndex: 0, to: A, state: 'leftOut', reason: 'duplicate' },
	]);
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
		const limiter: SendTools['limiter'] = {
			start: async (prepare) => await prepare(),
			startAgain: async (pauseMs) => {
				pauses.push(pauseMs);
				passes(pauseMs / 1000 + (seconds.turn ?? 0));
				return await Promise.resolve(true);
			},
		};
		const getClient: SendTools['getClient'] = () => async (request) => {
			passes(seconds.answer);
			return await send(request);
		};
		await sendAll(planRequests([buildItem(0, call([A]))]), {
			concurrency: 1,
			continues: false,
			stop: new StopSignal(),
			limiter,
			reservations: new Reservations(keyStore().createContext()),
			getClient,
		});
		return { pauses, requests: requests.length };
	}

	it.each([
		[0, [250, 500, 1000]],
		[0.5, [500, 1000, 2000]],
		[1, [750, 1500, 3000]],
	])(
		'pauses twice as long before each further try, more or less by chance: %d',
		async (chance, expected) => {
			jest.spyOn(Math, 'random').mockReturnValue(chance);
			expect((await refused({})).pauses).toEqual(expected);
		},
	);

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

	it('keeps its place among the requests under way while it pauses', async () => {
		const { run, requests } = nodeWith([{ thrown: OVERLOAD, number: A }]);
		const items = [A, B].map((to, index) => buildItem(index, call([to])));
		await run(items, { concurrency: 1 });
		expect(requests).toEqual([A, A, B]);
	});

	it('is sent again, and reserves once', async () => {
		const { run, requests, store } = nodeWith([{ thrown: OVERLOAD, times: 2 }]);
		const item = buildItem(0, call([A]), KEY);
		const [result] = await run([item]);
		expect(result.failure).toBeUndefined();
		expect(requests).toEqual([A, A, A]);
		expect(item.requests[0].isRepeated).toBe(true);
		// Once before the first try, once at the end of the run.
		expect(store.calls).toHaveLength(2);
	});
});

it('a used-up limit that skips many numbers lets timers fire', async () => {
	const { run } = nodeWith();
	await run([buildItem(0, call([A]), once)]);
	let fired = 0;
	const timer = setInterval(() => fired++);
	await run(Array.from({ length: 2000 }, (_each, index) => buildItem(index, call([A]), once)));
	clearInterval(timer);
	expect(fired).toBeGreaterThan(5);
});

it('an accepted call is recorded with its id, whether it waits or not', async () => {
	const { run, placed } = nodeWith([{ thrown: failure(), number: B }]);
	const items = [A, B, C].map((to, index) => buildItem(index, call([to])));
	const wait = {
		kind: 'wait',
		event: 'voiceNotification',
		maxWaitMs: 1,
		isRelayed: true,
		hints: [],
	} as const;
	items[0].route = { ok: true, buildUrl: () => 'https://n8n.example.com', wait, hints: [] };
	await run(items, { continues: true });
	expect(placed).toEqual(['id-1', 'id-3']);
});

describe('a key beside a limit', () => {
	const people = Array.from({ length: 60 }, (_each, index) => String(13_800_000_000 + index));

	const FORMS = {
		'calls at once': (all: readonly string[]) => all.map((to) => call([to])),
		'one SMS': (all: readonly string[]) => [sms([...all])],
	};

	/** Sends the same list with one key. @returns to how many people each state or reason applies */
	async function sendList({ run }: ReturnType<typeof nodeWith>, limit: Limit, tasks: Message[]) {
		const items = tasks.map((task, index) => buildItem(index, task, { ...KEY, limits: [limit] }));
		const results = await run(items, { concurrency: people.length });
		expect(JSON.stringify(results)).not.toContain('1970');
		const counts: Record<string, number> = {};
		for (const { to, reason, state } of results.flatMap(({ rows }) => rows)) {
			const said = String(reason ?? state);
			counts[said] = (counts[said] ?? 0) + String(to).split(',').length;
		}
		return counts;
	}

	const limitsOfLists: Limit[] = [
		{ by: 'total', max: 20, period: 'day' },
		{ by: 'value', value: 'x', max: 20, period: 'hour' },
		{ by: 'total', max: 20, period: 'minute' },
	];
	it.each(
		limitsOfLists.flatMap((limit) =>
			Object.entries(FORMS).map(([form, toTasks]) => ({ limit, form, toTasks })),
		),
	)(
		'reaches as many new people of a list in each period as it allows: $limit, $form',
		async ({ limit, toTasks }) => {
			let now = Date.parse('2026-03-01T00:00:00Z');
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			jest.spyOn(performance, 'now').mockImplementation(() => now);
			const node = nodeWith();
			const told = [];
			for (let period = 0; period < 4; period++) {
				told.push(await sendList(node, limit, toTasks(people)));
				now += 86_400_000;
			}
			jest.restoreAllMocks();
			expect(told).toEqual([
				{ accepted: 20, limit: 40 },
				{ accepted: 20, duplicate: 20, limit: 20 },
				{ accepted: 20, duplicate: 40 },
				{ duplicate: 60 },
			]);
			const reached = node.requests.flatMap((to) => to.split(','));
			expect([reached.length, new Set(reached).size]).toEqual([60, 60]);
		},
	);
});
