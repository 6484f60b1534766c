import { settle } from './settle';

/**
 * Works on each thing, started in order, with at most `concurrency` in flight at the same time.
 * After a rejection nothing more is started.
 *
 * @param things may be made while they are asked for
 * @returns the results, in the order of the things, when all work has ended
 * @throws the first rejection
 */
export async function mapConcurrent<Thing, Result>(
	things: Iterable<Thing>,
	concurrency: number,
	work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
	const iterator = things[Symbol.iterator]();
	const results: Result[] = [];
	let started = 0;
	let isStopped = false;
	const worker = async () => {
		while (!isStopped) {
			const { done, value } = iterator.next();
			if (done) return;
			const position = started++;
			const settled = await settle(work(value));
			if ('thrown' in settled) {
				isStopped = true;
				throw settled.thrown;
			}
			results[position] = settled.value;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return results;
}
