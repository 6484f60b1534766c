import { sleep } from 'n8n-workflow';

import type { WaitingRun } from '../waiting/waitingRun';
import type { Answer, Send } from '../client/client';
import type { TokenUsage } from '../operation/tokenUsage';
import type { Reservation, Reservations } from '../idempotency/reservations';
import { mapConcurrent, settle } from '../util/concurrency';
import { acceptedBy } from './item';
import type { Item, NumberResult, Outcome, ReadyItem } from './item';
import { factsOf } from './itemFailure';
import { resultOf } from './itemResult';
import type { PlannedRequest, Recipient } from './planRequests';
import type { RateLimiter } from './rateLimiter';

/** Most starts of one request, and the milliseconds within which they fall. */
export const MAX_TRIES = 4;
export const RETRY_WITHIN_MS = 60_000;

/** How many requests end before the event loop goes on. */
const YIELD_AFTER = 10;

/** Before the second try; each further pause is twice as long. Jitter makes it half to one and a half. */
const FIRST_PAUSE_MS = 500;

/** What all requests of a run share. */
export interface SendTools {
	/** Stopped by {@link SendTools.fail}, or by the user. */
	limiter: RateLimiter;
	/** To call when an item fails: the run stops unless the node continues. */
	fail(): void;
	clientFor(item: Pick<ReadyItem, 'format' | 'timeout'>): Send;
	/** Undefined where no number has a key or a limit. */
	reservations?: Reservations;
	/** Undefined where all items send messages. */
	tokenUsage?: TokenUsage;
	waiting: Pick<WaitingRun, 'place'>;
}

/** Does all that a run has to do, requests first, until the run stops. Never rejects. */
export async function sendAll(
	requests: readonly PlannedRequest[],
	items: readonly Item[],
	concurrency: number,
	tools: SendTools,
): Promise<void> {
	let done = 0;
	await mapConcurrent([...requests, ...items], concurrency, async (work) => {
		if (tools.limiter.isStopped) return;
		if (Array.isArray(work)) await sendRequest(work, tools);
		else await completeOwnWork(work, tools);
		// What a used-up limit leaves out waits for nothing, and would hold up the event loop. Behind
		// the work, so that it begins in order.
		if (++done % YIELD_AFTER === 0) await sleep(0);
	});
}

/**
 * Sends one request: locks what its numbers must not share with others, waits for a slot, reserves,
 * sends, and sends again only what was certainly refused for load. What certainly reached nobody is
 * released before the lock is. The results of its numbers go into their items. Never rejects.
 */
async function sendRequest(recipients: PlannedRequest, tools: SendTools): Promise<void> {
	const { fail, limiter, waiting } = tools;
	const reservation = await tools.reservations?.lock(recipients);
	const send = async () => {
		const [{ item }] = recipients;
		const { route, task } = item.ready;
		const numbers = recipients.filter(isServed).map(({ to }) => to);
		const request = task.requestFor(numbers, route?.respUrl);
		const answer = await tools.clientFor(item.ready)(request);
		if (route?.wait) waiting.place(route.wait, { callSid: answer.text('callSid') });
		return answer;
	};
	const prepare = reservation && (async () => await reserve(recipients, reservation, fail));
	const outcome = await transmit(limiter, send, prepare);
	if (outcome) noteOutcome(recipients, outcome, fail);
	if (!outcome || acceptedBy(outcome) === 'no') await reservation?.release();
	reservation?.unlock();
}

/** Does an item's own work, each of its requests in a slot of its own. Never rejects. */
async function completeOwnWork(item: Item, tools: SendTools): Promise<void> {
	const { ready } = item;
	if (ready?.task.kind !== 'direct' || !tools.tokenUsage) return;
	let isSent = false;
	let isStopped = false;
	const send: Send = async (request) => {
		const outcome = await transmit(
			tools.limiter,
			async () => await tools.clientFor(ready)(request),
		);
		isStopped = outcome === undefined;
		if (outcome === undefined) throw new Error('The run stopped before this request');
		isSent = true;
		if ('thrown' in outcome) throw outcome.thrown;
		return outcome.value;
	};
	const outcome = await settle(ready.task.run(send, tools.tokenUsage));
	if ('thrown' in outcome && isStopped && !isSent) return;
	item.outcome = { ...outcome, isSent: true };
	if ('thrown' in outcome) tools.fail();
}

/**
 * Sends a request in a slot, and again in other slots while it is refused for load.
 *
 * @param prepare called right before the first start; it says whether there is something to send
 * @returns what became of it; undefined if it never started
 */
async function transmit(
	limiter: RateLimiter,
	send: () => Promise<Answer>,
	prepare = async () => true,
): Promise<Outcome<Answer> | undefined> {
	let outcome: Outcome<Answer> | undefined;
	let deadline = Infinity;
	for (let tries = 1; ; tries++) {
		const slot = await limiter.acquire();
		if (slot === undefined) return outcome;
		const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
		const isReady = tries === 1 ? await prepare() : Date.now() <= deadline;
		if (!isReady || limiter.isStopped) {
			slot.release(false);
			return outcome;
		}
		slot.start();
		deadline = Math.min(deadline, Date.now() + RETRY_WITHIN_MS);
		outcome = { ...(await settle(send())), isSent: true };
		const overloaded = 'thrown' in outcome && factsOf(outcome.thrown).overload === true;
		slot.release(overloaded);
		if (!overloaded || tries === MAX_TRIES || Date.now() + pause > deadline) return outcome;
		await sleep(pause);
	}
}

const isServed = ({ refusal }: Recipient): boolean => refusal === undefined;

/** Reserves what the numbers need. Those that are left out learn it at once. */
async function reserve(
	recipients: PlannedRequest,
	reservation: Reservation,
	fail: () => void,
): Promise<boolean> {
	const reserved = await settle(reservation.reserve());
	if ('thrown' in reserved) {
		noteOutcome(recipients, { ...reserved, isSent: false }, fail);
		return false;
	}
	recipients.forEach((recipient, at) => {
		const refusal = reserved.value[at];
		recipient.refusal = refusal;
		if (refusal) note(recipient, refusal, fail);
	});
	return recipients.some(isServed);
}

function noteOutcome(recipients: PlannedRequest, outcome: Outcome<Answer>, fail: () => void): void {
	if ('thrown' in outcome) fail();
	for (const recipient of recipients.filter(isServed)) note(recipient, outcome, fail);
}

/** Notes what became of a number. An item all of whose numbers are left out can fail by that. */
function note({ item, to }: Recipient, result: NumberResult, fail: () => void): void {
	item.results.set(to, result);
	const isKnown = item.results.size === item.ready.task.recipients.length;
	if (isKnown && 'reason' in result && resultOf(item, true).failure) fail();
}
