import { sleep } from 'n8n-workflow';

/** How long, in milliseconds, the next call waits for the one before it to be parked, at most. */
const LONGEST_WAIT_MS = 15_000;
const PROBE_EVERY_MS = 50;

/** How long n8n takes to answer while it keeps up, in milliseconds. */
const QUICK_MS = 100;

let queue: Promise<unknown> = Promise.resolve();
let queued = 0;

/**
 * Lets the waiting calls of this process through one by one, at a pace at which n8n keeps up: n8n
 * takes a result only once it has parked the execution, and where many executions start at once it
 * falls behind with parking, so that results which come early are lost.
 *
 * @param call places the call, and asks n8n to park the execution once the node has returned
 * @param isParked whether n8n has parked it by now
 */
export async function oneByOne<T>(
	call: () => Promise<T>,
	isParked: () => Promise<boolean>,
): Promise<T> {
	const isAlone = queued === 0;
	queued++;
	const placed = queue
		.then(async () => {
			if (!isAlone) await keepingUp(isParked);
		})
		.then(call);
	queue = placed
		.finally(() => queued--)
		.then(async () => {
			if (queued > 0) await within(LONGEST_WAIT_MS, PROBE_EVERY_MS, isParked);
		})
		.catch(() => undefined);
	return await placed;
}

/**
 * Waits until n8n answers quickly, looking into its database for that. An execution that has not
 * called yet cannot be parked: one that seems to be cannot be asked about, and need not wait.
 */
async function keepingUp(isParked: () => Promise<boolean>): Promise<void> {
	await within(LONGEST_WAIT_MS, PROBE_EVERY_MS, async () => {
		const start = Date.now();
		return (await isParked()) || Date.now() - start < QUICK_MS;
	});
}

async function within(limit: number, pause: number, isDone: () => Promise<boolean>): Promise<void> {
	const end = Date.now() + limit;
	while (Date.now() < end && !(await isDone())) await sleep(pause);
}
