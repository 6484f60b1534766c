import { sleep } from 'n8n-workflow';

/**
 * Lets the waiting calls of this process through at a pace at which n8n keeps up. n8n takes a
 * result only once it has parked the execution; where many executions start at once, it falls
 * behind with parking, and results that come early are lost.
 */
const PROBE_MS = 20;
const CALM_MS = 15;
const LONGEST_WAIT_MS = 30_000;

let queue: Promise<unknown> = Promise.resolve();

/** Runs the work when those before it are through and n8n is calm. */
export async function whenCalm<T>(work: () => Promise<T>): Promise<T> {
	const result = queue.then(calm).then(work);
	queue = result.catch(() => undefined);
	return await result;
}

/** Waits until timers come on time again, which they do not while n8n is busy. */
async function calm(): Promise<void> {
	const end = Date.now() + LONGEST_WAIT_MS;
	for (let late = Infinity; late > CALM_MS && Date.now() < end;) {
		const start = Date.now();
		await sleep(PROBE_MS);
		late = Date.now() - start - PROBE_MS;
	}
}
