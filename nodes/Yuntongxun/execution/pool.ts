/**
 * Starts work on each thing, in order, with at most `width` under way at the same time. After a
 * rejection nothing more is started.
 *
 * @returns when all work has ended
 * @throws the first rejection
 */
export async function pool<T>(
	things: readonly T[],
	width: number,
	work: (thing: T, position: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < things.length) {
			const position = next++;
			await work(things[position], position).catch((thrown: unknown) => {
				next = things.length;
				throw thrown;
			});
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, things.length) }, worker));
}
