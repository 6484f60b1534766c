import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { ACKNOWLEDGEMENT, REJECTIONS } from '../callbacks/webhook';
import type { WaitStatus } from './completion';
import { N8N_SAYS, postToOwnN8n } from './ownN8n';
import type { Sender } from './ownN8n';

/*
 * How relay and waiting node talk: the relay delivers all results it has for a wait, and the waiting
 * node answers, or n8n in its place.
 */

const RESULTS = 'ytResults'; // names the results in a delivery; no call event has it
const MAX_BYTES = 900_000; // of results in a delivery: proxies often stop at 1 MB

/**
 * What an answer means. The results are dropped after `over` and `refused`, and after `otherWait`
 * unless n8n has just parked the execution: 1.123 with SQLite stores it in two steps, and in between
 * it shows the wait before.
 */
export type DeliveryOutcome =
	'over' | 'otherWait' | 'refused' | 'waiting' | 'notYet' | 'failed' | 'unreachable' | 'timedOut';

/** The answers to a delivery; the first row that fits decides. */
const ANSWERS: ReadonlyArray<[statuses: number[], says: RegExp, outcome: DeliveryOutcome]> = [
	[[200], exactly(ACKNOWLEDGEMENT), 'over'],
	[[200], /^\{"wait":"waiting","missing":\[/, 'waiting'],
	[[200], /^\{"wait":"resuming"/, 'notYet'],
	[[200], /^\{"wait":"over"/, 'otherWait'],
	[[403], exactly(REJECTIONS.notSigned[1]), 'refused'],
	[[401], N8N_SAYS.invalidToken, 'refused'],
	[[404], N8N_SAYS.noExecution, 'over'],
	[[404], N8N_SAYS.waitsElsewhere, 'otherWait'],
	[[404], N8N_SAYS.noNode, 'notYet'],
	[[409], N8N_SAYS.isFinished, 'over'],
	[[409], N8N_SAYS.isRunning, 'notYet'],
	// While 1.123 parks an execution, and on 2.41 for ever after a crash that followed its resume.
	[[500], /^/, 'failed'],
	[[408, 429, 502, 503, 504], /^/, 'notYet'],
];

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** What an answer to a delivery means. */
export function getDeliveryOutcome(statusCode: number, body: string): DeliveryOutcome {
	const row = ANSWERS.find(([statuses, says]) => statuses.includes(statusCode) && says.test(body));
	return row?.[2] ?? 'unreachable';
}

/** Splits results into bodies below the size limit; there is always at least one. */
export function buildDeliveryBodies(results: Iterable<CallResult>): string[] {
	const parts: ResultRecord[][] = [[]];
	let size = 0;
	for (const record of [...results].map(toRecord)) {
		const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
		if (size > 0 && size + bytes > MAX_BYTES) {
			parts.push([]);
			size = 0;
		}
		parts[parts.length - 1].push(record);
		size += bytes;
	}
	return parts.map((part, at) => JSON.stringify({ [RESULTS]: part, more: at < parts.length - 1 }));
}

/**
 * Reads a delivery of a relay: its results, and whether more follow at once.
 *
 * @returns undefined if the body is not such a delivery
 * @throws SyntaxError if it is cut off
 */
export function readDelivery(body: Buffer): { results: CallResult[]; more: boolean } | undefined {
	const text = body.toString('utf8');
	if (!text.startsWith(`{"${RESULTS}":`)) return undefined;
	const delivery = JSON.parse(text) as { [RESULTS]: ResultRecord[]; more: boolean };
	return { results: delivery[RESULTS].map(fromRecord), more: delivery.more };
}

/**
 * Delivers once. Never rejects.
 *
 * @param address signed resume address of the wait
 * @returns what the answer means, its HTTP status or the name of the error, and the status of the wait
 * if the waiting node gave it
 */
export async function deliver(
	sender: Sender,
	address: string,
	body: string,
): Promise<{ outcome: DeliveryOutcome; detail: string; status?: WaitStatus }> {
	const result = await postToOwnN8n(sender, address, body);
	switch (result.kind) {
		case 'answered': {
			const outcome = getDeliveryOutcome(result.statusCode, result.body);
			const status = outcome === 'waiting' ? (JSON.parse(result.body) as WaitStatus) : undefined;
			return { outcome, detail: `HTTP ${result.statusCode}`, status };
		}
		case 'timedOut':
			return { outcome: 'timedOut', detail: result.errorName };
		case 'unreachable':
			return { outcome: 'unreachable', detail: result.errorName };
	}
}
