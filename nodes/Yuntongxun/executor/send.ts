import type { IDataObject } from 'n8n-workflow';

import type { Answer, Send } from '../client/request';
import { ServiceFailure } from '../client/serviceFailure';
import type { Limit } from '../idempotency/limits';
import type { Reservation, Reservations, Skip } from '../idempotency/reservations';
import type { PhoneNumber } from '../operation/phoneNumber';
import type { WaitingRun } from '../waiting/waitingRun';
import {
	buildLimitError,
	buildUnrecordedError,
	buildUnsentError,
	MAY_COUNT_AS_USED,
	warnOfUse,
} from './errors';
import { findAcceptance, joinNumbers } from './model';
import type { FailedStatus, MessageItem, Status } from './model';
import type { Pace } from './pace';
import type { StopSignal } from './stopSignal';
import { workUntilStopped } from './workUntilStopped';

/** The pauses before a request that was refused for load is sent again, in milliseconds, of which 50 to 150 %. */
const PAUSES_MS = [500, 1000, 2000];

/** No try starts later than this after the first, in milliseconds. */
const RETRY_WITHIN_MS = 60_000;

/** What all messages of a run share. */
export interface SendTools {
	/** Whether to carry on with the other items when one fails. */
	continues: boolean;
	pace: Pick<Pace, 'start'>;
	stop: StopSignal;
	reservations: Pick<Reservations, 'reserve'>;
	/** Only where results can be waited for. */
	waiting?: Pick<WaitingRun, 'recordPlacedCall'>;
	getClient(timeout: number): Send;
}

/** Sends the messages of a run, until the run stops, and writes what became of them. Never rejects. */
export async function sendAll(items: readonly MessageItem[], tools: SendTools): Promise<void> {
	await workUntilStopped(items, tools, async (item) => await sendMessage(item, tools));
}

/**
 * Sends a message, unless its ID or a limit leaves everybody out. Never rejects.
 *
 * IDs and counts are recorded right before the request, and freed only if certainly nobody was reached: the
 * service rejected it with a code, or nothing was sent. If the answer is lost or cannot be read, nobody
 * knows: they stay used, and nothing is sent again.
 */
async function sendMessage(item: MessageItem, tools: SendTools): Promise<Status> {
	const { task, recipients, guards } = item;
	let reservation: Reservation;
	try {
		reservation = await tools.reservations.reserve(recipients, guards);
	} catch (cause) {
		const error = buildUnrecordedError(cause);
		return { state: 'failed', error, accepted: 'no', mayCountAsUsed: true };
	}
	const { skips } = reservation;
	const left = recipients.filter((_each, position) => skips[position] === undefined);
	if (left.length === 0) return judgeSkipped(item, reservation);
	if (!(await tools.pace.start())) return await giveUp(reservation);

	const sent = await sendUntilTaken(
		async () => await sendOnce(item, left, tools),
		async (pauseMs) => await tools.pace.start(pauseMs),
	);
	if (!sent.ok) return await fail(item, reservation, sent.error, tools);
	const json = {
		...task.outputFor(sent.answer),
		to: joinNumbers(left),
		...getLeftOut(item, skips),
	};
	return { state: 'done', jsons: [json], reached: left.length };
}

async function sendOnce(
	{ route, task, timeout }: MessageItem,
	numbers: readonly PhoneNumber[],
	{ getClient, waiting, stop }: SendTools,
): Promise<Sent> {
	const texts = numbers.map(({ text }) => text);
	const sent = await toSent(getClient(timeout)(task.requestFor(texts, route?.buildUrl())));
	stop.noteEnd(!sent.ok && findAcceptance(sent.error) === 'unknown');
	if (sent.ok) waiting?.recordPlacedCall(sent.answer.text(task.id), route?.wait);
	return sent;
}

/** The run has stopped before the request: frees what it holds. */
async function giveUp(reservation: Reservation): Promise<Status> {
	if (await reservation.release()) return { state: 'planned' };
	return { state: 'failed', error: buildUnsentError(), accepted: 'no', mayCountAsUsed: true };
}

/** Judges a request that failed, and frees what it holds if certainly nobody was reached. */
async function fail(
	item: MessageItem,
	reservation: Reservation,
	error: unknown,
	{ continues, stop }: SendTools,
): Promise<FailedStatus> {
	const { task, guards } = item;
	const accepted = findAcceptance(error);
	const members = getLeftOut(item, reservation.skips);
	// Before anything is freed, so that no other item of this run takes it.
	if (!continues) stop.stop();
	if (accepted === 'no') {
		const isFreed = await reservation.release();
		const advice = isFreed && !reservation.mayLeaveRecords ? '' : MAY_COUNT_AS_USED;
		return { state: 'failed', error, accepted, members, advice, mayCountAsUsed: !isFreed };
	}
	return {
		state: 'failed',
		error,
		accepted,
		members: { ...members, ...task.errorFields },
		advice: accepted === 'unknown' ? warnOfUse(guards) : '',
	};
}

/** What becomes of a message that leaves everybody out: a duplicate if all are, otherwise it fails. */
function judgeSkipped(item: MessageItem, { skips, mayLeaveRecords }: Reservation): Status {
	const full = skips.filter((skip) => skip?.reason === 'limit');
	if (full.length === 0) {
		const { idempotencyKey } = item;
		const json = { duplicate: true, idempotencyKey, to: joinNumbers(item.recipients) };
		return { state: 'done', jsons: [json], reached: 0 };
	}
	const last = full.reduce((latest, each) => (each.end > latest.end ? each : latest));
	return {
		state: 'failed',
		error: buildLimitError(last),
		accepted: 'no',
		members: getLeftOut(item, skips),
		advice: mayLeaveRecords ? MAY_COUNT_AS_USED : '',
		mayCountAsUsed: mayLeaveRecords,
	};
}

/** A number that was left out; `by` says which limit it was. */
interface LeftOut extends IDataObject {
	to: string;
	reason: Skip['reason'];
	by?: Limit['by'];
}

/** The member that lists who was left out of an SMS; a call has none. */
function getLeftOut({ recipients, task }: MessageItem, skips: Reservation['skips']): IDataObject {
	if (task.maxNumbersPerRequest === 1) return {};
	const leftOut = skips.flatMap((skip, position) =>
		skip === undefined ? [] : [toLeftOut(recipients[position].text, skip)],
	);
	return leftOut.length > 0 ? { leftOut } : {};
}

function toLeftOut(to: string, skip: Skip): LeftOut {
	const { reason } = skip;
	return reason === 'limit' ? { to, reason, by: skip.limit.by } : { to, reason };
}

/** What came of a request. */
export type Sent = { ok: true; answer: Answer } | { ok: false; error: unknown };

/** Tells what came of a request. Never rejects. */
export async function toSent(sending: Promise<Answer>): Promise<Sent> {
	try {
		return { ok: true, answer: await sending };
	} catch (error) {
		return { ok: false, error };
	}
}

/**
 * Sends, and again after a pause, only if the service certainly rejected it because of load.
 *
 * @param send never rejects
 * @param startAgain waits for so many milliseconds and for the start of a further try; false if there
 * is none
 * @returns what came of the last try
 */
export async function sendUntilTaken(
	send: () => Promise<Sent>,
	startAgain: (pauseMs: number) => Promise<boolean>,
): Promise<Sent> {
	const deadline = Date.now() + RETRY_WITHIN_MS;
	let sent = await send();
	for (const pause of PAUSES_MS) {
		if (!isOverload(sent)) return sent;
		const pauseMs = pause * (0.5 + Math.random());
		if (Date.now() + pauseMs > deadline) return sent;
		const isStarted = await startAgain(pauseMs);
		if (!isStarted || Date.now() > deadline) return sent;
		sent = await send();
	}
	return sent;
}

/** Whether the service certainly rejected a request because of load. */
function isOverload(sent: Sent): boolean {
	return !sent.ok && sent.error instanceof ServiceFailure && sent.error.facts.overload === true;
}
