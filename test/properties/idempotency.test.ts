import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Claims } from '../../nodes/Yuntongxun/execution/claims';
import type { Result } from '../../nodes/Yuntongxun/execution/items';
import { onceOnly } from '../../nodes/Yuntongxun/execution/onceOnly';
import { nodeOf } from '../unit/support/execution';
import { anyText } from './support/texts';

let workflows = 0;

/** n8n's store of keys for one node: read, changed and written back, without a lock. */
function storeOfNode(): () => IExecuteFunctions {
	const workflow = `workflow-${++workflows}`;
	let stored: string[] = [];
	const helpers = {
		checkProcessedAndRecord: async (keys: string[]) => {
			const before = stored;
			await Promise.resolve();
			const fresh = keys.filter((key) => !before.includes(key));
			stored = [...before, ...fresh];
			return { new: fresh, processed: keys.filter((key) => before.includes(key)) };
		},
		removeProcessed: async (keys: string[]) => {
			const before = stored;
			await Promise.resolve();
			stored = before.filter((key) => !keys.includes(key));
		},
	};
	return () =>
		({
			getNode: () => nodeOf(),
			getWorkflow: () => ({ id: workflow, active: true }),
			logger: { warn: () => undefined },
			helpers,
		}) as unknown as IExecuteFunctions;
}

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

const REFUSED = new Error('refused');

const resultOf = ({ end }: Thing): Result => {
	if (end === 'notBegun') return 'notBegun';
	if (end === 'accepted') return { output: [{ done: true }] };
	return { thrown: end === 'refused' ? REFUSED : new Error('unknown') };
};

const mayHaveReached = ({ end }: Thing) => end === 'accepted' || end === 'unknown';

it('nobody is reached twice for a key, whatever comes when, and whoever was not reached can be', async () => {
	await fc.assert(
		fc.asyncProperty(history, async (executions) => {
			const contextOf = storeOfNode();
			const reached: string[] = [];
			for (const groups of executions) {
				const before = new Set(reached);
				const tried = new Set<Thing>();
				const results = await Promise.all(
					groups.map(async (things) =>
						onceOnly(
							new Claims(contextOf()),
							things,
							{
								keyOf: (each) => each.key,
								duplicateOf: () => ({ duplicate: true }),
								wasRefused: (thrown) => thrown === REFUSED,
							},
							async (fresh) => {
								for (const each of fresh) tried.add(each);
								return fresh.map(resultOf);
							},
						),
					),
				);
				groups.forEach((things, group) =>
					things.forEach((each, at) => {
						expect(results[group][at]).toEqual(
							tried.has(each) ? resultOf(each) : { output: [{ duplicate: true }] },
						);
						// Who has no key, or is the first to bring one that never reached anybody, is tried.
						if (each.key === undefined) expect(tried.has(each)).toBe(true);
					}),
				);
				const all = groups.flat();
				for (const own of new Set(all.map((each) => each.key))) {
					if (own === undefined || before.has(own)) continue;
					expect(all.some((each) => each.key === own && tried.has(each))).toBe(true);
				}
				reached.push(...[...tried].filter(mayHaveReached).flatMap((each) => each.key ?? []));
			}
			expect(reached).toEqual([...new Set(reached)]);
		}),
	);
});
