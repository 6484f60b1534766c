import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Terms } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../support/keyStore';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const day = (max: number) => ({ max, period: 'day' as const });
const wanted = (number: string, ...terms: Terms[]) => ({ number, line: number, terms });
const ONCE = { perRecipient: day(1) };

it('frees at once what a number over its limit holds beside numbers that are reached', async () => {
	const { contextOf, stored } = keyStore();
	const run = new Reservations(contextOf());
	const first = await run.lock([wanted('1', ONCE)]);
	await first.reserve();
	first.unlock();
	const second = await run.lock([wanted('1', { key: 'a', ...ONCE }), wanted('2', { key: 'a' })]);
	const refusals = await second.reserve();
	expect(refusals.flat().map((refusal) => refusal?.reason)).toEqual(['limit', undefined]);
	expect(stored().filter((entry) => entry.startsWith('key'))).toHaveLength(1);
});

it('lets the strictest limit of several items hold, whichever comes first', async () => {
	for (const limits of [
		[1, 3],
		[3, 1],
	]) {
		const run = new Reservations(keyStore().contextOf());
		const number = wanted('1', ...limits.map((max) => ({ perRecipient: day(max) })));
		const told = [];
		for (let round = 0; round < 2; round++) {
			const reservation = await run.lock([number]);
			told.push((await reservation.reserve())[0].map((refusal) => refusal?.limit?.max));
			reservation.unlock();
		}
		expect(told).toEqual([
			[undefined, undefined],
			[1, 1],
		]);
	}
});

it('does not count a number for an item whose key has reached it', async () => {
	const run = new Reservations(keyStore().contextOf());
	const keyed = { key: 'a', ...ONCE };
	for (const [terms, reasons] of [
		[[keyed], [undefined]],
		[
			[keyed, { perRecipient: day(3) }],
			['duplicate', undefined],
		],
	]) {
		const reservation = await run.lock([wanted('1', ...(terms as Terms[]))]);
		expect((await reservation.reserve())[0].map((refusal) => refusal?.reason)).toEqual(reasons);
		reservation.unlock();
	}
});

it('gives a line to one request at a time, and what one released to the next', async () => {
	const run = new Reservations(keyStore().contextOf());
	const first = await run.lock([wanted('1', ONCE)]);
	await first.reserve();
	const next = run.lock([wanted('1', ONCE)]);
	const early = await Promise.race([next, new Promise((done) => setTimeout(done, 5, 'waits'))]);
	expect(early).toBe('waits');
	await first.release();
	first.unlock();
	expect(await (await next).reserve()).toEqual([[undefined]]);
});
