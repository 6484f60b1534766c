import { parseJson } from '../util/text';

/*
 * How results get from the trigger that takes them to the execution that waits for them: the trigger
 * posts them in an envelope to the resume address, as they were delivered, and the waiting
 * node answers what that means for the wait.
 */

/** A notification on its way to a waiting execution. */
export interface DeliveredResult {
	/** The text that the service delivered, one notification or several. */
	readonly body: string;
	/** When it first reached n8n, in milliseconds since 1970. */
	readonly receivedAt: number;
}

/** What the waiting node answers where it does not acknowledge: that says that the wait is over. */
export type DeliveryAnswer =
	/** The results are taken, and the wait goes on: its limit passes in so many milliseconds. */
	| { wait: 'waiting'; leftMs: number }
	/** The execution waits for something else: another node of it, or another run of this one. */
	| { wait: 'other' };

/** The member that holds the results. No notification begins with it. */
const RESULTS = 'ytResults';

/** Puts results into an envelope. Without any, it ends a wait whose limit has passed. */
export function writeEnvelope(results: readonly DeliveredResult[]): string {
	const entries = results.map(({ body, receivedAt }) => ({ receivedAt, body }));
	return JSON.stringify({ [RESULTS]: entries });
}

/** Whether a body is an envelope, even if the rest of it was cut off. */
export function isEnvelope(body: Buffer): boolean {
	return body.subarray(0, 64).toString('utf8').startsWith(`{"${RESULTS}":`);
}

/**
 * Reads an envelope. A result that came in the future, by a clock that was set since, came now.
 *
 * @param now milliseconds since 1970
 * @returns undefined if it is broken
 */
export function readEnvelope(body: Buffer, now: number): DeliveredResult[] | undefined {
	const { [RESULTS]: entries } = Object(parseJson(body.toString('utf8'))) as Record<
		string,
		unknown
	>;
	if (!Array.isArray(entries) || !entries.every(isDeliveredResult)) return undefined;
	return entries.map(({ body: text, receivedAt }) => {
		return { body: text, receivedAt: Math.min(receivedAt, now) };
	});
}

function isDeliveredResult(entry: unknown): entry is DeliveredResult {
	const { body, receivedAt } = Object(entry) as Record<string, unknown>;
	return typeof body === 'string' && typeof receivedAt === 'number';
}
