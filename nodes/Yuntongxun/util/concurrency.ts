import { sleep } from 'n8n-workflow';

/** After how many milliseconds of work to yield to the event loop. */
const YIELD_AFTER_MS = 20;

/** Maps a list without blocking the event loop. @throws what the work throws */
export async function mapYielding<Thing, Result>(
	things: Iterable<Thing>,
	work: (thing: Thing) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	let lastPause = Date.now();
	for (const thing of things) {
		results.push(work(thing));
		if (Date.now() - lastPause < YIELD_AFTER_MS) continue;
		await sleep(0);
		lastPause = Date.now();
	}
	return results;
}

/** Waits for work. @throws Error `timeout` if the deadline comes first, or what the work throws */
export async function withDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
	let giveUp = () => {};
	try {
		return await new Promise((resolve, reject) => {
			giveUp = () => reject(new Error('timeout'));
			deadline.addEventListener('abort', giveUp, { once: true });
			work.then(resolve, reject);
		});
	} finally {
		// The signal outlives a quick answer and would pin it in memory.
		deadline.removeEventListener('abort', giveUp);
	}
}

/** Waits for work. @throws Error `timeout` if it takes longer, or what the work throws */
export async function endInTime<T>(ms: number, work: Promise<T>): Promise<T> {
	// The timer of a signal keeps no process alive, and goes with it.
	return await withDeadline(AbortSignal.timeout(ms), work);
}
