import type { IAllExecuteFunctions } from 'n8n-workflow';

import { withDeadline } from '../client/transport';
import { parseNotification } from './notification';
import type { ArrivedResult } from './waitDecision';
import { ACKNOWLEDGEMENT, REFUSAL_TEXTS } from './webhookReplies';

/** One result as the relay keeps it: when it came, in milliseconds since 1970, and its body. */
export type KeptResult = readonly [at: number, body: string];

/** Name of the one member of a hand-over; no notification has it. */
const RESULTS = 'ytResults';

/** Largest hand-over, in bytes: proxies often stop at 1 MB. */
const MOST_BYTES = 900_000;

/** Longest time for an answer, in milliseconds: n8n may be busy with many executions. */
const TIMEOUT_MS = 20_000;

/** How the waiting node tells the relay where the wait stands. */
export interface Standing {
	wait: 'waiting' | 'goingOn' | 'over';
	/** For `waiting`: the results that are missing, by their keys. */
	missing?: string[];
	/** For `waiting`: when the limit passes, in milliseconds since 1970. */
	until?: number;
	/** For `waiting`: whether one answered call ends the wait. */
	firstAnswered?: boolean;
}

/** What an attempt to hand over came to. */
export type HandOverEnd =
	/** The execution goes on with the results. */
	| 'taken'
	/** It waits, and some results are missing. */
	| 'waiting'
	/** n8n is not ready: the execution is not parked yet, or n8n is busy. */
	| 'notYet'
	/** The execution has gone on without these results, or has ended. */
	| 'over'
	/** The execution was deleted. */
	| 'deleted'
	/** n8n does not accept the address: the account's token has changed, or it has expired. */
	| 'refused'
	/** Something that is not n8n answered. */
	| 'stranger'
	/** Nothing answered in time. */
	| 'noAnswer';

interface Row {
	statuses: number[];
	says: RegExp;
	end: HandOverEnd;
}

/**
 * What each answer means; the first row that fits decides, and an answer that fits none comes from
 * a stranger. n8n's own words are the same in 1.123 and 2.41, unless noted.
 */
const ANSWERS: readonly Row[] = [
	{ statuses: [200], says: exactly(ACKNOWLEDGEMENT), end: 'taken' },
	{ statuses: [200], says: /^\{"wait":"waiting"/, end: 'waiting' },
	{ statuses: [200], says: /^\{"wait":"goingOn"/, end: 'notYet' },
	{ statuses: [200], says: /^\{"wait":"over"/, end: 'over' },
	{ statuses: [403], says: exactly(REFUSAL_TEXTS.notSigned), end: 'refused' },
	{ statuses: [401], says: /"error":\s*"Invalid token"/, end: 'refused' }, // 2.x
	{ statuses: [404], says: /execution .*does not exist/, end: 'deleted' },
	{ statuses: [404], says: /does not contain a waiting webhook/, end: 'over' },
	{ statuses: [404], says: /Could not find node to process webhook/, end: 'notYet' },
	{ statuses: [409], says: /finished/, end: 'over' },
	{ statuses: [409], says: /running already/, end: 'notYet' },
	{ statuses: [408, 429, 500, 502, 503, 504], says: /^/, end: 'notYet' },
];

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** What an answer to a hand-over means. */
export function endOf(statusCode: number, body: string): HandOverEnd {
	const row = ANSWERS.find(
		({ statuses, says }) => statuses.includes(statusCode) && says.test(body),
	);
	return row?.end ?? 'stranger';
}

/** Results in as many hand-overs as it takes to keep each below the limit. */
export function handOverBodies(results: readonly KeptResult[], mostBytes = MOST_BYTES): string[] {
	const parts: KeptResult[][] = [];
	let left = 0;
	for (const result of results) {
		const size = Buffer.byteLength(JSON.stringify(result)) + 1;
		if (parts.length === 0 || size > left) {
			parts.push([]);
			left = mostBytes - `{"${RESULTS}":[]}`.length;
		}
		parts[parts.length - 1].push(result);
		left -= size;
	}
	return parts.map((part) => JSON.stringify({ [RESULTS]: part }));
}

/** The results in a hand-over; undefined if the body is not one. */
export function handedOver(body: Buffer): ArrivedResult[] | undefined {
	const text = body.toString('utf8');
	if (!text.startsWith(`{"${RESULTS}":`)) return undefined;
	const results = (JSON.parse(text) as Record<string, KeptResult[]>)[RESULTS];
	return results.flatMap(([at, kept]) => {
		const notification = parseNotification(Buffer.from(kept));
		return notification ? [{ at, notification }] : [];
	});
}

/**
 * Hands results over once.
 *
 * @param address signed resume address of the wait
 * @returns what came of it, and how the wait stands if the waiting node said so
 */
export async function handOver(
	{ helpers }: Pick<IAllExecuteFunctions, 'helpers'>,
	address: string,
	body: string,
): Promise<{ end: HandOverEnd; standing?: Standing; detail: string }> {
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
		});
		const answer = (await withDeadline(
			// n8n's own time-out covers the beginning of an answer only.
			AbortSignal.timeout(2 * TIMEOUT_MS),
			request,
		)) as { statusCode: number; body: unknown };
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		const end = endOf(answer.statusCode, text);
		return {
			end,
			detail: `HTTP ${answer.statusCode}`,
			...(end === 'waiting' && { standing: JSON.parse(text) as Standing }),
		};
	} catch (thrown) {
		return { end: 'noAnswer', detail: thrown instanceof Error ? thrown.name : 'no answer' };
	}
}
