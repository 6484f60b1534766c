import { sleep } from 'n8n-workflow';

import type { Answer, Send } from '../client/request';
import type { Reservation, Reservations } from '../idempotency/reservations';
import { workConcurrently } from '../util/concurrency';
import type { WaitingRun } from '../waiting/waitingRun';
import { buildHangingError, buildUnrecordedError, buildUnsentError } from './errors';
import {
	findAcceptance,
	getAcceptance,
	getUnskipped,
	hasFailed,
	isOpen,
	isOverload,
} from './model';
import type { MessageRequest, SentFate } from './model';
import type { RateLimiter } from './rateLimiter';
import type { StopSignal } from './stopSignal';

/** How often a request is tried at most. */
const MAX_TRIES = 4;

/** No try starts later than this after the first, in milliseconds. */
const RETRY_WITHIN_MS = 60_000;

/** Pause before the second try; it doubles each time. Jitter makes it 50 to 150 %. */
const FIRST_PAUSE_MS = 500;

/** How many requests to finish before yielding to the event loop. */
const YIELD_AFTER_REQUESTS = 10;

/** What all requests of a run share. */
export interface SendTools {
	/** Maximum number of requests under way. */
	concurrency: number;
	/** Whether to carry on with the other items when one fails. */
	continues: boolean;
	limiter: Pick<RateLimiter, 'start' | 'startAgain'>;
	stop: StopSignal;
	reservations: Pick<Reservations, 'lock'>;
	/** Only where results can be waited for. */
	waiting?: Pick<WaitingRun, 'recordPlacedCall'>;
	getClient(timeout: number): Send;
}

/** Sends the requests of a run, until the run stops. Never rejects. */
export async function sendAll(
	requests: readonly MessageRequest[],
	tools: SendTools,
): Promise<void> {
	const { stop } = tools;
	let done = 0;
	await workConcurrently(requests, tools.concurrency, async (request) => {
		if (stop.isStopped) return;
		await sendRequest(request, tools);
		done += 1;
		// Skipped numbers do no I/O, so yield now and then; after the work, to keep the start order.
		if (done % YIELD_AFTER_REQUESTS === 0) await sleep(0);
	});
	if (!tools.continues || !stop.isServiceHanging) return;
	for (const request of requests.filter(isOpen)) {
		request.fate = { state: 'unsent', error: buildHangingError() };
	}
}

/**
 * Sends one request, and sets its fate. Never rejects.
 *
 * The lock keeps other requests from checking the same key or line until this one is over. Keys and
 * counts are recorded right before the request is sent. They are freed, before the lock is, only if
 * certainly nobody was reached: the service rejected the request with a code, or nothing was sent.
 * If the answer is lost or cannot be read (timeout, broken connection, a 5xx without a code of the
 * service), nobody knows: they stay, and nothing is sent again.
 */
async function sendRequest(request: MessageRequest, tools: SendTools): Promise<void> {
	const { item, recipients } = request;
	const { limiter, reservations, stop } = tools;
	const locking = reservations.lock(
		recipients.map(({ number }) => number),
		item.guards,
	);
	const reservation = await stop.waitUnlessStopped(locking, (late) => late.unlock());
	if (reservation === undefined) return;
	try {
		const isStarted = await limiter.start(async () => await reserve(request, reservation));
		if (isStarted) {
			request.fate = await sendUntilTaken(
				async () => await sendOnce(request, tools),
				async (pauseMs) => await startAgain(request, limiter, pauseMs),
			);
			stop.noteEnd(getAcceptance(request) === 'unknown');
		}
		if (!tools.continues && hasFailed(item)) stop.stop();
		if (getAcceptance(request) === 'no') await free(request, reservation);
	} finally {
		request.mayLeaveRecords = reservation.mayLeaveRecords;
		reservation.unlock();
	}
}

/** Records keys and counts, and marks skipped numbers. @returns whether there is anything to send */
async function reserve(request: MessageRequest, reservation: Reservation): Promise<boolean> {
	const outcomes = await reservation.reserve();
	outcomes.forEach((outcome, position) => {
		if (outcome.ok) request.recipients[position].skip = outcome.skip;
	});
	// One that n8n may not have recorded keeps the others from going out as well.
	const failed = outcomes.find((outcome) => !outcome.ok);
	if (failed) request.fate = { state: 'unsent', error: buildUnrecordedError(failed.error) };
	return isOpen(request);
}

/** Builds the request for the numbers that are left, and sends it. Never rejects. */
async function sendOnce(
	request: MessageRequest,
	{ getClient, waiting }: SendTools,
): Promise<SentFate> {
	const { route, task, timeout } = request.item;
	const content = task.requestFor(getUnskipped(request), route?.buildUrl());
	const fate = await toSentFate(getClient(timeout)(content));
	if (fate.state === 'accepted') {
		waiting?.recordPlacedCall(fate.answer.text(task.id), route?.wait);
	}
	return fate;
}

async function startAgain(
	request: MessageRequest,
	limiter: SendTools['limiter'],
	pauseMs: number,
): Promise<boolean> {
	const isStarted = await limiter.startAgain(pauseMs);
	if (isStarted) request.isRepeated = true;
	return isStarted;
}

/** Frees keys and counts, because certainly nobody was reached. */
async function free(request: MessageRequest, reservation: Reservation): Promise<void> {
	await reservation.release();
	// It is still to be sent only if the run stopped before.
	if (reservation.mayLeaveRecords && isOpen(request)) {
		request.fate = { state: 'unsent', error: buildUnsentError() };
	}
}

/** Tells what came of a request. Never rejects. */
export async function toSentFate(sending: Promise<Answer>): Promise<SentFate> {
	try {
		return { state: 'accepted', answer: await sending };
	} catch (error) {
		return { state: 'errored', accepted: findAcceptance(error), error };
	}
}

/**
 * Sends, and again after a pause, only if the service certainly rejected it because of load.
 *
 * @param send never rejects
 * @param startAgain waits for so many milliseconds and for the turn of a further try; false if there
 * is none
 * @returns what came of the last try
 */
export async function sendUntilTaken(
	send: () => Promise<SentFate>,
	startAgain: (pauseMs: number) => Promise<boolean>,
): Promise<SentFate> {
	const deadline = Date.now() + RETRY_WITHIN_MS;
	for (let tries = 1; ; tries++) {
		const fate = await send();
		if (!isOverload(fate) || tries === MAX_TRIES) return fate;

		const pauseMs = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
		if (Date.now() + pauseMs > deadline) return fate;
		const isStarted = await startAgain(pauseMs);
		if (!isStarted || Date.now() > deadline) return fate;
	}
}
