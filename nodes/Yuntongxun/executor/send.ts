import { sleep } from 'n8n-workflow';

import type { Answer, Send } from '../client/client';
import type { Reservation, Reservations } from '../idempotency/reservations';
import type { TokenUsage } from '../operation/tokenUsage';
import { mapConcurrent } from '../util/concurrency';
import type { WaitingRun } from '../waiting/waitingRun';
import { describeUnrecorded, describeUnsent, findFacts } from './errors';
import { getAcceptance, hasFailed } from './model';
import type {
	DirectItem,
	Item,
	PlannedRequest,
	Recipient,
	RequestSettings,
	SentRequest,
} from './model';
import { isPlanned } from './planRequests';
import type { RateLimiter } from './rateLimiter';
import type { StopSignal } from './stopSignal';

/** How often a request is sent at most, and within how many milliseconds. */
export const MAX_TRIES = 4;
const RETRY_WITHIN_MS = 60_000;

/** Pause before the second try; it doubles each time. Jitter makes it 50 to 150 %. */
const FIRST_PAUSE_MS = 500;

/** How many requests to finish before yielding to the event loop. */
const YIELD_AFTER = 10;

/** What all requests of a run share. */
export interface SendTools {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Whether the other items go on if one fails. */
	continues: boolean;
	limiter: RateLimiter;
	stop: StopSignal;
	reservations: Pick<Reservations, 'lock'>;
	tokenUsage: TokenUsage;
	waiting: Pick<WaitingRun, 'place'>;
	getClient(settings: RequestSettings): Send;
}

/** Sends everything that a run has to send, until the run stops. Never rejects. */
export async function sendAll(
	requests: readonly PlannedRequest[],
	direct: readonly DirectItem[],
	tools: SendTools,
): Promise<void> {
	const work = [
		...requests.map((request) => async () => await sendRequest(request, tools)),
		...direct.map((item) => async () => await runDirectTask(item, tools)),
	];
	let done = 0;
	await mapConcurrent(work, tools.concurrency, async (doWork) => {
		if (tools.stop.isStopped) return;
		await doWork();
		done += 1;
		// Skipped numbers await no I/O, so yield. After the work, to keep the start order.
		if (done % YIELD_AFTER === 0) await sleep(0);
	});
}

/**
 * Sends one request of a message, and sets the status of its numbers. Never rejects.
 *
 * The lock keeps other requests from judging the same key or line meanwhile. Keys and counts are
 * recorded right before the request is sent. They are freed, before the lock is, only if certainly
 * nobody was reached: the service rejected the request, or nothing was sent. After a timeout or a 5xx
 * nobody knows, so they stay, and nothing is sent again.
 */
async function sendRequest(request: PlannedRequest, tools: SendTools): Promise<void> {
	const { item, recipients } = request;
	const locking = tools.reservations.lock(recipients, item.guards);
	const reservation = await tools.stop.orStopped(locking);
	if (reservation === undefined) {
		void locking.then((late) => late.unlock());
		return;
	}
	try {
		const sent = await transmit(tools, {
			prepare: async () => await reserve(request, reservation),
			send: async () => await sendToPlanned(request, tools),
		});
		if (sent !== undefined) {
			for (const each of recipients.filter(isPlanned))
				each.status = { state: 'sent', request: sent };
		}
		stopAfterFailure(item, tools);
		if (sent === undefined || sent.accepted === 'no') await release(request, reservation);
	} finally {
		reservation.unlock();
	}
}

/** Builds the request for the numbers that are left, and sends it. Never rejects. */
async function sendToPlanned(
	{ item, recipients }: PlannedRequest,
	{ getClient, waiting }: SendTools,
): Promise<SentRequest> {
	const { route, settings, task } = item;
	const numbers = recipients.filter(isPlanned).map(({ to }) => to);
	const request = task.requestFor(numbers, route?.respUrl);
	const sent = await exchange(async () => await getClient(settings)(request));
	if (sent.ok && route?.wait) waiting.place(route.wait, { callSid: sent.answer.text('callSid') });
	return sent;
}

async function exchange(send: () => Promise<Answer>): Promise<SentRequest> {
	try {
		return { ok: true, accepted: 'yes', answer: await send() };
	} catch (error) {
		const isOverloaded = findFacts(error).overload === true;
		return { ok: false, accepted: getAcceptance(error), error, isOverloaded };
	}
}

/** Records keys and counts, and marks skipped numbers. @returns whether any number is left */
async function reserve({ recipients }: PlannedRequest, reservation: Reservation): Promise<boolean> {
	try {
		const skips = await reservation.reserve();
		recipients.forEach((recipient, position) => {
			const skip = skips[position];
			if (skip !== undefined) recipient.status = { state: 'skipped', skip };
		});
	} catch (error) {
		failPlanned(recipients, describeUnrecorded(error));
	}
	return recipients.some(isPlanned);
}

/** Frees keys and counts, because certainly nobody was reached. */
async function release(request: PlannedRequest, reservation: Reservation): Promise<void> {
	await reservation.release();
	request.isUncertain = reservation.isUncertain;
	if (request.isUncertain) failPlanned(request.recipients, describeUnsent());
}

function failPlanned(recipients: readonly Recipient[], error: Error): void {
	for (const each of recipients.filter(isPlanned)) each.status = { state: 'failed', error };
}

/** Stops the run if the item failed, unless the node continues. */
function stopAfterFailure(item: Item, { continues, stop }: SendTools): void {
	if (!continues && hasFailed(item)) stop.stop();
}

/** Does the work of an item that reaches nobody's phone. Never rejects. */
async function runDirectTask(item: DirectItem, tools: SendTools): Promise<void> {
	const begun = { any: false, last: true };
	const send: Send = async (request) => {
		const client = tools.getClient(item.settings);
		const sent = await transmit(tools, {
			prepare: async () => await Promise.resolve(true),
			send: async () => await exchange(async () => await client(request)),
		});
		begun.last = sent !== undefined;
		if (sent === undefined) throw new Error('The run stopped before this request');
		begun.any = true;
		if (!sent.ok) throw sent.error;
		return sent.answer;
	};
	try {
		const outputs = await item.task.run(send, tools.tokenUsage);
		item.status = { state: 'done', outputs };
	} catch (error) {
		if (!begun.last && !begun.any) return;
		item.status = { state: 'failed', error, accepted: getAcceptance(error) };
		stopAfterFailure(item, tools);
	}
}

/** What is sent in a slot. */
interface Transmission {
	/** Runs while the pace pauses, before the first try. @returns whether there is something to send */
	prepare(): Promise<boolean>;
	send(): Promise<SentRequest>;
}

/**
 * Sends in a slot, and tries again in other slots only while it is certainly rejected for load.
 *
 * @returns the outcome of the last try; undefined if none started
 */
async function transmit(
	{ limiter, stop }: SendTools,
	{ prepare, send }: Transmission,
): Promise<SentRequest | undefined> {
	let sent: SentRequest | undefined;
	let deadline = Infinity;
	for (let tries = 1; tries <= MAX_TRIES; tries++) {
		const slot = await limiter.acquire();
		if (slot === undefined) return sent;

		let isOverloaded = false;
		try {
			const [isReady] = await Promise.all([tries > 1 || prepare(), slot.pause()]);
			if (!isReady || stop.isStopped || Date.now() > deadline) return sent;

			slot.start();
			deadline = Math.min(deadline, Date.now() + RETRY_WITHIN_MS);
			sent = await send();
			isOverloaded = !sent.ok && sent.isOverloaded;
		} finally {
			slot.release(isOverloaded);
		}
		if (!isOverloaded || !(await pauseBeforeRetry(tries, deadline, stop))) return sent;
	}
	return sent;
}

/** @returns whether there is time for another try */
async function pauseBeforeRetry(
	tries: number,
	deadline: number,
	stop: StopSignal,
): Promise<boolean> {
	const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
	if (tries === MAX_TRIES || Date.now() + pause > deadline) return false;
	await stop.orStopped(sleep(pause));
	return true;
}
