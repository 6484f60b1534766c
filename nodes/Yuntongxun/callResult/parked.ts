import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { deliverToResume } from './resume';

/** What stands in for an answer, in milliseconds, where this n8n cannot reach its own address. */
const BLIND_PAUSE_MS = 300;

/** How long, in milliseconds, an address that could not be reached is not tried again. */
const BLIND_FOR_MS = 10 * 60_000;

/** HTTP status of n8n, or of what stands before it, while it is busy with the execution. */
const NOT_YET = [409, 429, 500, 502, 503, 504];

let blindUntil = 0;

/** Once n8n has answered at its own address, silence means that it is busy. */
let hasAnswered = false;

/**
 * Whether n8n has parked the execution that an address resumes, or has gone on and ended since. It
 * is asked with an empty delivery, which resumes nothing: n8n itself answers until the execution is
 * parked, then this node does. What answers anything else cannot be asked, and counts as a yes.
 */
export async function isParked(context: IExecuteFunctions, url: string): Promise<boolean> {
	try {
		if (Date.now() < blindUntil) return await afterBlindPause();
		const { statusCode, hasFinished } = await deliverToResume(context, {
			url,
			body: ' ',
			headers: { 'Content-Type': 'text/plain' },
			timeout: 5000,
		});
		hasAnswered = true;
		return hasFinished || !NOT_YET.includes(statusCode);
	} catch {
		if (hasAnswered) return false;
		blindUntil = Date.now() + BLIND_FOR_MS;
		return await afterBlindPause();
	}
}

async function afterBlindPause(): Promise<boolean> {
	await sleep(BLIND_PAUSE_MS);
	return true;
}
