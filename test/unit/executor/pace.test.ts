import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { sendAll } from '../../../nodes/Yuntongxun/executor/send';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';
import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { StoredTokenUsage } from '../../../nodes/Yuntongxun/idempotency/storedTokenUsage';
import { keyStore } from '../../support/keyStore';
import { answer, call, itemOf } from '../../support/messages';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** Calls with a limit in total at a pace, where n8n's database takes its time. */
async function callAtPace(count: number, perSecond: number, databaseMs: number) {
	const store = keyStore(
		async () => await new Promise((resolve) => setTimeout(resolve, databaseMs / 2)),
	);
	const stop = new StopSignal();
	const starts: number[] = [];
	const waiting: number[] = [];
	const total = { max: 1000, period: 'day' as const };
	const items = Array.from({ length: count }, (_each, index) =>
		itemOf(index, call([String(13_800_000_000 + index)]), { total }),
	);
	const sending = sendAll(planRequests(items), [], {
		concurrency: 10,
		continues: true,
		stop,
		limiter: new RateLimiter({ concurrency: 10, perSecond }, stop),
		reservations: new Reservations(store.contextOf()),
		tokenUsage: new StoredTokenUsage(store.contextOf()),
		waiting: { noteAccepted: () => undefined },
		getClient: () => async () => {
			starts.push(Date.now());
			waiting.push(store.stored().length - starts.length);
			return await Promise.resolve(answer('a'));
		},
	});
	await jest.advanceTimersByTimeAsync(60_000);
	await sending;
	return { starts, waiting };
}

it('a run with limits keeps the rate that is set: reserving does not slow it down', async () => {
	const { starts } = await callAtPace(10, 20, 40);
	const [first] = starts;
	expect(starts.map((start) => start - first)).toEqual(
		Array.from({ length: 10 }, (_each, index) => 50 * index),
	);
});

it('at most one request is recorded while it waits for the pace', async () => {
	const { waiting } = await callAtPace(10, 2, 40);
	expect(Math.max(...waiting)).toBe(0);
});
