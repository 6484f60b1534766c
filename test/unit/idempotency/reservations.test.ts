import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Terms } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../support/keyStore';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const day = (max: number) => ({ max, period: 'day' as const });
const wanted = (number: string, terms: Terms) => ({ number, line: number, terms });
const ONCE = { perRecipient: day(1) };

it('frees at once what a number over its limit holds beside numbers that are reached', async () => {
	const { contextOf, stored } = keyStore();
	const run = new Reservations(contextOf());
	const first = await run.lock([wanted('1', ONCE)]);
	await first.reserve();
	first.unlock();
	const second = await run.lock([wanted('1', { key: 'a', ...ONCE }), wanted('2', { key: 'a' })]);
	const refusals = await second.reserve();
	expect(refusals.map((refusal) => refusal?.reason)).toEqual(['limit', undefined]);
	expect(stored().filter((entry) => entry.startsWith('key'))).toHaveLength(1);
});

it('does not count a number that its key has reached', async () => {
	const { contextOf, stored } = keyStore();
	const run = new Reservations(contextOf());
	for (const reason of [undefined, 'duplicate']) {
		const reservation = await run.lock([wanted('1', { key: 'a', perRecipient: day(5) })]);
		expect((await reservation.reserve())[0]?.reason).toBe(reason);
		reservation.unlock();
	}
	expect(stored().filter((entry) => entry.startsWith('count'))).toHaveLength(1);
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
	expect(await (await next).reserve()).toEqual([undefined]);
});
