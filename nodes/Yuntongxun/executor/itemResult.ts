import type { IDataObject } from 'n8n-workflow';

import { redactUrl } from '../callbacks/callbackUrl';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Answer } from '../client/client';
import { currentPeriod } from '../idempotency/period';
import type { Refusal } from '../idempotency/reservations';
import type { Message, MessagePart, MessageRecipient } from '../operation/defineOperation';
import { acknowledgementOf } from '../operation/output';
import type { Settled } from '../util/settle';
import { acceptedBy, isMessageItem } from './item';
import type { Item, ItemOutcome, MessageItem } from './item';
import { factsOf, NotSentError, reportOf } from './itemFailure';
import type { ItemFailure } from './itemFailure';

/** What came of an item, as n8n and the user learn it. */
export interface ItemResult {
	/** The json of its output items, in order; empty if the run stopped before it. */
	outputs: IDataObject[];
	/** What failed first. */
	failure?: ItemFailure;
	/** What proves what was accepted, an entry a request. */
	accepted: IDataObject[];
	/** The numbers of what may have been accepted, an entry a request. */
	unclear: IDataObject[];
	/** The numbers that no request named though the item was begun, as one entry. */
	notReached: IDataObject[];
	/** Whether no request went out, though one should have. */
	notAttempted: boolean;
}

/**
 * What came of an item.
 *
 * @param changes whether the operation changes something, so that it matters what was accepted
 */
export function resultOf(item: Item, changes: boolean): ItemResult {
	if (item.outcome) return resultOfOutcome(item.index, item.outcome, changes);
	return isMessageItem(item) ? resultOfMessage(item) : { ...NOTHING, notAttempted: true };
}

const NOTHING: ItemResult = {
	outputs: [],
	accepted: [],
	unclear: [],
	notReached: [],
	notAttempted: false,
};

function resultOfOutcome(index: number, outcome: ItemOutcome, changes: boolean): ItemResult {
	if ('value' in outcome) {
		const accepted = outcome.value.map(acknowledgementOf).filter((each) => each !== undefined);
		return { ...NOTHING, outputs: outcome.value, accepted: changes ? accepted : [] };
	}
	const { thrown, isSent } = outcome;
	const accepted = isSent ? acceptedBy(outcome) : 'no';
	const failure = { index, thrown, accepted: changes ? accepted : undefined };
	return {
		...NOTHING,
		outputs: [{ error: reportOf(failure) }],
		failure,
		accepted: failure.accepted === 'yes' ? [{ statusCode: '000000' }] : [],
		unclear: failure.accepted === 'unknown' ? [{}] : [],
		notAttempted: !isSent,
	};
}

function resultOfMessage(item: MessageItem): ItemResult {
	const { task } = item.ready;
	const shared = task.together ? [task.recipients] : task.recipients.map((each) => [each]);
	const groups = shared.map((recipients) => groupOf(item, recipients));
	const parts = groups.flatMap((group) => group.parts);
	const isBegun = parts.length > 0;
	const written = groups.flatMap((group) => outputOf(item, group, isBegun));
	const failure = written.find((each) => 'thrown' in each);
	const untouched = groups.flatMap((group) => group.untouched).join(',');
	const partsThat = (accepted: Accepted) =>
		parts.filter((part) => part.failure.accepted === accepted);
	return {
		outputs: written.map((each) => ('thrown' in each ? { error: reportOf(each) } : each.json)),
		failure,
		accepted: partsThat('yes').map(({ numbers, output }) => ({
			...acknowledgementOf(output ?? { statusCode: '000000' }),
			to: numbers.join(','),
		})),
		unclear: partsThat('unknown').map(({ numbers }) => ({ to: numbers.join(',') })),
		notReached: isBegun && untouched !== '' ? [{ to: untouched }] : [],
		notAttempted: !isBegun && (failure !== undefined || written.length === 0),
	};
}

/** What became of numbers that share an output item. */
function groupOf({ ready, results }: MessageItem, recipients: readonly MessageRecipient[]) {
	const found = recipients.map(({ to }) => ({ to, ...(results.get(to) ?? UNTOUCHED) }));
	const requests = new Map<Settled<Answer>, string[]>();
	for (const each of found) {
		if (each.kind !== 'sent') continue;
		const numbers = requests.get(each.outcome) ?? [];
		numbers.push(each.to);
		requests.set(each.outcome, numbers);
	}
	const notSent = found.filter((each) => each.kind === 'notSent');
	return {
		/** Without entries of a list that are no numbers. */
		to: recipients.map((each) => (each.refusal ? '' : each.to)).join(','),
		parts: [...requests].map(([outcome, numbers]) => partOf(outcome, numbers, ready.task)),
		leftOut: found.filter((each) => each.kind === 'leftOut'),
		untouched: notSent.map(({ to }) => to),
		notSent: notSent.find(({ thrown }) => thrown !== undefined),
	};
}

const UNTOUCHED = { kind: 'notSent' as const, thrown: undefined };

/** A request, the numbers of an item that it named, and what it threw. */
type Part = MessagePart & { thrown?: unknown };

function partOf(outcome: Settled<Answer>, numbers: string[], task: Message): Part {
	if ('thrown' in outcome) {
		return { numbers, thrown: outcome.thrown, failure: factsOf(outcome.thrown) };
	}
	const output = task.outputFor(outcome.value, numbers);
	return { numbers, output, failure: { ...NO_WORDS, accepted: 'yes' } };
}

const NO_WORDS = { statusCode: '', statusMsg: '' };

/**
 * The output item of a group; none if the run stopped before all of it.
 *
 * @param isBegun whether a request went out for any number of the item
 */
function outputOf(
	{ index, ready: { task, terms, isDryRun } }: MessageItem,
	{ to, parts, leftOut, untouched, notSent }: ReturnType<typeof groupOf>,
	isBegun: boolean,
): Array<{ json: IDataObject } | ItemFailure> {
	const entries: MessagePart[] = [...parts];
	if (untouched.length > 0) {
		entries.push({ numbers: untouched, failure: { ...NO_WORDS, accepted: 'no' } });
	}
	const { together } = task;
	const more: IDataObject = {
		...(together && entries.length > 1 && { messages: entries.map(together.entryFor) }),
		...(together &&
			leftOut.length > 0 && {
				leftOut: leftOut.map((each) => ({ to: each.to, reason: each.refusal.reason })),
			}),
	};
	const failed = parts.find(({ output }) => output === undefined);
	if (failed) {
		const thrown = entries.length > 1 ? jointFailure(failed.thrown, entries) : failed.thrown;
		const { accepted } = factsOf(thrown);
		if (accepted !== 'no') Object.assign(more, task.errorFields);
		return [{ index, thrown, accepted, to, more }];
	}
	// A number whose record failed fails the item; one that the run did not come to does not.
	if (notSent) {
		const accepted = parts.length > 0 ? 'partly' : 'no';
		return [{ index, thrown: notSent.thrown, accepted, to, more }];
	}
	if (isDryRun) return [{ json: shownRequest(task, untouched) }];
	if (untouched.length > 0) return [];
	if (parts.length > 0) {
		const reached = parts.flatMap(({ numbers }) => numbers).join(',');
		return [{ json: { ...parts[0].output, to: reached, ...more } }];
	}
	const over = leftOut.find(({ refusal }) => refusal.reason !== 'duplicate');
	if (!over) return [{ json: { duplicate: true, idempotencyKey: terms.key, to } }];
	if (isBegun) return [{ json: { leftOut: true, reason: over.refusal.reason, to } }];
	const thrown = limitError(over.refusal, task.recipients.length);
	return [{ index, thrown, accepted: 'no', to, more }];
}

/** What a dry run shows. */
function shownRequest(task: Message, numbers: string[]): IDataObject {
	const { endpoint, fields } = task.requestFor(numbers);
	const { respUrl } = fields;
	const request = {
		...fields,
		...(typeof respUrl === 'string' && { respUrl: redactUrl(respUrl) }),
	};
	return { dryRun: true, endpoint: endpoint.name, request, to: numbers.join(','), ...task.preview };
}

/** What failed first of several requests, with advice for the item as a whole. */
function jointFailure(first: unknown, entries: readonly MessagePart[]): ServiceFailure {
	const facts = factsOf(first);
	const ways = new Set(entries.map(({ failure }) => failure.accepted));
	const mixed = ways.has('yes') ? 'partly' : 'unknown';
	const accepted = ways.size > 1 ? mixed : facts.accepted;
	const own = ways.has('unknown') ? '' : facts.advice;
	const advice = accepted === 'no' ? own : `${own} ${SEE_MESSAGES}`.trim();
	return new ServiceFailure({ ...facts, advice, accepted });
}

const SEE_MESSAGES =
	'The list of messages says which numbers of this item were accepted, and which are unclear: look these up in the Yuntongxun console first.';

/** Why a number over a limit fails its item. @param count how many numbers the item names */
function limitError({ reason, limit }: Refusal, count: number): NotSentError {
	const { max = 0, period = 'day' } = limit ?? {};
	const number = `${count === 1 ? 'The' : 'A'} number in 'To'`;
	const often = `${max === 1 ? 'once' : `${max} times`} ${period === 'day' ? 'today' : 'this hour'}`;
	const happened =
		reason === 'total'
			? `This node has called or texted ${often}, as often as Max in Total allows`
			: `${number} has been reached ${often} through this node, as often as Max per Recipient allows`;
	return new NotSentError(happened, `Send again after ${currentPeriod(period).end} (UTC+8).`);
}
