import type { IAllExecuteFunctions } from 'n8n-workflow';

import { fromRecord, isAnswered, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { ACKNOWLEDGEMENT, REFUSALS } from '../callbacks/webhook';
import { withDeadline } from '../util/deadline';

/*
 * What relay and waiting node say to each other: the relay delivers all results of one wait that it
 * has, and the waiting node, or n8n in its place, answers.
 */

const RESULTS = 'ytResults'; // names the results in a delivery; no call event has it
const MAX_BYTES = 900_000; // of results in a delivery: proxies often stop at 1 MB
const TIMEOUT_MS = 20_000; // for an answer: n8n may be busy with many executions

/** How the waiting node tells the relay where the wait stands. */
export interface WaitStatus {
	wait: 'waiting';
	/** The results that are missing, by their keys. */
	missing: string[];
	/** When the limit passes, in milliseconds since 1970. */
	until: number;
	/** Whether one answered call completes the wait. */
	firstAnswered: boolean;
}

/** Whether nothing is missing any more, or the first answered call is enough and has come. */
export function isComplete(
	{ missing, firstAnswered }: WaitStatus,
	results: ReadonlyMap<string, CallResult>,
): boolean {
	const came = missing.flatMap((key) => results.get(key) ?? []);
	const isEnough = firstAnswered && came.some(({ callEvent }) => isAnswered(callEvent));
	return isEnough || came.length === missing.length;
}

/**
 * What an answer means. After `over` and `refused` the results are dropped, and after `otherWait`
 * unless n8n has just parked the execution: 1.123 with SQLite stores that in two steps, and in
 * between it shows the wait before.
 */
export type Meaning =
	'over' | 'otherWait' | 'refused' | 'waiting' | 'notYet' | 'noN8n' | 'timedOut';

/**
 * The answers to a delivery; the first row that fits decides. n8n's own words are the same in 1.123
 * and 2.41, unless noted.
 */
const ANSWERS: ReadonlyArray<[statuses: number[], says: RegExp, means: Meaning]> = [
	[[200], exactly(ACKNOWLEDGEMENT), 'over'],
	[[200], /^\{"wait":"waiting","missing":\[/, 'waiting'],
	[[200], /^\{"wait":"resuming"/, 'notYet'],
	[[200], /^\{"wait":"over"/, 'otherWait'],
	[[403], exactly(REFUSALS.notSigned[1]), 'refused'],
	[[401], /"error":\s*"Invalid token"/, 'refused'], // 2.x
	[[404], /execution .*does not exist/, 'over'],
	[[404], /does not contain a waiting webhook/, 'otherWait'],
	[[404], /Could not find node to process webhook/, 'notYet'],
	[[409], /finished/, 'over'],
	[[409], /running already/, 'notYet'],
	[[408, 429, 500, 502, 503, 504], /^/, 'notYet'],
];

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** What an answer to a delivery means. */
export function meaningOf(statusCode: number, body: string): Meaning {
	const row = ANSWERS.find(([statuses, says]) => statuses.includes(statusCode) && says.test(body));
	return row?.[2] ?? 'noN8n';
}

/** Results in as many bodies as it takes to keep each below the limit; one at least. */
export function deliveryBodies(results: Iterable<CallResult>): string[] {
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
 * Reads a delivery of a relay: its results, and whether more of them follow at once.
 *
 * @returns undefined if the body is none
 * @throws SyntaxError if it is cut off
 */
export function readDelivery(body: Buffer): { results: CallResult[]; more: boolean } | undefined {
	const text = body.toString('utf8');
	if (!text.startsWith(`{"${RESULTS}":`)) return undefined;
	const delivery = JSON.parse(text) as { [RESULTS]: ResultRecord[]; more: boolean };
	return { results: delivery[RESULTS].map(fromRecord), more: delivery.more };
}

/** What is needed to deliver, and to tell n8n's log of it. */
export type Sender = Pick<IAllExecuteFunctions, 'helpers' | 'logger'>;

/**
 * Delivers once. Never rejects.
 *
 * @param address signed resume address of the wait
 * @returns what the answer means, its HTTP status or the name of what was thrown, and where the wait
 * stands if the waiting node said so
 */
export async function deliver(
	{ helpers }: Sender,
	address: string,
	body: string,
): Promise<{ means: Meaning; detail: string; status?: WaitStatus }> {
	const begun = Date.now();
	try {
		const request = helpers.httpRequest({
			url: address,
			method: 'POST',
			body,
			// n8n would parse JSON and XML by itself, and answer 422 where it cannot.
			headers: { 'Content-Type': 'text/plain; charset=utf-8' },
			timeout: TIMEOUT_MS,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: string }>;
		// n8n's own time-out covers the beginning of an answer only.
		const answer = await withDeadline(AbortSignal.timeout(2 * TIMEOUT_MS), request);
		const means = meaningOf(answer.statusCode, answer.body);
		const status = means === 'waiting' ? (JSON.parse(answer.body) as WaitStatus) : undefined;
		return { means, detail: `HTTP ${answer.statusCode}`, status };
	} catch (thrown) {
		const means = Date.now() - begun < TIMEOUT_MS ? 'noN8n' : 'timedOut';
		return { means, detail: thrown instanceof Error ? thrown.name : 'no answer' };
	}
}
