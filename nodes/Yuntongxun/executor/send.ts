import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/request';
import type { Reservation, Reservations, Skip } from '../idempotency/reservations';
import type { PhoneNumber } from '../operation/phoneNumber';
import type { WaitingRun } from '../waiting/waitingRun';
import { buildLimitError, buildUnrecordedError, buildUnsentError } from './errors';
import { findAcceptance, joinNumbers } from './model';
import type { FailedStatus, MessageItem, Status } from './model';
import { sendUntilTaken, workUntilStopped } from './pace';
import type { Pace, RunTools } from './pace';

export interface SendTools extends RunTools {
	pace: Pick<Pace, 'start'>;
	reservations: Pick<Reservations, 'reserve'>;
	/** Only where results can be waited for. */
	waiting?: Pick<WaitingRun, 'recordPlacedCall'>;
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
	const { message, recipients, guards } = item;
	const { pace, stop } = tools;
	let reservation: Reservation;
	try {
		reservation = await tools.reservations.reserve(recipients, guards);
	} catch (cause) {
		const error = buildUnrecordedError(cause);
		return { state: 'failed', error, accepted: 'no', mayCountAsUsed: true };
	}
	const { skips } = reservation;
	const left = recipients.filter((_each, position) => skips[position] === undefined);
	if (left.length === 0) return await judgeSkipped(item, reservation);
	if (!(await pace.start())) return await giveUp(reservation);

	try {
		const answer = await sendUntilTaken(
			async () => await sendOnce(item, left, tools),
			stop,
			async (pauseMs) => await pace.start(pauseMs),
		);
		const json = { ...message.outputFor(answer), to: joinNumbers(left) };
		return {
			state: 'done',
			jsons: [{ ...json, ...getLeftOut(item, skips) }],
			reached: left.length,
		};
	} catch (error) {
		return await fail(item, reservation, error, tools);
	}
}

async function sendOnce(
	{ route, message, timeout }: MessageItem,
	numbers: readonly PhoneNumber[],
	{ getClient, waiting }: SendTools,
): Promise<Answer> {
	const texts = numbers.map(({ text }) => text);
	const request = message.requestFor(texts, route?.buildUrl());
	const answer = await getClient(timeout)(request);
	waiting?.recordPlacedCall(answer.text(request.endpoint.essential ?? ''), route);
	return answer;
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
	const accepted = findAcceptance(error);
	const members = getLeftOut(item, reservation.skips);
	// Before anything is freed, so that no other item of this run takes it.
	if (!continues) stop.stop();
	if (accepted !== 'no') {
		return {
			state: 'failed',
			error,
			accepted,
			members: { ...members, ...item.message.errorFields },
		};
	}
	const mayCountAsUsed = !(await reservation.release());
	return { state: 'failed', error, accepted, members, mayCountAsUsed };
}

/** What becomes of a message that leaves everybody out: a duplicate if all are, otherwise it fails. */
async function judgeSkipped(item: MessageItem, reservation: Reservation): Promise<Status> {
	const { skips } = reservation;
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
		mayCountAsUsed: !(await reservation.release()),
	};
}

/** The member that lists who was left out of an SMS, and of a limit which one; a call has none. */
function getLeftOut(
	{ recipients, message }: MessageItem,
	skips: Reservation['skips'],
): IDataObject {
	if (message.maxNumbersPerRequest === 1) return {};
	const leftOut = skips.flatMap((skip, position) =>
		skip === undefined ? [] : [toLeftOut(recipients[position].text, skip)],
	);
	return leftOut.length > 0 ? { leftOut } : {};
}

function toLeftOut(to: string, skip: Skip): IDataObject {
	const { reason } = skip;
	return reason === 'limit' ? { to, reason, by: skip.limit.by } : { to, reason };
}
