import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/client';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { DataFormat } from '../client/codec';
import type { Refusal, Terms } from '../idempotency/reservations';
import type { Message, Task } from '../operation/defineOperation';
import type { Settled } from '../util/concurrency';
import type { FoundRoute } from '../waiting/resultRoute';

/** One item's checked form. */
export interface ReadyItem {
	task: Task;
	/** How its requests go out; the time-out in milliseconds. */
	format: DataFormat;
	timeout: number;
	/** What it asks of the numbers that it names. */
	terms: Terms;
	/** Whether it asks anything. */
	hasTerms: boolean;
	/** The way that its result takes; undefined if it wants none, or it is not found yet. */
	route?: FoundRoute;
	/** Whether it shows its request instead of sending it. */
	isDryRun: boolean;
}

/** One input item on its way through the run. */
export interface Item {
	readonly index: number;
	/** Undefined if its form was refused. */
	ready?: ReadyItem;
	/** What became of its form, or of work of its own. */
	outcome?: Outcome<IDataObject[]>;
	/** What became of its phone numbers but the refused ones; one is missing if the run stopped before. */
	readonly results: Map<string, NumberResult>;
}

/** An item that sends a message. */
export type MessageItem = Item & { ready: ReadyItem & { task: Message } };

/** What became of one phone number: its request, the same object for all it named; or why it was left out. */
export type NumberResult = Outcome<Answer> | Refusal;

/** What became of a request, or of what has to be done before it. */
export type Outcome<Value> = Settled<Value> & {
	/** Whether the request went out. */
	isSent: boolean;
};

export function isMessageItem(item: Item): item is MessageItem {
	return item.ready?.task.kind === 'message';
}

/** Whether the service took a request; undefined for one that only reads. */
export function acceptedBy(outcome: Outcome<unknown>): Accepted | undefined {
	if ('value' in outcome) return 'yes';
	if (!outcome.isSent) return 'no';
	return outcome.thrown instanceof ServiceFailure ? outcome.thrown.facts.accepted : 'unknown';
}
