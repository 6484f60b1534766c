import { mapConcurrent } from '../../../nodes/Yuntongxun/util/mapConcurrent';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** Work that the test ends. */
function workshop(things: string[], concurrency: number) {
	const begun: string[] = [];
	const ends = new Map<string, (thrown?: unknown) => void>();
	const done = mapConcurrent(things, concurrency, async (thing) => {
		begun.push(thing);
		await new Promise<void>((resolve, reject) =>
			ends.set(thing, (thrown) => (thrown === undefined ? resolve() : reject(thrown as Error))),
		);
		return thing.toUpperCase();
	});
	return {
		begun,
		done: done.then(
			(results) => results,
			(thrown: unknown) => thrown,
		),
		end: async (thing: string, thrown?: unknown) => {
			ends.get(thing)?.(thrown);
			await settle();
		},
	};
}

it('starts in order, refills each slot as it frees up, and keeps the order of the results', async () => {
	const { begun, done, end } = workshop(['a', 'b', 'c', 'd'], 2);
	expect(begun).toEqual(['a', 'b']);
	await end('b');
	expect(begun).toEqual(['a', 'b', 'c']);
	await end('c');
	await end('a');
	expect(begun).toEqual(['a', 'b', 'c', 'd']);
	await end('d');
	expect(await done).toEqual(['A', 'B', 'C', 'D']);
});

it('starts nothing after a rejection, and rejects with the first one', async () => {
	const { begun, done, end } = workshop(['a', 'b', 'c', 'd'], 2);
	const first = new Error('first');
	await end('b', first);
	await end('a');
	expect([await done, begun]).toEqual([first, ['a', 'b']]);
});

it('resolves at once for an empty list', async () => {
	expect(await workshop([], 3).done).toEqual([]);
});
