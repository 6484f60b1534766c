import type { IAllExecuteFunctions } from 'n8n-workflow';

import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { ACKNOWLEDGEMENT, REFUSALS } from '../callbacks/webhook';
import { withDeadline } from '../client/transport';

/*
 * What relay and waiting node say to each other: the relay delivers all results of one wait that it
 * has, and the waiting node, or n8n in its place, answers.
 */

/** Name of the one member of a delivery; no call event has it. */
const RESULTS = 'ytResults';

/** Maximum size of a delivery, in bytes: proxies often stop at 1 MB. */
const MAX_BYTES = 900_000;

/** Maximum time for an answer, in milliseconds: n8n may be busy with many executions. */
const TIMEOUT_MS = 20_000;

/** How the waiting node tells the relay where the wait stands. */
export interface WaitStatus {
	wait: 'waiting' | 'resuming' | 'over';
	/** For `waiting`: the results that are missing, by their keys. */
	missing?: string[];
	/** For `waiting`: when the limit passes, in milliseconds since 1970. */
	until?: number;
	/** For `waiting`: whether one answered call completes the wait. */
	firstAnswered?: boolean;
}

/** What an answer means, and what follows. */
export interface Meaning {
	means: string;
	/** Whether the results are done with, are to be delivered again, or wait for more of them. */
	then: 'done' | 'again' | 'wait';
	/** How many times in a row this is tried again; undefined for as long as the address is good. */
	maxTries?: number;
	/** Whether something else is at fault than an execution that is not parked yet. */
	isBroken?: boolean;
	/** What n8n's log is told, with the ids of execution and calls, and how loudly. */
	log?: readonly [level: 'info' | 'warn', text: string];
}

interface Answer extends Meaning {
	statuses: number[];
	says: RegExp;
}

const again = { then: 'again' } as const;
const done = { then: 'done' } as const;
const OVER = {
	...done,
	means: 'over',
	log: ['info', 'came after the execution had resumed'],
} as const;
const NOT_YET = { ...again, means: 'notYet' };
const REFUSED = {
	...done,
	means: 'refused',
	log: [
		'warn',
		"could not be delivered: n8n refused the address. Has the account's token changed?",
	],
} as const;

/**
 * The answers to a delivery; the first row that fits decides. n8n's own words are the same in 1.123
 * and 2.41, unless noted.
 */
const ANSWERS: readonly Answer[] = [
	{ statuses: [200], says: exactly(ACKNOWLEDGEMENT), ...done, means: 'taken' },
	{ statuses: [200], says: /^\{"wait":"waiting"/, then: 'wait', means: 'waiting' },
	{ statuses: [200], says: /^\{"wait":"resuming"/, ...NOT_YET },
	{ statuses: [200], says: /^\{"wait":"over"/, ...OVER },
	{ statuses: [403], says: exactly(REFUSALS.notSigned[1]), ...REFUSED },
	{ statuses: [401], says: /"error":\s*"Invalid token"/, ...REFUSED }, // 2.x
	{
		statuses: [404],
		says: /execution .*does not exist/,
		...done,
		means: 'deleted',
		log: ['info', 'came for an execution that n8n has deleted'],
	},
	{ statuses: [404], says: /does not contain a waiting webhook/, ...OVER },
	{ statuses: [404], says: /Could not find node to process webhook/, ...NOT_YET },
	{ statuses: [409], says: /finished/, ...OVER },
	{ statuses: [409], says: /running already/, ...NOT_YET },
	{ statuses: [408, 429, 500, 502, 503, 504], says: /^/, ...NOT_YET },
];

const UNEXPECTED_RESPONDER: Meaning = {
	...again,
	means: 'unexpectedResponder',
	isBroken: true,
	log: [
		'warn',
		"cannot be delivered yet: something that is not n8n answers at n8n's own public address",
	],
};

const UNREACHABLE: Meaning = {
	...again,
	means: 'unreachable',
	isBroken: true,
	log: [
		'warn',
		'cannot be delivered yet: n8n gets no answer at its own public address (WEBHOOK_URL)',
	],
};

/** n8n 1 never answers a late result where another waiting node stands further down. */
const TIMED_OUT: Meaning = { ...UNREACHABLE, means: 'timedOut', maxTries: 8 };

/** What follows when n8n did not answer for the last time. */
export const GIVEN_UP: Meaning = {
	...done,
	means: 'givenUp',
	log: ['warn', 'could not be delivered: n8n has not answered, time after time'],
};

/** What follows when a resume address has expired before n8n took the results. */
export const EXPIRED: Meaning = {
	...done,
	means: 'expired',
	log: ['warn', 'could not be delivered before its address expired'],
};

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** What an answer to a delivery means. */
export function meaningOf(statusCode: number, body: string): Meaning {
	const answer = ANSWERS.find(
		({ statuses, says }) => statuses.includes(statusCode) && says.test(body),
	);
	return answer ?? UNEXPECTED_RESPONDER;
}

/** Results in as many deliveries as it takes to keep each below the limit; one at least. */
export function deliveryBodies(results: Iterable<CallResult>, maxBytes = MAX_BYTES): string[] {
	const parts: string[][] = [[]];
	let left = maxBytes;
	for (const result of results) {
		const text = JSON.stringify(toRecord(result));
		const size = Buffer.byteLength(text) + 1;
		if (size > left && parts[parts.length - 1].length > 0) {
			parts.push([]);
			left = maxBytes;
		}
		parts[parts.length - 1].push(text);
		left -= size;
	}
	return parts.map((part) => `{"${RESULTS}":[${part.join(',')}]}`);
}

/** The results in a delivery of a relay; undefined if the body is none. @throws if it is cut off */
export function deliveredResults(body: Buffer): CallResult[] | undefined {
	const text = body.toString('utf8');
	if (!text.startsWith(`{"${RESULTS}":`)) return undefined;
	return (JSON.parse(text) as Record<string, ResultRecord[]>)[RESULTS].map(fromRecord);
}

/** What is needed to deliver, and to tell n8n's log of it. */
export type Sender = Pick<IAllExecuteFunctions, 'helpers' | 'logger'>;

/**
 * Delivers once. Never rejects.
 *
 * @param address signed resume address of the wait
 * @returns what came of it, and how the wait stands if the waiting node said so
 */
export async function deliver(
	{ helpers }: Pick<Sender, 'helpers'>,
	address: string,
	body: string,
): Promise<{ meaning: Meaning; status?: WaitStatus; detail: string }> {
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
		});
		const answer = (await withDeadline(
			// n8n's own time-out covers the beginning of an answer only.
			AbortSignal.timeout(2 * TIMEOUT_MS),
			request,
		)) as { statusCode: number; body: unknown };
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		const meaning = meaningOf(answer.statusCode, text);
		return {
			meaning,
			detail: `HTTP ${answer.statusCode}`,
			...(meaning.then === 'wait' && { status: JSON.parse(text) as WaitStatus }),
		};
	} catch (thrown) {
		return {
			meaning: Date.now() - begun < TIMEOUT_MS ? UNREACHABLE : TIMED_OUT,
			detail: thrown instanceof Error ? thrown.name : 'no answer',
		};
	}
}
