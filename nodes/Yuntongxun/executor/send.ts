import { sleep } from 'n8n-workflow';

import type { Answer, Send } from '../client/client';
import type { Reservation, Reservations } from '../idempotency/reservations';
import type { TokenUsage } from '../operation/tokenUsage';
import { mapConcurrent } from '../util/concurrency';
import type { WaitingRun } from '../waiting/waitingRun';
import { buildUnrecordedError, buildUnsentError, findFacts } from './errors';
import { getAcceptance, hasFailed, isPlanned } from './model';
import type {
	DirectItem,
	Item,
	PlannedRequest,
	Recipient,
	RequestSettings,
	SentRequest,
} from './model';
import type { RateLimiter } from './rateLimiter';
import type { StopSignal } from './stopSignal';

/** How often a request is tried at most. */
export const MAX_TRIES = 4;

/** No try starts later than this after the first, in milliseconds. */
const RETRY_WITHIN_MS = 60_000;

/** Pause before the second try; it doubles each time. Jitter makes it 50 to 150 %. */
const FIRST_PAUSE_MS = 500;

/** How many requests to finish before yielding to the event loop. */
const YIELD_AFTER = 10;

/** What all requests of a run share. */
export interface SendTools {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Whether to carry on with the other items when one fails. */
	continues: boolean;
	limiter: RateLimiter;
	stop: StopSignal;
	reservations: Pick<Reservations, 'lock'>;
	tokenUsage: TokenUsage;
	waiting: Pick<WaitingRun, 'noteAccepted'>;
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
		// Skipped numbers do no I/O, so yield now and then; after the work, to keep the start order.
		if (done % YIELD_AFTER === 0) await sleep(0);
	});
}

/**
 * Sends one request of a message, and sets the status of its numbers. Never rejects.
 *
 * The lock keeps other requests from checking the same key or line until this one is over. Keys and
 * counts are recorded right before the request is sent. They are freed, before the lock is, only if
 * certainly nobody was reached: the service rejected the request with a code, or nothing was sent.
 * If the answer is lost or cannot be read (timeout, broken connection, a 5xx without a code of the
 * service), nobody knows: they stay, and nothing is sent again.
 */
async function sendRequest(request: PlannedRequest, tools: SendTools): Promise<void> {
	const { item, recipients } = request;
	const locking = tools.reservations.lock(
		recipients.map(({ number }) => number),
		item.guards,
	);
	const reservation = await tools.stop.waitUnlessStopped(locking);
	if (reservation === undefined) {
		void locking.then((late) => late.unlock());
		return;
	}
	try {
		const sent = await sendWithRetries(tools, {
			prepare: async () => await reserve(request, reservation),
			attempt: async () => await sendToPlanned(request, tools),
		});
		if (sent !== undefined) {
			for (const each of recipients.filter(isPlanned))
				each.status = { state: 'sent', request: sent };
		}
		stopAfterFailure(item, tools);
		if (sent === undefined || sent.accepted === 'no') await freeReserved(request, reservation);
	} finally {
		request.mayLeaveRecords = reservation.mayLeaveRecords;
		reservation.unlock();
	}
}

/** Builds the request for the numbers that are left, and sends it. Never rejects. */
async function sendToPlanned(
	{ item, recipients }: PlannedRequest,
	{ getClient, waiting }: SendTools,
): Promise<SentRequest> {
	const { route, settings, task } = item;
	const numbers = recipients.filter(isPlanned).map(({ number }) => number.text);
	const signed = route?.sign();
	const request = task.requestFor(numbers, signed?.respUrl);
	const sent = await toSentRequest(async () => await getClient(settings)(request));
	if (sent.ok && signed?.wait) waiting.noteAccepted(signed.wait, sent.answer.text('callSid'));
	return sent;
}

/** Sends, and tells what came of it. Never rejects. */
async function toSentRequest(send: () => Promise<Answer>): Promise<SentRequest> {
	try {
		return { ok: true, accepted: 'yes', answer: await send() };
	} catch (error) {
		const isOverloaded = findFacts(error).overload === true;
		return { ok: false, accepted: getAcceptance(error), error, isOverloaded };
	}
}

/** Records keys and counts, and marks skipped numbers. @returns whether any number is left */
async function reserve({ recipients }: PlannedRequest, reservation: Reservation): Promise<boolean> {
	const outcomes = await reservation.reserve();
	outcomes.forEach((outcome, position) => {
		if (!outcome.ok || outcome.skip === undefined) return;
		recipients[position].status = { state: 'skipped', skip: outcome.skip };
	});
	// One that n8n may not have recorded keeps the others from going out as well.
	const failed = outcomes.find((outcome) => !outcome.ok);
	if (failed) failPlanned(recipients, buildUnrecordedError(failed.error));
	return recipients.some(isPlanned);
}

/** Frees keys and counts, because certainly nobody was reached. */
async function freeReserved(
	{ recipients }: PlannedRequest,
	reservation: Reservation,
): Promise<void> {
	await reservation.release();
	// Numbers are still planned only if the run stopped before their request.
	if (reservation.mayLeaveRecords) failPlanned(recipients, buildUnsentError());
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
	let sentRequests = 0;
	let hasStopped = false;
	const send: Send = async (request) => {
		const client = tools.getClient(item.settings);
		const sent = await sendWithRetries(tools, {
			attempt: async () => await toSentRequest(async () => await client(request)),
		});
		if (sent === undefined) {
			hasStopped = true;
			throw new Error('The run stopped before this request');
		}
		sentRequests += 1;
		if (!sent.ok) throw sent.error;
		return sent.answer;
	};
	try {
		const outputs = await item.task.run(send, tools.tokenUsage);
		item.status = { state: 'done', outputs };
	} catch (error) {
		// Nothing has begun, so the item stays planned.
		if (hasStopped && sentRequests === 0) return;
		item.status = { state: 'failed', error, accepted: getAcceptance(error) };
		stopAfterFailure(item, tools);
	}
}

/** What is sent in a slot. */
interface Transmission {
	/** Runs while the pace pauses, before the first try. @returns whether there is something to send */
	prepare?(): Promise<boolean>;
	/** Never rejects. */
	attempt(): Promise<SentRequest>;
}

/**
 * Sends in a slot, and again in other slots only if the service certainly rejected it because of
 * load.
 *
 * @returns the outcome of the last try; undefined if none started
 */
async function sendWithRetries(
	{ limiter, stop }: SendTools,
	{ prepare, attempt }: Transmission,
): Promise<SentRequest | undefined> {
	let sent: SentRequest | undefined;
	let deadline = Infinity;
	for (let tries = 1; ; tries++) {
		const slot = await limiter.acquire();
		if (slot === undefined) return sent;

		let isOverloaded = false;
		try {
			// Reserving takes the database some time, so it goes on while the pace pauses.
			const preparing = tries === 1 && prepare ? prepare() : true;
			const [isReady] = await Promise.all([preparing, slot.pause()]);
			if (!isReady || stop.isStopped || Date.now() > deadline) return sent;

			slot.start();
			deadline = Math.min(deadline, Date.now() + RETRY_WITHIN_MS);
			sent = await attempt();
			isOverloaded = !sent.ok && sent.isOverloaded;
		} finally {
			slot.release(isOverloaded);
		}
		if (!isOverloaded || tries === MAX_TRIES) return sent;

		const isInTime = await pauseBeforeRetry(tries, deadline, stop);
		if (!isInTime) return sent;
	}
}

/** Pauses, unless there is no time for another try. @returns whether there is */
async function pauseBeforeRetry(
	tries: number,
	deadline: number,
	stop: StopSignal,
): Promise<boolean> {
	const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
	if (Date.now() + pause > deadline) return false;
	await stop.waitUnlessStopped(sleep(pause));
	return true;
}
