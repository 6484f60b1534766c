import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Guards } from '../idempotency/reservations';
import type { Message, Rehearsal, Task } from '../operation/defineOperation';
import type { PhoneNumber } from '../operation/phoneNumber';
import type { FoundRoute } from '../waiting/resultTarget';

/**
 * One request, or one piece of work, on its way through a run. An input item is one of these; an SMS to more
 * numbers than fit into a request is several, with one `index`.
 */
export type Item = RefusedItem | TaskItem | MessageItem;

/** An input item of which nothing is sent: its form is wrong, or its result cannot arrive. */
export interface RefusedItem {
	readonly kind: 'refused';
	readonly index: number;
	readonly status: FailedStatus;
}

/** An item that reaches nobody's phone. */
export interface TaskItem {
	readonly kind: 'task';
	readonly index: number;
	readonly task: Task;
	/** Milliseconds that each of its requests may take. */
	readonly timeout: number;
	status: Status;
}

/** A call, or an SMS to as many numbers as fit into a request. */
export interface MessageItem {
	readonly kind: 'message';
	readonly index: number;
	readonly message: Message;
	/** The numbers of this request, in list order. */
	readonly recipients: readonly PhoneNumber[];
	/** Milliseconds that its request may take. */
	readonly timeout: number;
	/** As the user gave it, for the output; `guards` has what stands for it. */
	readonly idempotencyKey?: string;
	readonly guards: Guards;
	/** Starts a second, 0 for no limit. That of the first item holds for the whole run. */
	readonly perSecond: number;
	/** Only of a dry run: the item becomes that of a real run, and nothing is sent. */
	readonly rehearsal?: Rehearsal;
	/** Where its result goes; undefined if it wants none. */
	route?: FoundRoute;
	status: Status;
}

/** What became of an item. */
export type Status =
	/** Nothing of it went out yet. */
	| { state: 'planned' }
	| {
			state: 'done';
			jsons: IDataObject[];
			/** How many numbers it reached, or 1 if it changed something; 0 for duplicates and dry runs. */
			reached: number;
	  }
	| FailedStatus;

export interface FailedStatus {
	state: 'failed';
	error: unknown;
	accepted: Accepted;
	/** Further members of the error item. */
	members?: IDataObject;
	/** Whether its ID may count as used though nobody was reached. */
	mayCountAsUsed?: boolean;
}

export const refuse = (index: number, error: unknown): RefusedItem => ({
	kind: 'refused',
	index,
	status: { state: 'failed', error, accepted: 'no' },
});

/** Splits an item into some of as many numbers as fit into a request, in list order. */
export function splitMessage(whole: Omit<MessageItem, 'recipients' | 'status'>): MessageItem[] {
	const { recipients, maxNumbersPerRequest: size } = whole.message;
	const items: MessageItem[] = [];
	for (let start = 0; start < recipients.length; start += size) {
		const some = recipients.slice(start, start + size);
		items.push({ ...whole, recipients: some, status: { state: 'planned' } });
	}
	return items;
}

export const joinNumbers = (numbers: readonly PhoneNumber[]): string =>
	numbers.map(({ text }) => text).join(',');

export function isPlanned({ status }: Item): boolean {
	return status.state === 'planned';
}

/** Whether an item has failed so far. The only test that stops a run. */
export function hasFailed({ status }: Item): boolean {
	return status.state === 'failed';
}

/** Whether an item only shows what would be sent. */
export const isRehearsed = (item: Item): boolean =>
	item.kind === 'message' && item.rehearsal !== undefined;

/** Whether the service took a request that ended in an error; unknown if the error does not say. */
export function findAcceptance(error: unknown): Accepted {
	const accepted = error instanceof ServiceFailure ? error.facts.accepted : undefined;
	return accepted ?? 'unknown';
}
