import fc from 'fast-check';

import { Claims } from '../../nodes/Yuntongxun/execution/claims';
import type { ItemFailure, Outcome } from '../../nodes/Yuntongxun/execution/items';
import { onceOnly } from '../../nodes/Yuntongxun/execution/onceOnly';
import { keyStore } from '../unit/support/keyStore';
import { anyText } from './support/texts';

/** Something to be done once only, and how it will end if it is tried. */
interface Thing {
	key: string | undefined;
	end: 'accepted' | 'unknown' | 'refused' | 'notBegun';
}

const key = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('a', 'b', '__proto__', 'constructor', ' ') },
	{ weight: 1, arbitrary: anyText.filter((text) => text !== '') },
	{ weight: 1, arbitrary: fc.constant(undefined) },
);
const thing = fc.record<Thing>({
	key,
	end: fc.constantFrom('accepted', 'unknown', 'refused', 'notBegun'),
});
/** Executions one after the other, each with groups of things at the same moment. */
const history = fc.array(
	fc.array(fc.array(thing, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
	{ minLength: 1, maxLength: 4 },
);

const outcomeOf = ({ end }: Thing): Outcome | undefined => {
	if (end === 'notBegun') return undefined;
	if (end === 'accepted') return { output: [{ done: true }] };
	return { failure: { mayHaveHappened: end === 'unknown' } as ItemFailure };
};

const DUPLICATE: Outcome = { output: [{ duplicate: true }], duplicate: true };
const mayHaveReached = ({ end }: Thing) => end === 'accepted' || end === 'unknown';

it('of the things with one key all are tried until one may have reached somebody, and none after', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (executions) => {
			const { contextOf } = keyStore();
			const used = new Set<string>();
			for (const groups of executions) {
				const tried: Thing[] = [];
				const outcomes = await Promise.all(
					groups.map(async (things) =>
						onceOnly(
							new Claims(contextOf()),
							things,
							{
								keyOf: (each) => each.key,
								duplicateOf: () => ({ duplicate: true }),
								limitsOf: () => [],
								leftOut: () => false,
								explain: () => ({ mayHaveHappened: false }) as ItemFailure,
							},
							async (fresh, admit) =>
								await Promise.all(
									fresh.map(async (each) => {
										const [admitted] = await admit([each]);
										if (admitted) tried.push(each);
										return admitted && outcomeOf(admitted);
									}),
								),
						),
					),
				);
				// Groups take turns in the order in which they come, and things in the order of the group.
				const expected = groups.map((things) =>
					things.map((each) => {
						if (each.key === undefined) return outcomeOf(each);
						if (used.has(each.key)) return DUPLICATE;
						if (mayHaveReached(each)) used.add(each.key);
						return outcomeOf(each);
					}),
				);
				expect(outcomes).toEqual(expected);
				const reached = tried.filter(mayHaveReached).flatMap((each) => each.key ?? []);
				expect(new Set(reached).size).toBe(reached.length);
			}
		}),
	);
});

it('a limit lets through as many as it allows of those that may have reached somebody', async () => {
	const counted = fc.record({
		end: fc.constantFrom<Thing['end'][]>('accepted', 'unknown', 'refused', 'notBegun'),
		names: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
	});
	const runs = fc.array(fc.array(counted, { minLength: 1, maxLength: 6 }), { maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(runs, fc.integer({ min: 1, max: 3 }), async (all, places) => {
			const { contextOf } = keyStore();
			const counts = new Map<string, number>();
			for (const things of all) {
				const outcomes: Array<Outcome | undefined> = [];
				// One after the other, so that each knows what became of those before it.
				for (const each of things) {
					const [outcome] = await onceOnly(
						new Claims(contextOf()),
						[{ ...each, key: undefined }],
						{
							keyOf: () => undefined,
							duplicateOf: () => ({}),
							leftOut: () => false,
							limitsOf: () => each.names.map((name) => ({ name, places, refusal: 'over' })),
							explain: () =>
								({ mayHaveHappened: false, report: { over: true } }) as unknown as ItemFailure,
						},
						async (fresh, admit) => (await admit(fresh)).map(outcomeOf),
					);
					outcomes.push(outcome);
				}
				expect(outcomes).toEqual(
					things.map((each) => {
						if (each.names.some((name) => (counts.get(name) ?? 0) >= places)) {
							return { failure: { mayHaveHappened: false, report: { over: true } } };
						}
						if (mayHaveReached({ ...each, key: undefined })) {
							for (const name of each.names) counts.set(name, (counts.get(name) ?? 0) + 1);
						}
						return outcomeOf({ ...each, key: undefined });
					}),
				);
			}
		}),
	);
});
