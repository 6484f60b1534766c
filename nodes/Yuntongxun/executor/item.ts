import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/client';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Refusal } from '../idempotency/reservations';
import type { Message } from '../operation/defineOperation';
import type { Settled } from '../util/settle';
import type { ReadyItem } from './validateItem';

/** One input item on its way through the run. */
export interface Item {
	readonly index: number;
	/** Undefined if its form was refused. */
	ready?: ReadyItem;
	/** What became of its form, or of work of its own. */
	outcome?: ItemOutcome;
	/** What became of its phone numbers; one is missing if the run stopped before its request. */
	readonly results: Map<string, NumberResult>;
}

export type ItemOutcome = Settled<IDataObject[]> & {
	/** Whether a request went out. */
	isSent: boolean;
};

/** An item that sends a message. */
export type MessageItem = Item & { ready: ReadyItem & { task: Message } };

/** What became of one phone number of an item. */
export type NumberResult =
	/** A request went out. The outcome is the same object for all the numbers it named. */
	| { kind: 'sent'; outcome: Settled<Answer> }
	| { kind: 'leftOut'; refusal: Refusal }
	| { kind: 'notSent'; thrown: unknown };

export function isMessageItem(item: Item): item is MessageItem {
	return item.ready?.task.recipients !== undefined;
}

/** Whether the service took a request; undefined for one that only reads. */
export function acceptedBy(outcome: Settled<unknown>): Accepted | undefined {
	if ('value' in outcome) return 'yes';
	return outcome.thrown instanceof ServiceFailure ? outcome.thrown.facts.accepted : 'unknown';
}
