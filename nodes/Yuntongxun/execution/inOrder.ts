/**
 * Begins one piece of work after the other, in order, with some under way at the same time. After
 * one that rejects no further one is begun.
 *
 * @param width how many are under way at the same time, at most
 * @returns when all are through
 * @throws what the first of them rejected with
 */
export async function beginInOrder<T>(
	things: readonly T[],
	width: number,
	begin: (thing: T, position: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const work = async () => {
		while (next < things.length) {
			const position = next++;
			await begin(things[position], position).catch((thrown: unknown) => {
				next = things.length;
				throw thrown;
			});
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, things.length) }, work));
}
