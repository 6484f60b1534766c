import fc from 'fast-check';

import { Reservations } from '../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards } from '../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../support/keyStore';
import { anyText } from './support/texts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/withoutPauses'));

type End = 'accepted' | 'unknown' | 'refused' | 'notBegun';

/** A request to one number, and how it ends if it goes out. */
interface Attempt {
	number: string;
	guards: Guards;
	end: End;
}

const ENDS: End[] = ['accepted', 'unknown', 'refused', 'notBegun'];
const key = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('a', 'b', '__proto__', 'constructor') },
	{ weight: 1, arbitrary: anyText.filter((text) => text !== '') },
	{ weight: 1, arbitrary: fc.constant(undefined) },
);
const attempts = (guards: fc.Arbitrary<Guards>) =>
	fc.array(
		fc.record<Attempt>({
			number: fc.constantFrom('1', '2'),
			guards,
			end: fc.constantFrom(...ENDS),
		}),
		{ minLength: 1, maxLength: 8 },
	);
/** Executions one after the other. */
const history = (guards: fc.Arbitrary<Guards>) =>
	fc.array(attempts(guards), { minLength: 1, maxLength: 4 });

const mayHaveReached = ({ end }: Attempt) => end === 'accepted' || end === 'unknown';

/** What becomes of an attempt: why it was left out, or how it ended. */
async function attempt(reservations: Reservations, { number, guards, end }: Attempt) {
	const reservation = await reservations.lock([{ key: number, line: number }], guards);
	const [outcome] = await reservation.reserve();
	const refusal = outcome.ok ? outcome.skip : undefined;
	if (refusal !== undefined || end === 'refused' || end === 'notBegun') await reservation.release();
	reservation.unlock();
	return refusal?.reason === 'limit' ? refusal.limit.by : (refusal?.reason ?? end);
}

it('all attempts with one key and number go out until one may have reached somebody', async () => {
	await fc.assert(
		fc.asyncProperty(history(fc.record({ key })), async (executions) => {
			const { createContext } = keyStore();
			const used = new Set<string>();
			for (const all of executions) {
				const reservations = new Reservations(createContext());
				// At the same moment: they have their turns in the order in which they come.
				const told = await Promise.all(all.map(async (each) => await attempt(reservations, each)));
				await reservations.close();
				const expected = all.map((each) => {
					const name = JSON.stringify([each.number, each.guards.key]);
					if (each.guards.key === undefined) return each.end;
					if (used.has(name)) return 'duplicate';
					if (mayHaveReached(each)) used.add(name);
					return each.end;
				});
				expect(told).toEqual(expected);
			}
		}),
	);
});

it('limits let through as many as they allow of those that may have reached somebody', async () => {
	await fc.assert(
		fc.asyncProperty(
			history(fc.constant({})),
			fc.integer({ min: 1, max: 3 }),
			fc.integer({ min: 1, max: 5 }),
			async (executions, perRecipient, total) => {
				const { createContext, stored } = keyStore();
				const counts = new Map<string, number>();
				let sum = 0;
				const guards: Guards = {
					limits: [
						{ by: 'number', max: perRecipient, period: 'day' },
						{ by: 'total', max: total, period: 'day' },
					],
				};
				for (const all of executions) {
					const reservations = new Reservations(createContext());
					// One after the other, so that each knows what became of those before it.
					for (const each of all) {
						const told = await attempt(reservations, { ...each, guards });
						const count = counts.get(each.number) ?? 0;
						if (count >= perRecipient) expect(told).toBe('number');
						else if (sum >= total) expect(told).toBe('total');
						else {
							expect(told).toBe(each.end);
							if (!mayHaveReached(each)) continue;
							counts.set(each.number, count + 1);
							sum++;
						}
					}
					await reservations.close();
				}
				expect(stored()).toHaveLength(2 * sum);
			},
		),
	);
});
