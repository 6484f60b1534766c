import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/client';
import type { DataFormat } from '../client/codec';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Guards, Skip } from '../idempotency/reservations';
import type { DirectTask, Message } from '../operation/defineOperation';
import type { PhoneNumber } from '../operation/numberIdentity';
import type { FoundRoute } from '../waiting/route/findResultRoutes';

/** How the requests of an item go out. */
export interface RequestSettings {
	format: DataFormat;
	/** Milliseconds. */
	timeout: number;
}

/** One input item on its way through a run. */
export type Item = RefusedItem | DryRunItem | DirectItem | MessageItem;

/** An item whose form is wrong. */
export interface RefusedItem {
	readonly kind: 'refused';
	readonly index: number;
	readonly error: unknown;
}

/** A message that is shown instead of sent. */
export interface DryRunItem {
	readonly kind: 'dryRun';
	readonly index: number;
	readonly task: Message;
	/** Where its result would go; undefined if it wants none. */
	route?: FoundRoute;
}

/** An item that reaches nobody's phone. */
export interface DirectItem {
	readonly kind: 'direct';
	readonly index: number;
	readonly task: DirectTask;
	readonly settings: RequestSettings;
	status: DirectStatus;
}

export type DirectStatus =
	| { state: 'planned' }
	| { state: 'done'; outputs: IDataObject[] }
	| { state: 'failed'; error: unknown; accepted: Accepted };

/** A call or an SMS. */
export interface MessageItem {
	readonly kind: 'message';
	readonly index: number;
	readonly task: Message;
	readonly settings: RequestSettings;
	readonly guards: Guards;
	/** Its phone numbers, in list order. */
	readonly recipients: readonly Recipient[];
	/** Where its result goes; undefined if it wants none. */
	route?: FoundRoute;
	/** The requests of this try, and those of earlier tries that may have left records behind. */
	requests: PlannedRequest[];
}

/** A phone number of an item. Its status is here and nowhere else. */
export interface Recipient {
	readonly number: PhoneNumber;
	status: RecipientStatus;
}

export type RecipientStatus =
	| { state: 'planned' }
	/** This key was already used for this number, or a limit is reached. */
	| { state: 'skipped'; skip: Skip }
	/** Something failed before its request; nothing went out. */
	| { state: 'failed'; error: unknown }
	/** One object for all numbers of a request. */
	| { state: 'sent'; request: SentRequest };

export type SentRequest =
	| { ok: true; accepted: 'yes'; answer: Answer }
	| { ok: false; accepted: Accepted; error: unknown; isOverloaded: boolean };

/** Recipients that one request names. */
export interface PlannedRequest {
	readonly item: MessageItem;
	readonly recipients: readonly Recipient[];
	/** Whether a key or a count may stay recorded though nobody was reached. */
	mayLeaveRecords: boolean;
}

/** Whether an item has failed so far. The only test that stops a run. */
export function hasFailed(item: Item): boolean {
	switch (item.kind) {
		case 'refused':
			return true;
		case 'dryRun':
			return false;
		case 'direct':
			return item.status.state === 'failed';
		case 'message':
			return item.recipients.some(isFailure) || isOverLimit(item);
	}
}

function isFailure({ status }: Recipient): boolean {
	return status.state === 'failed' || (status.state === 'sent' && !status.request.ok);
}

/** Whether a number still waits for its request. */
export function isPlanned({ status }: Recipient): boolean {
	return status.state === 'planned';
}

/** Whether a message reaches nobody because of a limit. False while any number is still planned. */
export function isOverLimit({ recipients }: MessageItem): boolean {
	let isAnyOverLimit = false;
	for (const { status } of recipients) {
		if (status.state !== 'skipped') return false;
		if (status.skip.reason !== 'duplicate') isAnyOverLimit = true;
	}
	return isAnyOverLimit;
}

/** Whether the service took, or may have taken, something of an item. */
export function mayHaveReached({ recipients }: MessageItem): boolean {
	return recipients.some(
		({ status }) => status.state === 'sent' && status.request.accepted !== 'no',
	);
}

/** Whether the service took a request that ended in an error; unknown if the error does not say. */
export function getAcceptance(error: unknown): Accepted {
	const accepted = error instanceof ServiceFailure ? error.facts.accepted : undefined;
	return accepted ?? 'unknown';
}

/**
 * What the next try of n8n's Retry On Fail keeps of an item. What was or may have been accepted is
 * never sent again, nor is what may count as used though it was not sent.
 *
 * @param hasSideEffects whether the operation changes something
 * @returns whether the next try keeps the item; if not, it starts over from the form
 */
export function resetForRetry(item: Item, hasSideEffects: boolean): boolean {
	switch (item.kind) {
		case 'refused':
		case 'dryRun':
			return false;
		case 'direct':
			return isDirectOver(item.status, hasSideEffects);
		case 'message':
			return resetMessage(item);
	}
}

function isDirectOver(status: DirectStatus, hasSideEffects: boolean): boolean {
	switch (status.state) {
		case 'planned':
			return false;
		case 'done':
			return true;
		case 'failed':
			return hasSideEffects && status.accepted !== 'no';
	}
}

/**
 * If a message reached somebody, or a key or count of it may stay recorded, only numbers that were
 * never sent, and whose request left no records behind, are planned again. Numbers that the service
 * refused stay as they are, so unless the node continues, the item still counts as failed and the next
 * try sends nothing.
 */
function resetMessage(item: MessageItem): boolean {
	const unfreed = item.requests.filter(({ mayLeaveRecords }) => mayLeaveRecords);
	if (unfreed.length === 0 && !mayHaveReached(item)) return false;

	const kept = new Set(unfreed.flatMap(({ recipients }) => recipients));
	for (const recipient of item.recipients) {
		if (kept.has(recipient) || recipient.status.state === 'sent') continue;
		recipient.status = { state: 'planned' };
	}
	return true;
}
