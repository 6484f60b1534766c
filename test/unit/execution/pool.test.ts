import { pool } from '../../../nodes/Yuntongxun/execution/pool';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** Work that the test ends. */
function workshop(things: string[], width: number) {
	const begun: string[] = [];
	const ends = new Map<string, (thrown?: unknown) => void>();
	const done = pool(things, width, async (thing, position) => {
		begun.push(`${thing} at ${position}`);
		await new Promise<void>((resolve, reject) =>
			ends.set(thing, (thrown) => (thrown === undefined ? resolve() : reject(thrown as Error))),
		);
	});
	return {
		begun,
		done: done.then(
			() => 'through',
			(thrown: unknown) => thrown,
		),
		end: async (thing: string, thrown?: unknown) => {
			ends.get(thing)?.(thrown);
			await settle();
		},
	};
}

it('starts in order, up to the width, each as soon as another has ended', async () => {
	const { begun, done, end } = workshop(['a', 'b', 'c', 'd'], 2);
	expect(begun).toEqual(['a at 0', 'b at 1']);
	await end('b');
	expect(begun).toEqual(['a at 0', 'b at 1', 'c at 2']);
	await end('c');
	await end('a');
	expect(begun).toEqual(['a at 0', 'b at 1', 'c at 2', 'd at 3']);
	await end('d');
	expect(await done).toBe('through');
});

it('starts nothing after a rejection, and rejects with the first one', async () => {
	const { begun, done, end } = workshop(['a', 'b', 'c', 'd'], 2);
	const first = new Error('first');
	await end('b', first);
	await end('a');
	expect([await done, begun]).toEqual([first, ['a at 0', 'b at 1']]);
});

it('ends at once where there is nothing to do', async () => {
	expect(await workshop([], 3).done).toBe('through');
});
