import { LastingClaims, SIZE, StoreFull } from '../../../nodes/Yuntongxun/execution/lastingClaims';
import { NotBegun } from '../../../nodes/Yuntongxun/execution/notBegun';
import { keyStore } from '../support/keyStore';

const SMALL = { chunk: 10, chunksADay: 9, room: 200 };
const A_DAY = 90;

it('a node has room for 9,800 claims a day, and for two days of them with their marks', () => {
	expect(SIZE.chunk * SIZE.chunksADay).toBe(9_800);
	expect(2 * SIZE.chunksADay * (SIZE.chunk + 1)).toBeLessThanOrEqual(SIZE.room);
	expect(2 * SMALL.chunksADay * (SMALL.chunk + 1)).toBeLessThanOrEqual(SMALL.room);
});

beforeEach(() =>
	jest.useFakeTimers({
		now: Date.parse('2026-11-22T23:00:00Z'),
		doNotFake: ['nextTick', 'setImmediate'],
	}),
);
afterEach(() => jest.useRealTimers());

/** Takes long enough for others to queue up. */
const storeOfNode = () => keyStore(async () => await new Promise(setImmediate));

const fill = async (claims: LastingClaims, prefix: string, count: number): Promise<boolean[]> =>
	await Promise.all(
		Array.from({ length: count }, async (_each, at) => await claims.claim(`${prefix}/${at}`)),
	);

it('claims, looks at and frees names and places', async () => {
	const claims = new LastingClaims(storeOfNode().contextOf(), SMALL);
	expect(await claims.has('used')).toBe(false);
	expect([await claims.claim('used'), await claims.claim('used')]).toEqual([true, false]);
	expect(await claims.has('used')).toBe(true);
	const places = [1, 2, 3].map(async () => await claims.claimPlace('attempt', 2));
	expect(await Promise.all(places)).toEqual([1, 2, undefined]);
	await claims.release('used');
	expect(await claims.claim('used')).toBe(true);
});

it('refuses when the day is full, and nothing of that day is lost', async () => {
	const store = storeOfNode();
	const claims = new LastingClaims(store.contextOf(), SMALL);
	expect(await fill(claims, 'a', A_DAY)).toEqual(Array(A_DAY).fill(true));
	const thrown: unknown = await claims.claim('one more').catch((error: unknown) => error);
	expect(thrown).toBeInstanceOf(StoreFull);
	expect(thrown).toBeInstanceOf(NotBegun);
	expect(await claims.has('a/0')).toBe(true);
	expect(
		await new LastingClaims(store.contextOf(), SMALL).claimPlace('p', 2).catch(String),
	).toMatch(/^StoreFull/);
});

it('keeps what was claimed until the end of the next day, however much is claimed then', async () => {
	const store = storeOfNode();
	const claims = new LastingClaims(store.contextOf(), SMALL);
	await fill(claims, 'a', A_DAY);
	jest.setSystemTime(Date.parse('2026-11-23T00:00:00Z'));
	await fill(claims, 'b', A_DAY);
	expect(store.stored().length).toBeLessThanOrEqual(SMALL.room);
	expect(await claims.has('a/0')).toBe(true);
	await expect(claims.claim('one more')).rejects.toBeInstanceOf(StoreFull);
	jest.setSystemTime(Date.parse('2026-11-24T00:00:00Z'));
	expect(await fill(claims, 'c', A_DAY)).toEqual(Array(A_DAY).fill(true));
	expect([await claims.has('b/0'), await claims.has('c/0')]).toEqual([true, true]);
});

it('uses no room for what was claimed before, nor for a look', async () => {
	const claims = new LastingClaims(storeOfNode().contextOf(), SMALL);
	await fill(claims, 'a', A_DAY - 1);
	for (let each = 0; each < 30; each++) {
		expect(await claims.claim('a/0')).toBe(false);
		expect(await claims.has('new')).toBe(false);
	}
	expect(await claims.claim('last')).toBe(true);
	await expect(claims.claim('one more')).rejects.toBeInstanceOf(StoreFull);
});

it('goes on where n8n failed, once it works again', async () => {
	const store = storeOfNode();
	const claims = new LastingClaims(store.contextOf(), SMALL);
	store.breakIt();
	await expect(claims.claim('a')).rejects.toBeInstanceOf(NotBegun);
	store.mendIt();
	expect(await claims.claim('a')).toBe(true);
});

it('makes sure of its claims at the end', async () => {
	jest.useRealTimers();
	const store = storeOfNode();
	const claims = new LastingClaims(store.contextOf(), SMALL);
	await claims.claim('a');
	store.forget('a');
	await claims.makeSure();
	expect(store.stored()).toContain('a');
});
