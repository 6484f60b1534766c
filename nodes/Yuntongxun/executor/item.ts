import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/client';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Message } from '../operation/defineOperation';
import type { Refusal } from '../idempotency/reservations';
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
	| { kind: 'sent'; exchange: Exchange }
	| { kind: 'leftOut'; refusal: Refusal }
	| { kind: 'notSent'; thrown: unknown }
	/** What a dry run shows. */
	| { kind: 'shown'; output: IDataObject };

/** A request that went out, the same object for all the numbers it named. */
export interface Exchange {
	outcome: Settled<Answer>;
}

export function isMessageItem(item: Item): item is MessageItem {
	return item.ready?.task.recipients !== undefined;
}

/** Whether the service took a request; undefined for one that only reads. */
export function acceptedBy(outcome: Settled<unknown>): Accepted | undefined {
	if ('value' in outcome) return 'yes';
	return outcome.thrown instanceof ServiceFailure ? outcome.thrown.facts.accepted : 'unknown';
}

/** Whether what was sent certainly reached nobody. */
export const reachedNobody = (outcome: Settled<unknown>): boolean => acceptedBy(outcome) === 'no';

export function hasFailed({ outcome, results }: Item): boolean {
	if (outcome !== undefined) return 'thrown' in outcome;
	return [...results.values()].some(
		(result) =>
			result.kind === 'notSent' || (result.kind === 'sent' && 'thrown' in result.exchange.outcome),
	);
}

/** Whether all numbers of an item are known and none of them was reached, though not all were before. */
export function isLost({ ready, results }: MessageItem): boolean {
	if (results.size < ready.task.recipients.length) return false;
	let isRefused = false;
	for (const result of results.values()) {
		if (result.kind === 'sent' || result.kind === 'shown') return false;
		isRefused ||= result.kind === 'leftOut' && result.refusal.reason !== 'duplicate';
	}
	return isRefused;
}
