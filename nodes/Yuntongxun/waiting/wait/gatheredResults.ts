import type { CallResult } from '../../callbacks/callEvent';
import type { ParkedWait } from './parkedWait';

/** How long after its limit, or after the execution has resumed, a wait is forgotten, in milliseconds. */
const FORGOTTEN_AFTER_MS = 6 * 60_000;

/** What this process has gathered for a wait. */
export interface GatheredResults {
	readonly wait: ParkedWait;
	/** By `callSid`. */
	readonly results: Map<string, CallResult>;
	/** When the execution resumed, in milliseconds since 1970: n8n 1 lets more than one request in. */
	resumedAt?: number;
}

/** By the hash of the secret. No wait pushes out another one. */
const gatheredByHash = new Map<string, GatheredResults>();

/** What was gathered for a wait so far, at this moment in milliseconds since 1970. */
export function openWait(wait: ParkedWait, now: number): GatheredResults {
	for (const [hash, { wait: each, resumedAt = each.until }] of gatheredByHash) {
		if (now >= resumedAt + FORGOTTEN_AFTER_MS) gatheredByHash.delete(hash);
	}

	const gathered = gatheredByHash.get(wait.secretHash) ?? { wait, results: new Map() };
	gatheredByHash.set(wait.secretHash, gathered);
	return gathered;
}

/**
 * Takes a result, unless its call is not awaited or has one. One that does not say how the call ended
 * gives way to one that does.
 */
export function takeResult({ wait, results }: GatheredResults, result: CallResult): void {
	const { callSid } = result.callEvent;
	if (!wait.callSids.includes(callSid)) return;

	const isBetter = !saysHowItEnded(results.get(callSid)) && saysHowItEnded(result);
	if (isBetter || !results.has(callSid)) results.set(callSid, result);
}

/** Whether every awaited call has a result that says how it ended. */
export function isComplete({ wait, results }: GatheredResults): boolean {
	return wait.callSids.every((callSid) => callSid === null || saysHowItEnded(results.get(callSid)));
}

/** Whether a result has a known action or a state. Without both it counts only at the limit. */
function saysHowItEnded(result: CallResult | undefined): boolean {
	if (result === undefined) return false;
	const { event, state } = result.callEvent;
	return event !== 'other' || state !== '';
}
