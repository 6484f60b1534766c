import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { N8N_SAYS, postToOwnN8n } from '../callbacks/ownN8n';
import type { Sender } from '../callbacks/ownN8n';
import { ACKNOWLEDGEMENT, REJECTIONS } from '../callbacks/webhookExchange';
import type { WaitStatus } from './completion';

/*
 * How relay and waiting node talk: the relay delivers all results it has for a wait, and the waiting
 * node answers, or n8n in its place.
 */

const RESULTS = 'ytResults'; // names the results in a delivery; no call event has it
const MAX_BYTES = 900_000; // of results in a delivery: proxies often stop at 1 MB

/** What the waiting node answers to a relay, where the execution does not resume. */
export type WaitReply =
	| WaitStatus
	/** Another delivery resumes the execution right now. */
	| { wait: 'resuming' }
	/** The execution waits, but for something else. */
	| { wait: 'other' };

/** What an answer to a delivery means. */
export type DeliveryOutcome =
	/** The execution resumes with these results, or has ended or gone: nothing is left to deliver. */
	| 'finished'
	/**
	 * The execution is parked in another wait, so this one is over; unless n8n has just parked it:
	 * 1.123 with SQLite stores it in two steps, and in between it shows the wait before.
	 */
	| 'otherWait'
	/** The address is not accepted: nothing can be delivered to it. */
	| 'refused'
	/** The execution waits, and results are missing. */
	| 'waiting'
	/** n8n cannot take results right now. */
	| 'notYet'
	/** HTTP 500. 1.123: while it parks an execution. 2.41: permanently, if n8n crashed after resuming it. */
	| 'failed'
	/** Neither n8n nor a waiting node answers like this: a proxy, a log-in page, another server. */
	| 'unexpected'
	/** There is no connection. */
	| 'unreachable'
	/** There is no answer in time. */
	| 'timedOut';

/** An answer to a delivery, with its HTTP status or the name of the error for the log. */
export type DeliveryAnswer =
	| { outcome: 'waiting'; detail: string; status: WaitStatus }
	| { outcome: Exclude<DeliveryOutcome, 'waiting'>; detail: string };

/** Matches any body. */
const ANY_BODY = /^/;

/** Answers that are not a `WaitReply`, whoever gives them. The first row that fits decides. */
const ANSWERS: ReadonlyArray<
	[statuses: number[], says: RegExp, outcome: Exclude<DeliveryOutcome, 'waiting'>]
> = [
	[[200], exactly(ACKNOWLEDGEMENT), 'finished'],
	[[REJECTIONS.notSigned.status], exactly(REJECTIONS.notSigned.text), 'refused'],
	[[401], N8N_SAYS.invalidToken, 'refused'],
	[[404], N8N_SAYS.noExecution, 'finished'],
	[[404], N8N_SAYS.waitsElsewhere, 'otherWait'],
	[[404], N8N_SAYS.noNode, 'notYet'],
	[[409], N8N_SAYS.isFinished, 'finished'],
	[[409], N8N_SAYS.isRunning, 'notYet'],
	[[500], ANY_BODY, 'failed'],
	[[408, 429, 502, 503, 504], ANY_BODY, 'notYet'],
];

function exactly(text: string): RegExp {
	return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** What an answer to a delivery means. */
export function readDeliveryAnswer(statusCode: number, body: string): DeliveryAnswer {
	const detail = `HTTP ${statusCode}`;
	const reply = statusCode === 200 ? parseWaitReply(body) : undefined;
	switch (reply?.wait) {
		case 'waiting':
			return { outcome: 'waiting', detail, status: reply };
		case 'resuming':
			return { outcome: 'notYet', detail };
		case 'other':
			return { outcome: 'otherWait', detail };
		case undefined: {
			const row = ANSWERS.find(
				([statuses, says]) => statuses.includes(statusCode) && says.test(body),
			);
			return { outcome: row?.[2] ?? 'unexpected', detail };
		}
	}
}

/** Reads an answer of the waiting node; undefined if it is not one, or was cut off. */
function parseWaitReply(body: string): WaitReply | undefined {
	try {
		const reply: unknown = JSON.parse(body);
		return isWaitReply(reply) ? reply : undefined;
	} catch {
		return undefined;
	}
}

function isWaitReply(reply: unknown): reply is WaitReply {
	const { wait, missing, until, firstAnswered } = Object(reply) as Record<string, unknown>;
	switch (wait) {
		case 'waiting':
			return (
				Array.isArray(missing) &&
				missing.every((id) => typeof id === 'string') &&
				typeof until === 'number' &&
				typeof firstAnswered === 'boolean'
			);
		case 'resuming':
		case 'other':
			return true;
		default:
			return false;
	}
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

/** The results in a delivery of a relay, and whether more follow at once. */
interface RelayedResults {
	results: CallResult[];
	more: boolean;
}

/**
 * Reads a delivery of a relay. Its beginning tells it from a notification, even if the rest was cut
 * off.
 *
 * @returns undefined if the body is not such a delivery
 * @throws SyntaxError if the rest cannot be read
 */
export function readDelivery(body: Buffer): RelayedResults | undefined {
	const text = body.toString('utf8');
	if (!text.startsWith(`{"${RESULTS}":`)) return undefined;
	const delivery = parseDelivery(text);
	// The log shows the message, so it has no word of the body, which has numbers.
	if (!delivery) throw new SyntaxError('it was cut off or spoilt on its way');
	return delivery;
}

function parseDelivery(text: string): RelayedResults | undefined {
	try {
		const delivery = JSON.parse(text) as { [RESULTS]: ResultRecord[]; more: boolean };
		return { results: delivery[RESULTS].map(fromRecord), more: delivery.more };
	} catch {
		return undefined;
	}
}

/**
 * Delivers once. Never rejects.
 *
 * @param address signed resume address of the wait
 */
export async function deliver(
	sender: Sender,
	address: string,
	body: string,
): Promise<DeliveryAnswer> {
	const result = await postToOwnN8n(sender, address, body);
	return result.kind === 'answered'
		? readDeliveryAnswer(result.statusCode, result.body)
		: { outcome: result.kind, detail: result.errorName };
}
