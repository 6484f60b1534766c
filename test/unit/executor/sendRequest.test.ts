import { resultOf } from '../../../nodes/Yuntongxun/executor/itemResult';
import type { Item, MessageItem } from '../../../nodes/Yuntongxun/executor/item';
import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { MAX_TRIES, sendAll } from '../../../nodes/Yuntongxun/executor/sendRequest';
import { StoredAttempts } from '../../../nodes/Yuntongxun/idempotency/attempts';
import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { singleRequest } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { keyStore } from '../support/keyStore';
import {
	call,
	failure,
	itemOf,
	OVERLOAD,
	service,
	SMS,
	sms,
	UNKNOWN,
	WITHOUT_ID,
} from '../support/messages';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const [A, B, C] = ['13800000001', '13800000002', '13800000003'];
const KEY = { key: 'order-42' };
const once = { perRecipient: { max: 1, period: 'day' as const } };

interface Settings {
	continues?: boolean;
	combine?: boolean;
	concurrency?: number;
	perSecond?: number;
	cancelled?: AbortSignal;
}

/** Runs of one node against one service. */
function nodeWith(rules: Parameters<typeof service>[0] = [], store = keyStore()) {
	const remote = service(rules);
	const placed: string[] = [];
	return {
		...remote,
		store,
		placed,
		async run(
			items: MessageItem[],
			{
				continues = true,
				combine = false,
				concurrency = 10,
				perSecond = 0,
				cancelled,
			}: Settings = {},
		) {
			const limiter = new RateLimiter({ concurrency, perSecond }, cancelled);
			const reservations = new Reservations(store.contextOf());
			const tools = {
				limiter,
				fail: () => void (continues || limiter.stop()),
				reservations,
				attempts: new StoredAttempts(store.contextOf()),
				clientFor: () => remote.send,
				waiting: {
					place: (_wait: unknown, json: object) => void placed.push(JSON.stringify(json)),
				},
			};
			await sendAll(planRequests(items, combine), [], concurrency, tools);
			await reservations.close();
			return items.map((item) => resultOf(item, true));
		},
	};
}

const outputsOf = (results: Array<{ outputs: object[] }>) => results.map(({ outputs }) => outputs);
const duplicate = (to: string) => ({ duplicate: true, idempotencyKey: 'order-42', to });

describe('a key', () => {
	it('reaches each number once: of several items with one number the first is sent', async () => {
		const { run, requests } = nodeWith();
		const results = await run([A, A, B].map((to, index) => itemOf(index, call([to]), KEY)));
		expect(outputsOf(results)).toEqual([
			[expect.objectContaining({ to: A, statusCode: '000000' })],
			[duplicate(A)],
			[expect.objectContaining({ to: B, statusCode: '000000' })],
		]);
		expect(requests.sort()).toEqual([A, B]);
	});

	it('is free again after a refusal, so the next item has its turn', async () => {
		const { run, requests } = nodeWith([{ thrown: failure() }]);
		const results = await run([0, 1, 2].map((index) => itemOf(index, call([A]), KEY)));
		expect(results.map(({ failure: failed }) => failed?.accepted)).toEqual([
			'no',
			undefined,
			undefined,
		]);
		expect(results[2].outputs).toEqual([duplicate(A)]);
		expect(requests).toEqual([A, A]);
	});

	it.each([
		['may have been accepted', UNKNOWN],
		['was accepted without its id', WITHOUT_ID],
	])('is used up by what %s', async (_what, thrown) => {
		const { run, requests } = nodeWith([{ thrown }]);
		const results = await run([0, 1].map((index) => itemOf(index, call([A]), KEY)));
		expect(results[1].outputs).toEqual([duplicate(A)]);
		expect(requests).toEqual([A]);
	});

	it('is recorded before the request goes out, and removed before the lock is given back', async () => {
		const { run, store } = nodeWith([{ thrown: failure() }]);
		await run([0, 1].map((index) => itemOf(index, call([A]), KEY)));
		const [recorded, removed, again] = store.calls;
		expect(removed).toEqual([`-${recorded[0]}`]);
		expect(again).toEqual(recorded);
	});

	it('of a spelling with the country code is the same, of an extension another', async () => {
		const { run, requests } = nodeWith();
		const numbers = [A, `+86${A}`, `0086${A}`, `${A}-12`];
		await run(numbers.map((to, index) => itemOf(index, call([to]), KEY)));
		expect(requests).toHaveLength(2);
	});

	it('keeps phone numbers and keys out of the database', async () => {
		const { run, store } = nodeWith();
		await run([itemOf(0, call([A]), { ...KEY, ...once, total: { max: 5, period: 'hour' } })]);
		expect(store.stored()).toHaveLength(3);
		expect(JSON.stringify(store.stored())).not.toMatch(/138|order/);
	});

	it('that n8n cannot record sends nothing', async () => {
		const { run, requests, store } = nodeWith();
		store.breakIt();
		const [result] = await run([itemOf(0, call([A]), KEY)]);
		expect(result.failure).toMatchObject({ accepted: 'no', to: A });
		expect(String(result.failure?.thrown)).toMatch(
			/ of a request, so it was not sent\. Database message: .*locked/,
		);
		expect(requests).toEqual([]);
	});

	it('of a part of an SMS that n8n cannot record keeps the other part', async () => {
		const { run, requests, store } = nodeWith();
		store.breakAt(2);
		const [result] = await run([itemOf(0, sms([A, B], 'text', 1), KEY)], { concurrency: 1 });
		expect(result.failure).toMatchObject({ accepted: 'partly' });
		expect(String(result.failure?.thrown)).not.toContain('nothing was sent');
		expect(requests).toEqual([A]);
	});
});

describe('a count', () => {
	it('lets a number be reached so often, whichever items name it', async () => {
		const { run, requests } = nodeWith();
		const two = { perRecipient: { max: 2, period: 'day' as const } };
		const results = await run([A, A, A, B].map((to, index) => itemOf(index, call([to]), two)));
		expect(results.map(({ failure: failed }) => failed !== undefined)).toEqual([
			false,
			false,
			true,
			false,
		]);
		expect(requests.sort()).toEqual([A, A, B]);
		expect(results[2].outputs).toEqual([
			{
				error: expect.objectContaining({
					message: expect.stringMatching(
						/^The number in 'To' has been reached 2 times today through this node, as often as Max per Recipient allows\. Send again after \d{4}-\d\d-\d\d 00:00 \(UTC\+8\)\. \[item 2\]$/,
					) as string,
					accepted: 'no',
					to: A,
				}) as object,
			},
		]);
	});

	it('says when its period ends, even where the run ends later', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T15:59:59Z'));
		const items = [0, 1].map((index) => itemOf(index, call([A]), once));
		await nodeWith().run(items);
		now.mockReturnValue(Date.parse('2026-03-01T16:00:00Z'));
		const { failure: failed } = resultOf(items[1], true);
		now.mockRestore();
		expect(String(failed?.thrown)).toContain('Send again after 2026-03-02 00:00 (UTC+8)');
	});

	it('frees the key of a number that it refuses', async () => {
		const { run, store } = nodeWith();
		await run([itemOf(0, call([A]), once)]);
		await run([itemOf(0, call([A]), { ...KEY, ...once })]);
		expect(store.stored().filter((entry) => entry.startsWith('key'))).toEqual([]);
	});

	it('is not used up by a duplicate', async () => {
		const { run, store } = nodeWith();
		await run(
			[0, 1].map((index) =>
				itemOf(index, call([A]), { ...KEY, perRecipient: { max: 5, period: 'day' } }),
			),
		);
		expect(store.stored().filter((entry) => entry.startsWith('count'))).toHaveLength(1);
	});

	it('of the total stops after as many numbers, in their order', async () => {
		const { run, requests } = nodeWith();
		const total = { total: { max: 3, period: 'day' as const } };
		const [result] = await run([itemOf(0, sms([A, B, C, '13800000004']), total)]);
		expect(requests).toEqual([[A, B, C].join(',')]);
		expect(result.outputs).toEqual([
			expect.objectContaining({
				to: [A, B, C].join(','),
				leftOut: [{ to: '13800000004', reason: 'total' }],
			}),
		]);
	});
});

describe('numbers of combined items', () => {
	it('are reached once, and each item gets its own', async () => {
		const { run, requests } = nodeWith();
		const items = [sms([A, B]), sms([B, C]), sms([B])].map((task, index) => itemOf(index, task));
		const results = await run(items, { combine: true });
		expect(requests).toEqual([[A, B, C].join(',')]);
		expect(results.map(({ outputs: [json] }) => json.to)).toEqual([`${A},${B}`, `${B},${C}`, B]);
	});

	it('are reached once, however each item spells them', async () => {
		const { run, requests } = nodeWith();
		const items = [A, `0${A}`].map((to, index) => itemOf(index, sms([to])));
		const results = await run(items, { combine: true });
		expect(requests).toEqual([A]);
		expect(results.map(({ outputs: [json] }) => json.to)).toEqual([A, `0${A}`]);
	});

	it('count once with the strictest limit, and use the keys of all items', async () => {
		const { run, store, requests } = nodeWith();
		const limit = (max: number) => ({ perRecipient: { max, period: 'day' as const } });
		const items = [
			itemOf(0, sms([A]), { key: 'a', ...limit(5) }),
			itemOf(1, sms([A]), { key: 'b', ...limit(1) }),
			itemOf(2, sms([A])),
		];
		const results = await run(items, { combine: true });
		expect(requests).toEqual([A]);
		expect(results.every(({ failure: failed }) => failed === undefined)).toBe(true);
		expect(store.stored().map((entry) => entry.split(' ')[0])).toEqual(['key', 'key', 'count']);
		const again = await run([itemOf(0, sms([A]), { key: 'b' }), itemOf(1, sms([A]), limit(1))], {
			combine: true,
		});
		expect(again[0].outputs).toEqual([{ duplicate: true, idempotencyKey: 'b', to: A }]);
		expect(again[1].failure).toBeDefined();
		expect(requests).toEqual([A]);
	});

	it('with one key are duplicates of each other, or share a refusal', async () => {
		const { run } = nodeWith([{ thrown: failure(), number: B }]);
		const items = (to: string) => [0, 1].map((index) => itemOf(index, sms([to]), KEY));
		expect((await run(items(A), { combine: true }))[1].outputs).toEqual([duplicate(A)]);
		const refused = await run(items(B), { combine: true });
		expect(refused.map(({ failure: failed }) => failed?.accepted)).toEqual(['no', 'no']);
	});

	it('whose key was used are left out, and the others are sent', async () => {
		const { run, requests } = nodeWith();
		await run([itemOf(0, sms([B]), KEY)]);
		const [result, none] = await run([itemOf(0, sms([A, B, C]), KEY), itemOf(1, sms([B]), KEY)]);
		expect(requests).toEqual([B, `${A},${C}`]);
		expect(result.outputs).toEqual([
			expect.objectContaining({ to: `${A},${C}`, leftOut: [{ to: B, reason: 'duplicate' }] }),
		]);
		expect(none.outputs).toEqual([duplicate(B)]);
	});
});

describe('many combined items whose numbers are over their limit', () => {
	const many = Array.from({ length: 1200 }, (_each, index) => index);

	it.each([
		['one number', () => A],
		['each its own', (index: number) => String(13_900_000_000 + index)],
	])('take a few calls of the database in all: %s', async (_what, numberOf) => {
		const { run, store, requests } = nodeWith();
		await run(
			[...new Set(many.map(numberOf))].map((to, index) => itemOf(index, sms([to]), once)),
			{ combine: true },
		);
		const sent = requests.length;
		const before = store.calls.length;
		const results = await run(
			many.map((index) =>
				itemOf(index, sms([numberOf(index)]), { key: `order-${index}`, ...once }),
			),
			{ combine: true },
		);
		expect(results.every(({ failure: failed }) => failed !== undefined)).toBe(true);
		expect(requests).toHaveLength(sent);
		expect(store.calls.length - before).toBeLessThan(20);
		expect(store.stored().filter((entry) => entry.startsWith('key'))).toEqual([]);
	});
});

describe('a list of calls', () => {
	it('leaves out a number over its limit where others are called, and fails where none is', async () => {
		const { run } = nodeWith();
		await run([itemOf(0, call([A]), once)]);
		const [some, none] = await run([itemOf(0, call([A, B]), once), itemOf(1, call([A]), once)]);
		expect(some.outputs).toEqual([
			{ leftOut: true, reason: 'limit', to: A },
			expect.objectContaining({ to: B, statusCode: '000000' }),
		]);
		expect(some.failure).toBeUndefined();
		expect(none.failure).toBeDefined();
	});
});

describe('a run that stops', () => {
	const items = () => [A, B, C].map((to, index) => itemOf(index, call([to]), KEY));

	it('hears of a failure before the next slot is given, and frees what was not sent', async () => {
		const { run, requests, store } = nodeWith([{ thrown: failure() }]);
		const results = await run(items(), { continues: false, concurrency: 3 });
		// All three were in flight already.
		expect(requests).toHaveLength(3);
		expect(results[0].failure).toBeDefined();
		const other = nodeWith([{ thrown: failure() }], store);
		await other.run(items(), { continues: false, concurrency: 1 });
		expect(other.requests).toEqual([A]);
		expect(store.stored()).toHaveLength(2);
	});

	it('hears of a number over its limit before the next slot is given', async () => {
		const { run, requests } = nodeWith();
		await run([itemOf(0, call([A]), once)]);
		const over = items().map(({ index, ready }) => itemOf(index, ready.task, once));
		const results = await run(over, { continues: false, concurrency: 1 });
		expect(results[0].failure).toBeDefined();
		expect(requests).toEqual([A]);
	});

	it('hears of an item whose other numbers turn out to be duplicates', async () => {
		const { run, requests } = nodeWith();
		await run([itemOf(0, sms([A]), once)]);
		const [sent, over] = [sms([B]), sms([A, B])].map((task, at) =>
			itemOf(at, task, { ...KEY, ...once }),
		);
		await run([sent, over, itemOf(2, sms([C], 'another text'))], {
			...{ continues: false, combine: true, concurrency: 1 },
		});
		expect(requests).toEqual([A, B]);
	});

	it('hears of work that fails before a slot is given to work that waits for it', async () => {
		const limiter = new RateLimiter({ concurrency: 2, perSecond: 0 });
		const { send, requests } = service([{ thrown: OVERLOAD, number: A }, { thrown: failure() }]);
		const items = [A, B].map((to, index): Item => {
			const { ready } = itemOf(index, call([to]));
			const task = singleRequest(SMS, { to }, () => ({}));
			return { index, ready: { ...ready, task }, results: new Map() };
		});
		await sendAll([], items, 2, {
			limiter,
			fail: () => limiter.stop(),
			reservations: new Reservations(keyStore().contextOf()),
			attempts: new StoredAttempts(keyStore().contextOf()),
			clientFor: () => async (request) => {
				if (request.fields.to === B) await new Promise((resolve) => setTimeout(resolve, 20));
				return await send(request);
			},
			waiting: { place: () => undefined },
		});
		expect(requests).toEqual([A, B]);
	});

	it('by a user begins no further request', async () => {
		const user = new AbortController();
		const { run, requests, store } = nodeWith();
		const contextOf = store.contextOf;
		store.contextOf = (id) => {
			setTimeout(() => user.abort(), 0);
			return contextOf(id);
		};
		await run(items(), { concurrency: 1, cancelled: user.signal });
		expect(requests.length).toBeLessThan(3);
		expect(store.stored()).toHaveLength(requests.length);
	});
});

describe('a request that is refused for load', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(-0.499));
	afterEach(() => jest.restoreAllMocks());

	it('goes out again, and reserves once', async () => {
		const { run, requests, store } = nodeWith([{ thrown: OVERLOAD, times: 2 }]);
		const [result] = await run([itemOf(0, call([A]), KEY)]);
		expect(result.failure).toBeUndefined();
		expect(requests).toEqual([A, A, A]);
		// Once before the first try, twice at the end of the run.
		expect(store.calls).toHaveLength(3);
	});

	it('fails after so many tries, and frees its key', async () => {
		const { run, requests, store } = nodeWith([{ thrown: OVERLOAD, times: Infinity }]);
		const [result] = await run([itemOf(0, call([A]), KEY)]);
		expect(result.failure?.accepted).toBe('no');
		expect(requests).toHaveLength(MAX_TRIES);
		expect(store.stored()).toEqual([]);
	});
});

it('an accepted call that waits is noted with its id', async () => {
	const { run, placed } = nodeWith([{ thrown: failure(), number: B }]);
	const wait = {} as NonNullable<Parameters<typeof call>[1]>['wait'];
	await run([A, B].map((to, index) => itemOf(index, call([to], { wait }))));
	expect(placed).toEqual(['{"callSid":"id-1"}']);
});
