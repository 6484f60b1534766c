import fc from 'fast-check';
import * as n8nWorkflow from 'n8n-workflow';

import type * as reservations from '../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../support/keyStore';
import { RUNS } from './support/runs';

/** A process of n8n: it shares nothing with others but the database. */
function startProcess(): typeof reservations {
	const loaded: Array<typeof reservations> = [];
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({
			...n8nWorkflow,
			sleep: async () => await new Promise(setImmediate),
		}));
		loaded.push(
			jest.requireActual<typeof reservations>('../../nodes/Yuntongxun/idempotency/reservations'),
		);
	});
	return loaded[0];
}

type Guards = reservations.Guards;
type Store = ReturnType<typeof keyStore>;

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, at) => String(13_800_000_000 + from + at));

/** A run of a fresh process. @returns the numbers that it reached */
async function reach(store: Store, all: string[], guards: Guards): Promise<string[]> {
	const { Reservations } = startProcess();
	const run = new Reservations(store.createContext());
	const reached: string[] = [];
	for (let start = 0; start < all.length; start += 200) {
		const part = all.slice(start, start + 200).map((key) => ({ key, line: key }));
		const reservation = await run.lock(part, guards);
		const outcomes = await reservation.reserve();
		outcomes.forEach((outcome, at) => {
			if (outcome.ok && outcome.skip === undefined) reached.push(part[at].key);
		});
		reservation.unlock();
	}
	await run.close();
	return reached;
}

it('a key, a count and a total of one day are never forgotten, over restarts at the edge of the row', async () => {
	// Each number takes three records, and a run may need 10,000.
	const size = fc.integer({ min: 2500, max: 3333 });
	const world = fc.record({
		sizes: fc.tuple(size, size),
		total: fc.integer({ min: 1000, max: 3000 }),
		older: fc.integer({ min: 0, max: 20_000 }),
	});
	await fc.assert(
		fc.asyncProperty(world, async ({ sizes, total, older }) => {
			const store = keyStore();
			store.fill(older);
			const guards: Guards = {
				key: 'notice',
				limits: [
					{ by: 'number', max: 1, period: 'day' },
					{ by: 'total', max: total, period: 'day' },
				],
			};
			const wanted = [numbers(sizes[0]), numbers(sizes[1], sizes[0])];

			const reached: string[] = [];
			for (const list of wanted) reached.push(...(await reach(store, list, guards)));
			expect(reached).toHaveLength(total);

			const again: string[] = [];
			for (const list of wanted) again.push(...(await reach(store, list, guards)));
			const all = [...reached, ...again];
			expect(new Set(all).size).toBe(all.length);
			expect(all.length).toBeLessThanOrEqual(total);
		}),
		{ numRuns: Math.ceil(RUNS / 250) },
	);
});
