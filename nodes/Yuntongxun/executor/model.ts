import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/request';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Guards, Skip } from '../idempotency/reservations';
import type { Message, Rehearsal, Task } from '../operation/defineOperation';
import type { PhoneNumber } from '../operation/phoneNumber';
import type { FoundRoute } from '../waiting/routes';

/** One input item on its way through a run. */
export type Item = RefusedItem | TaskItem | MessageItem;

/** An item whose form is wrong. */
export interface RefusedItem {
	readonly kind: 'refused';
	readonly index: number;
	readonly error: unknown;
}

/** An item that reaches nobody's phone. */
export interface TaskItem {
	readonly kind: 'task';
	readonly index: number;
	readonly task: Task;
	/** Milliseconds that each of its requests may take. */
	readonly timeout: number;
	status: TaskStatus;
}

export type TaskStatus =
	| { state: 'planned' }
	| { state: 'done'; outputs: IDataObject[] }
	| { state: 'failed'; error: unknown; accepted: Accepted };

/** A call or an SMS. */
export interface MessageItem {
	readonly kind: 'message';
	readonly index: number;
	readonly task: Message;
	/** Milliseconds that each of its requests may take. */
	readonly timeout: number;
	/** As the user gave it. */
	readonly idempotencyKey?: string;
	readonly guards: Guards;
	/** Holds for the whole run if it is the first one. */
	readonly rate: Rate;
	/** Its phone numbers in list order, in requests of as many as fit. */
	readonly requests: readonly MessageRequest[];
	/** Only of a dry run, whose guards are only counted: the item becomes that of a real run, and nothing is sent. */
	readonly rehearsal?: Rehearsal;
	/** Where its result goes; undefined if it wants none. */
	route?: FoundRoute;
}

/** How fast the requests of a run may start. */
export interface Rate {
	/** Maximum number of requests under way. */
	concurrency: number;
	/** Maximum number of starts a second; 0 for no limit. */
	perSecond: number;
}

/** Recipients that one request names, and what became of it: the same for all of them. */
export interface MessageRequest {
	readonly item: MessageItem;
	readonly recipients: readonly Recipient[];
	fate: Fate;
	/** Whether it was sent again, after the service had refused it because of load. */
	isRepeated: boolean;
	/** Whether a key or a count may stay recorded though nobody was reached. */
	mayLeaveRecords: boolean;
}

/** A phone number of a request. */
export interface Recipient {
	readonly number: PhoneNumber;
	/** Why it is left out of its request. */
	skip?: Skip;
}

export type Fate =
	| { state: 'planned' }
	/** Something failed before the request; nothing went out. */
	| { state: 'unsent'; error: unknown }
	| SentFate;

export type SentFate =
	{ state: 'accepted'; answer: Answer } | { state: 'errored'; error: unknown; accepted: Accepted };

/** Packs the numbers of an item into requests, in list order. @param item the rest of the item */
export function packRequests(item: Omit<MessageItem, 'requests'>): MessageItem {
	const { recipients: numbers, maxNumbersPerRequest: size } = item.task;
	const requests: MessageRequest[] = [];
	const packed: MessageItem = { ...item, requests };
	for (let start = 0; start < numbers.length; start += size) {
		requests.push({
			item: packed,
			recipients: numbers.slice(start, start + size).map((number) => ({ number })),
			fate: { state: 'planned' },
			isRepeated: false,
			mayLeaveRecords: false,
		});
	}
	return packed;
}

/** Whether an item only shows what would be sent. */
export const isRehearsed = (item: Item): boolean =>
	item.kind === 'message' && item.rehearsal !== undefined;

/** The numbers that a request is for, as they are sent: those that are not left out. */
export function getUnskipped({ recipients }: MessageRequest): string[] {
	return recipients.flatMap(({ number, skip }) => (skip === undefined ? [number.text] : []));
}

/** Whether a request still has to go out. */
export function isOpen(request: MessageRequest): boolean {
	return request.fate.state === 'planned' && getUnskipped(request).length > 0;
}

/** Whether the service took a request, or may have taken it. */
export function getAcceptance({ fate }: MessageRequest): Accepted {
	switch (fate.state) {
		case 'planned':
		case 'unsent':
			return 'no';
		case 'accepted':
			return 'yes';
		case 'errored':
			return fate.accepted;
	}
}

/** Whether an item has failed so far. The only test that stops a run. */
export function hasFailed(item: Item): boolean {
	switch (item.kind) {
		case 'refused':
			return true;
		case 'task':
			return item.status.state === 'failed';
		case 'message':
			return item.requests.some(hasFailedRequest) || isOverLimit(item);
	}
}

function hasFailedRequest({ fate }: MessageRequest): boolean {
	return fate.state === 'unsent' || fate.state === 'errored';
}

/** Whether a message reaches nobody because of a limit. False while any number is still planned. */
export function isOverLimit({ requests }: MessageItem): boolean {
	let isAnyOverLimit = false;
	for (const { skip } of requests.flatMap(({ recipients }) => recipients)) {
		if (skip === undefined) return false;
		if (skip.reason === 'limit') isAnyOverLimit = true;
	}
	return isAnyOverLimit;
}

/** Whether the service took, or may have taken, something of an item. */
function mayHaveReached({ requests }: MessageItem): boolean {
	return requests.some((request) => getAcceptance(request) !== 'no');
}

/**
 * Whether the service took a request that ended in an error; unknown if the error does not say.
 */
export function findAcceptance(error: unknown): Accepted {
	const accepted = error instanceof ServiceFailure ? error.facts.accepted : undefined;
	return accepted ?? 'unknown';
}

/** Whether the service certainly refused a request because of load. */
export function isOverload(fate: Fate): boolean {
	if (fate.state !== 'errored' || !(fate.error instanceof ServiceFailure)) return false;
	return fate.error.facts.overload === true;
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
			return false;
		case 'task':
			return isTaskOver(item.status, hasSideEffects);
		case 'message':
			return !isRehearsed(item) && resetMessage(item);
	}
}

function isTaskOver(status: TaskStatus, hasSideEffects: boolean): boolean {
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
 * If a message reached somebody, or a key or count of it may stay recorded, only requests that were
 * never sent and left no records behind are planned again. A request that the service refused stays
 * as it is, so unless the node continues, the item still counts as failed and the next try sends
 * nothing.
 */
function resetMessage(item: MessageItem): boolean {
	const isKept = item.requests.some(({ mayLeaveRecords }) => mayLeaveRecords);
	if (!isKept && !mayHaveReached(item)) return false;

	for (const request of item.requests) {
		const { fate, mayLeaveRecords } = request;
		const wasSent = fate.state === 'accepted' || fate.state === 'errored';
		if (wasSent || mayLeaveRecords) continue;
		request.fate = { state: 'planned' };
		for (const recipient of request.recipients) recipient.skip = undefined;
	}
	return true;
}
