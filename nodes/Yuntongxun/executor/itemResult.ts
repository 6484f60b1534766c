import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import { currentPeriod } from '../idempotency/period';
import type { Refusal } from '../idempotency/reservations';
import { acknowledgementOf } from '../operation/output';
import type { MessagePart, SharedRequests } from '../operation/defineOperation';
import { acceptedBy, isLost, isMessageItem } from './item';
import type { Exchange, Item, MessageItem, NumberResult } from './item';
import { reportOf } from './itemFailure';
import type { ItemFailure } from './itemFailure';
import { NotSentError } from './notSentError';

/** What came of an item, as n8n and the user learn it. */
export interface ItemResult {
	/** The json of its output items, in order; empty if the run stopped before it. */
	outputs: IDataObject[];
	/** What failed first. */
	failure?: ItemFailure;
	/** What proves what was accepted, an entry a request. */
	accepted: IDataObject[];
	/** What may have been accepted, an entry a request. */
	unclear: Array<{ to?: string }>;
	/** Whether a request went out. */
	isAttempted: boolean;
	/** The numbers that no request named though the item was begun, comma-separated. */
	notReached?: string;
}

/**
 * What came of an item.
 *
 * @param changes whether the operation changes something, so that it matters what was accepted
 */
export function resultOf(item: Item, changes: boolean): ItemResult {
	if (item.outcome !== undefined) return resultOfOwnWork(item, item.outcome, changes);
	if (isMessageItem(item)) return resultOfMessage(item);
	return { outputs: [], accepted: [], unclear: [], isAttempted: false };
}

function resultOfOwnWork(
	{ index }: Item,
	outcome: NonNullable<Item['outcome']>,
	changes: boolean,
): ItemResult {
	if ('value' in outcome) {
		const accepted = changes
			? outcome.value.map(acknowledgementOf).filter((each) => each !== undefined)
			: [];
		return { outputs: outcome.value, accepted, unclear: [], isAttempted: true };
	}
	const { thrown, isSent } = outcome;
	const accepted = changes ? (isSent ? acceptedBy(outcome) : 'no') : undefined;
	const failure = { index, thrown, accepted };
	return {
		outputs: [{ error: reportOf(failure) }],
		failure,
		accepted: accepted === 'yes' ? [{ statusCode: '000000' }] : [],
		unclear: accepted === 'unknown' ? [{}] : [],
		isAttempted: isSent,
	};
}

/** The numbers of an item that shared a request, and what became of it. */
interface Part {
	numbers: string[];
	exchange: Exchange;
	accepted?: Accepted;
	output?: IDataObject;
}

function resultOfMessage(item: MessageItem): ItemResult {
	const { ready, results } = item;
	const parts = partsOf(item);
	const untouched = ready.task.recipients
		.filter(({ to }) => (results.get(to)?.kind ?? 'notSent') === 'notSent')
		.map(({ to }) => to);
	const { together } = ready.task;
	const written = together
		? sharedOutput(item, parts, untouched, together)
		: ready.task.recipients.map(({ to, refusal }, at) => outputOf(item, to, at, parts, refusal));
	const outputs = written.filter((each) => each !== undefined);
	return {
		outputs: outputs.map((each) => ('thrown' in each ? { error: reportOf(each) } : each.json)),
		failure: outputs.find((each): each is ItemFailure => 'thrown' in each),
		accepted: parts
			.filter(({ accepted }) => accepted === 'yes')
			.map(({ output, numbers }) => ({
				...acknowledgementOf(output ?? { statusCode: '000000' }),
				to: numbers.join(','),
			})),
		unclear: parts
			.filter(({ accepted }) => accepted === 'unknown')
			.map(({ numbers }) => ({ to: numbers.join(',') })),
		isAttempted: parts.length > 0,
		...(parts.length > 0 && untouched.length > 0 && { notReached: untouched.join(',') }),
	};
}

/** The requests that carried the numbers of an item, in the order of its numbers. */
function partsOf({ ready, results }: MessageItem): Part[] {
	const parts = new Map<Exchange, Part>();
	for (const { to } of ready.task.recipients) {
		const result = results.get(to);
		if (result?.kind !== 'sent') continue;
		const { exchange } = result;
		const part = parts.get(exchange);
		if (part) part.numbers.push(to);
		else parts.set(exchange, { numbers: [to], exchange, accepted: acceptedBy(exchange.outcome) });
	}
	return [...parts.values()].map((part) => {
		const { outcome } = part.exchange;
		if ('thrown' in outcome) return part;
		return { ...part, output: ready.task.outputFor(outcome.value, part.numbers) };
	});
}

type Written = { json: IDataObject } | ItemFailure;

/** The output item of one number. */
function outputOf(
	item: MessageItem,
	to: string,
	at: number,
	parts: readonly Part[],
	invalid?: Error,
): Written | undefined {
	const { index, ready, results } = item;
	const result = results.get(to);
	if (invalid || result?.kind === 'notSent') {
		const thrown = result?.kind === 'notSent' ? result.thrown : invalid;
		return { index, thrown, accepted: 'no', to: invalid ? undefined : to };
	}
	if (result === undefined) return undefined;
	if (result.kind === 'shown') return { json: result.output };
	if (result.kind === 'sent') {
		const { outcome } = result.exchange;
		if ('value' in outcome) return { json: ready.task.outputFor(outcome.value, [to]) };
		const accepted = acceptedBy(outcome);
		return {
			index,
			thrown: outcome.thrown,
			accepted,
			to,
			...(accepted !== 'no' && { more: ready.task.errorFields }),
		};
	}
	if (result.refusal.reason === 'duplicate') return { json: duplicate(item, to) };
	if (parts.length > 0) return { json: { leftOut: true, reason: result.refusal.reason, to } };
	return {
		index,
		thrown: limitError(result.refusal, at, ready.task.recipients.length),
		accepted: 'no',
		to,
	};
}

/** The one output item of all numbers. */
function sharedOutput(
	item: MessageItem,
	parts: readonly Part[],
	untouched: readonly string[],
	together: SharedRequests,
): Written[] {
	const { index, ready, results } = item;
	const to = ready.task.recipients.map((each) => each.to).join(',');
	const leftOut = ready.task.recipients.flatMap((each) => leftOutEntry(each.to, results));
	const omitted = leftOut.length > 0 ? { leftOut } : {};
	const fail = (thrown: unknown, accepted?: Accepted, more: IDataObject = {}): Written[] => [
		{ index, thrown, accepted, to, more: { ...more, ...omitted } },
	];
	if (parts.length === 0) {
		for (const result of results.values()) {
			if (result.kind === 'notSent') return fail(result.thrown, 'no');
		}
		if (untouched.length > 0) return [];
		if (!isLost(item)) return [{ json: duplicate(item, to) }];
		const at = ready.task.recipients.findIndex((each) => isOverLimit(results.get(each.to)));
		const first = results.get(ready.task.recipients[at].to) as { refusal: Refusal };
		return fail(limitError(first.refusal, at, ready.task.recipients.length), 'no');
	}
	const entries = [
		...parts.map((part) => together.entryFor(messagePart(part))),
		...(untouched.length > 0 ? [together.entryFor(notSentPart([...untouched]))] : []),
	];
	const messages = entries.length > 1 ? { messages: entries } : {};
	const failed = parts.find(({ exchange }) => 'thrown' in exchange.outcome);
	if (failed && 'thrown' in failed.exchange.outcome) {
		const { thrown } = failed.exchange.outcome;
		const ways = new Set(parts.map(({ accepted }) => accepted));
		if (untouched.length > 0) ways.add('no');
		const accepted = jointly(ways);
		const joint = entries.length > 1 ? jointFailure(thrown, accepted, ways) : thrown;
		const more = accepted === 'no' ? {} : ready.task.errorFields;
		return fail(joint, accepted, { ...messages, ...more });
	}
	// A number whose record failed fails the item; one that the run did not come to does not.
	for (const result of results.values()) {
		if (result.kind === 'notSent') return fail(result.thrown, 'partly', messages);
	}
	if (untouched.length > 0) return [];
	const reached = parts.flatMap(({ numbers }) => numbers).join(',');
	return [{ json: { ...parts[0].output, to: reached, ...messages, ...omitted } }];
}

const isOverLimit = (result?: NumberResult): boolean =>
	result?.kind === 'leftOut' && result.refusal.reason !== 'duplicate';

function leftOutEntry(to: string, results: MessageItem['results']): IDataObject[] {
	const result = results.get(to);
	return result?.kind === 'leftOut' ? [{ to, reason: result.refusal.reason }] : [];
}

const duplicate = ({ ready }: MessageItem, to: string): IDataObject => ({
	duplicate: true,
	idempotencyKey: ready.terms.key,
	to,
});

function messagePart({ numbers, output, exchange: { outcome } }: Part): MessagePart {
	if ('value' in outcome) {
		return { numbers, output, failure: { statusCode: '', statusMsg: '', accepted: 'yes' } };
	}
	const { thrown } = outcome;
	return thrown instanceof ServiceFailure
		? { numbers, failure: thrown.facts }
		: { numbers, failure: { statusCode: '', statusMsg: '', accepted: 'unknown' } };
}

const notSentPart = (numbers: string[]): MessagePart => ({
	numbers,
	failure: { statusCode: '', statusMsg: '', accepted: 'no' },
});

function jointly(ways: ReadonlySet<Accepted | undefined>): Accepted {
	if (ways.has('yes')) return ways.size === 1 ? 'yes' : 'partly';
	return ways.has('unknown') ? 'unknown' : 'no';
}

/** What failed first, with advice for the item as a whole. */
function jointFailure(
	first: unknown,
	accepted: Accepted,
	ways: ReadonlySet<Accepted | undefined>,
): ServiceFailure {
	const facts =
		first instanceof ServiceFailure
			? first.facts
			: { happened: 'Something unforeseen happened', advice: '', statusCode: '', statusMsg: '' };
	const partly = accepted === 'partly' ? `${facts.advice} ${PARTLY}`.trim() : facts.advice;
	return new ServiceFailure({
		...facts,
		advice: ways.has('unknown') ? UNCLEAR : partly,
		accepted,
	});
}

const PARTLY =
	'Other requests of the same item were accepted: the list of messages says which numbers they were for.';
const UNCLEAR =
	'Nobody can tell whether every request of this item was accepted. The list of messages says which numbers are unclear: look them up in the Yuntongxun console first.';

const OPTIONS = { duplicate: 'Idempotency Key', limit: 'Max per Recipient', total: 'Max in Total' };

/** Why a number over a limit fails its item. */
function limitError({ reason, limit }: Refusal, at: number, count: number): NotSentError {
	const { max = 0, period = 'day' } = limit ?? {};
	const number = count === 1 ? "The number in 'To'" : `Number ${at + 1} in 'To'`;
	const times = max === 1 ? 'once' : `${max} times`;
	const when = period === 'day' ? 'today' : 'this hour';
	const happened =
		reason === 'total'
			? `This node has called or texted ${times} ${when}`
			: `${number} has been reached ${times} ${when} through this node`;
	return new NotSentError(
		`${happened}, as often as ${OPTIONS[reason]} allows`,
		`Send again after ${currentPeriod(period).end} (UTC+8).`,
	);
}
