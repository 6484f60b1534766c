import { Claims } from '../../../nodes/Yuntongxun/execution/claims';
import type { ItemFailure, Outcome } from '../../../nodes/Yuntongxun/execution/items';
import { onceOnly } from '../../../nodes/Yuntongxun/execution/onceOnly';
import type { Admit } from '../../../nodes/Yuntongxun/execution/onceOnly';
import { keyStore } from '../support/keyStore';

interface Thing {
	name: string;
	key?: string;
	/** How often each of these may happen. */
	limits?: Record<string, number>;
}

const failure = (message: string, mayHaveHappened = false): Outcome => ({
	failure: { report: { message }, mayHaveHappened } as unknown as ItemFailure,
});
const REFUSED = failure('refused');
const UNKNOWN = failure('unknown', true);
const DONE: Outcome = { output: [{ done: true }] };

type Work = (things: Thing[], admit: Admit<Thing>) => Promise<Array<Outcome | undefined>>;

/** A node with a store, whose things end as told, each in a request of its own. */
function node(endings: Record<string, Outcome | undefined> = {}) {
	const store = keyStore();
	const begun: string[] = [];
	const alone: Work = async (things, admit) =>
		await Promise.all(
			things.map(async (thing) => {
				if ((await admit([thing])).length === 0) return undefined;
				begun.push(thing.name);
				return thing.name in endings ? endings[thing.name] : DONE;
			}),
		);
	const run = async (things: Thing[], work = alone) =>
		await onceOnly(
			new Claims(store.contextOf()),
			things,
			{
				keyOf: ({ key }) => key,
				duplicateOf: ({ key }) => ({ duplicate: true, key }),
				limitsOf: ({ limits = {} }) =>
					Object.entries(limits).map(([name, places]) => ({ name, places, refusal: `no ${name}` })),
				leftOut: ({ report }, { name }) => report.message === `not ${name}`,
				explain: (thrown, { name }) =>
					(failure(`${name}: ${(thrown as Error).message}`) as { failure: ItemFailure }).failure,
			},
			work,
		);
	return { store, begun, run };
}

const duplicate = (key: string): Outcome => ({
	output: [{ duplicate: true, key }],
	duplicate: true,
});

describe('a key', () => {
	it('is not needed: things without one are done whenever they come', async () => {
		const { run, begun, store } = node();
		expect(await run([{ name: 'a' }, { name: 'b' }])).toEqual([DONE, DONE]);
		expect([begun, store.calls]).toEqual([['a', 'b'], []]);
	});

	it('that was used before sends nothing, and of several with one key the first is done', async () => {
		const { run, begun } = node({ d: UNKNOWN });
		await run([{ name: '0', key: 'old' }]);
		expect(
			await run([
				{ name: 'a', key: 'old' },
				{ name: 'b', key: 'new' },
				{ name: 'c', key: 'new' },
				{ name: 'd' },
			]),
		).toEqual([duplicate('old'), DONE, duplicate('new'), UNKNOWN]);
		expect(begun.sort()).toEqual(['0', 'b', 'd']);
	});

	it('is recorded when its request asks for it, not before', async () => {
		const { run, store } = node();
		const seen: string[][] = [];
		const things = ['a', 'b', 'c'].map((key) => ({ name: key, key }));
		await run(things, async (tasks, admit) => {
			for (const task of tasks) {
				seen.push([...store.stored()]);
				await admit([task]);
			}
			return tasks.map(() => DONE);
		});
		expect(seen).toEqual([[], ['a'], ['a', 'b']]);
	});

	it('is asked for once, however many requests a thing takes', async () => {
		const { run, store } = node();
		await run([{ name: 'a', key: 'k' }], async ([task], admit) => {
			expect(await admit([task])).toEqual([task]);
			expect(await admit([task])).toEqual([task]);
			return [DONE];
		});
		expect(store.calls).toEqual([['k']]);
	});

	it('of a thing in a request with others keeps only that thing out', async () => {
		const { run } = node();
		await run([{ name: '0', key: 'old' }]);
		const admitted: string[] = [];
		const outcomes = await run(
			[{ name: 'a', key: 'old' }, { name: 'b', key: 'new' }, { name: 'c' }],
			async (tasks, admit) => {
				admitted.push(...(await admit(tasks)).map(({ name }) => name));
				return tasks.map(() => DONE);
			},
		);
		expect([admitted, outcomes]).toEqual([
			['b', 'c'],
			[duplicate('old'), DONE, DONE],
		]);
	});

	it.each<[string, Outcome | undefined, boolean]>([
		['done', DONE, true],
		['perhaps done', UNKNOWN, true],
		['refused', REFUSED, false],
		['not begun', undefined, false],
	])('of what was %s stays: %j %p', async (_what, ending, stays) => {
		const { run, store } = node({ a: ending });
		expect(await run([{ name: 'a', key: 'k' }])).toEqual([ending]);
		expect(store.stored()).toEqual(stays ? ['k'] : []);
	});

	it('that cannot be recorded sends nothing for its thing, and the others go on', async () => {
		const { run, begun, store } = node();
		store.breakIt();
		const outcomes = await run([{ name: 'a', key: 'k' }, { name: 'b' }]);
		expect(begun).toEqual(['b']);
		expect(outcomes).toEqual([
			{
				failure: {
					report: { message: expect.stringMatching(/^a: .*nothing was sent/) as string },
					mayHaveHappened: false,
				},
			},
			DONE,
		]);
	});
});

describe('several things with one key take turns', () => {
	const things = (...names: string[]) => names.map((name) => ({ name, key: 'k' }));

	it('until one was not refused', async () => {
		const { run, begun, store } = node({ a: REFUSED, b: REFUSED });
		expect(await run(things('a', 'b', 'c', 'd'))).toEqual([REFUSED, REFUSED, DONE, duplicate('k')]);
		expect([begun, store.stored()]).toEqual([['a', 'b', 'c'], ['k']]);
	});

	it('and none sends after one that may have reached somebody', async () => {
		const { run, begun } = node({ a: REFUSED, b: UNKNOWN });
		expect(await run(things('a', 'b', 'c'))).toEqual([REFUSED, UNKNOWN, duplicate('k')]);
		expect(begun).toEqual(['a', 'b']);
	});

	it('in runs side by side too', async () => {
		const { run, begun } = node({ a: REFUSED, b: REFUSED });
		const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => run(things(name))));
		expect(outcomes.flat()).toEqual([REFUSED, REFUSED, DONE, duplicate('k')]);
		expect(begun).toEqual(['a', 'b', 'c']);
	});

	it('and groups of several keys do not wait for each other in a circle', async () => {
		const { run } = node();
		const [a, b] = [
			{ name: 'a', key: 'a' },
			{ name: 'b', key: 'b' },
		];
		const outcomes = await Promise.all([run([a, b]), run([b, a]), run([a, b])]);
		expect(outcomes).toEqual([
			[DONE, DONE],
			[duplicate('b'), duplicate('a')],
			[duplicate('a'), duplicate('b')],
		]);
	});

	it('also after work that threw, against its promise', async () => {
		const { run } = node();
		const broken = run(things('a'), async () => await Promise.reject(new Error('broken')));
		await expect(broken).rejects.toThrow('broken');
		expect(await run(things('b'))).toEqual([DONE]);
	});
});

describe('a limit', () => {
	const limited = (name: string, limits: Record<string, number>) => ({ name, limits });
	const over = (name: string, limit: string) => failure(`${name}: no ${limit}`);

	it('lets things through in order, as often as it allows, over runs too', async () => {
		const { run, begun } = node();
		expect(await run(['a', 'b'].map((name) => limited(name, { x: 3 })))).toEqual([DONE, DONE]);
		expect(await run(['c', 'd'].map((name) => limited(name, { x: 3 })))).toEqual([
			DONE,
			over('d', 'x'),
		]);
		expect(begun).toEqual(['a', 'b', 'c']);
	});

	it('that is reached refuses the thing as a whole, and uses up none of its others', async () => {
		const { run } = node();
		await run([limited('a', { x: 1 })]);
		expect(await run([limited('b', { y: 1, x: 1 }), limited('c', { y: 1 })])).toEqual([
			over('b', 'x'),
			DONE,
		]);
	});

	it('counts neither what was refused nor what the run did not come to', async () => {
		const { run } = node({ a: REFUSED, b: undefined, c: UNKNOWN });
		for (const name of ['a', 'b', 'c']) await run([limited(name, { x: 1 })]);
		expect(await run([limited('d', { x: 1 })])).toEqual([over('d', 'x')]);
	});

	it('does not count what a thing that failed in part left out', async () => {
		const { run, store } = node({ a: failure('not x', true) });
		await run([{ name: 'a', key: 'k', limits: { x: 1, y: 1 } }]);
		expect(store.stored()).toEqual(['k', 'y#1']);
	});

	it('leaves a key free, and a duplicate leaves a limit free', async () => {
		const { run, store } = node();
		await run([limited('a', { x: 1 }), { name: 'b', key: 'used' }]);
		expect(
			await run([
				{ name: 'c', key: 'k', limits: { x: 1 } },
				{ name: 'd', key: 'used', limits: { y: 1 } },
			]),
		).toEqual([over('c', 'x'), duplicate('used')]);
		expect(store.stored().sort()).toEqual(['used', 'x#1']);
	});
});
