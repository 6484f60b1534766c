import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
	/** How long to keep asking, in milliseconds, on a machine that is not busy; default 30,000. */
	timeoutMs?: number;
	/** Pause between two questions, in milliseconds; default 100. */
	everyMs?: number;
}

/** How much longer a busy machine takes: set by jest.config.js. */
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1);

/**
 * Asks again and again until there is an answer.
 *
 * @param what is awaited, for the message if it never comes
 * @param ask returns undefined for "not yet"; if it throws, the wait ends
 * @returns the first answer that is not undefined
 * @throws Error that names `what` once the time is over
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined> | T | undefined,
	{ timeoutMs = 30_000, everyMs = 100 }: UntilOptions = {},
): Promise<T> {
	const deadline = Date.now() + timeoutMs * PATIENCE;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${timeoutMs / 1000} s in vain for: ${what}`);
		}
		await sleep(everyMs);
	}
}
