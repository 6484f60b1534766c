import type { IDataObject } from 'n8n-workflow';

import { redactUrl } from '../callbacks/callbackUrl';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import type { Answer } from '../client/client';
import type { Refusal } from '../idempotency/reservations';
import type { Message } from '../operation/defineOperation';
import { acknowledgementOf, pick } from '../operation/output';
import { acceptedBy, isMessageItem } from './item';
import type { Item, MessageItem, Outcome } from './item';
import { factsOf, reportOf } from './itemFailure';
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
	const { index, outcome } = item;
	if (!outcome) return isMessageItem(item) ? resultOfMessage(item) : summaryOf([], []);
	const accepted = changes ? acceptedBy(outcome) : undefined;
	const jsons = 'value' in outcome ? outcome.value : [];
	const written = 'thrown' in outcome ? [{ index, thrown: outcome.thrown, accepted }] : [];
	return summaryOf(
		[...written, ...jsons.map((json) => ({ json }))],
		[{ numbers: [], isSent: outcome.isSent, accepted, output: jsons[0] }],
	);
}

function resultOfMessage(item: MessageItem): ItemResult {
	const parts = partsOf(item);
	const overLimit = [...item.results].flatMap(([to, result]) =>
		'reason' in result && result.reason !== 'duplicate' ? [to] : [],
	);
	return summaryOf(outputOf(item, parts), [...parts, { numbers: overLimit, isSent: false }]);
}

type Written = { json: IDataObject } | ItemFailure;

/** Numbers of an item that shared a request, or that no request named. */
interface Part {
	numbers: string[];
	isSent: boolean;
	accepted?: Accepted;
	/** The json of an accepted request. */
	output?: IDataObject;
	thrown?: unknown;
}

function summaryOf(written: readonly Written[], parts: readonly Part[]): ItemResult {
	const failure = written.find((each) => 'thrown' in each);
	const isBegun = parts.some(({ isSent }) => isSent);
	const missed = listOf(parts.filter(({ isSent }) => !isSent));
	const partsThat = (accepted: Accepted) => parts.filter((part) => part.accepted === accepted);
	return {
		outputs: written.map((each) => ('thrown' in each ? { error: reportOf(each) } : each.json)),
		failure,
		accepted: partsThat('yes')
			.map((part) => part.output ?? { statusCode: '000000', to: listOf([part]) })
			.map(acknowledgementOf)
			.filter((each) => each !== undefined),
		unclear: partsThat('unknown').map((part) => ({ to: listOf([part]) })),
		notReached: isBegun && missed ? [{ to: missed }] : [],
		notAttempted: !isBegun && (failure !== undefined || written.length === 0),
	};
}

const numbersIn = (parts: readonly Part[]) => parts.flatMap(({ numbers }) => numbers);

/** Comma-separated; undefined if there are none. */
const listOf = (parts: readonly Part[]) => numbersIn(parts).join(',') || undefined;

/** What became of the numbers that were not left out, request by request. */
function partsOf({ ready, results }: MessageItem): Part[] {
	const shared = new Map<Outcome<Answer> | undefined, string[]>();
	for (const to of ready.task.recipients) {
		const result = results.get(to);
		if (result && 'reason' in result) continue;
		const numbers = shared.get(result) ?? [];
		numbers.push(to);
		shared.set(result, numbers);
	}
	return [...shared].map(([outcome, numbers]): Part => {
		if (!outcome) return { numbers, isSent: false, accepted: 'no' };
		const output = 'value' in outcome ? ready.task.outputFor(outcome.value, numbers) : undefined;
		return { ...outcome, numbers, accepted: acceptedBy(outcome), output };
	});
}

/** The output item; none if the run stopped before all of its numbers. */
function outputOf(
	{ index, ready: { route, task, terms, isDryRun }, results }: MessageItem,
	parts: readonly Part[],
): Written[] {
	const isList = task.maxNumbersPerRequest > 1;
	const to = task.recipients.join(',');
	const leftOut = task.recipients.flatMap((number) => {
		const result = results.get(number);
		return result && 'reason' in result ? [{ ...result, to: number }] : [];
	});
	const more: IDataObject = {};
	if (isList && parts.length > 1) more.messages = parts.map(entryFor);
	if (isList && leftOut.length > 0)
		more.leftOut = leftOut.map(({ to, reason }) => ({ to, reason }));
	const failed = parts.find(({ thrown }) => thrown !== undefined);
	if (failed) {
		const thrown = parts.length > 1 ? jointFailure(failed.thrown, parts) : failed.thrown;
		const { accepted } = thrown instanceof ServiceFailure ? thrown.facts : failed;
		if (accepted !== 'no') Object.assign(more, task.errorFields);
		return [{ index, thrown, accepted, to, more }];
	}
	if (isDryRun) return [{ json: shownRequest(task, numbersIn(parts), route?.respUrl) }];
	if (parts.some(({ isSent }) => !isSent)) return [];
	if (parts.length > 0) {
		return [{ json: { ...parts[0].output, to: listOf(parts), ...more } }];
	}
	const over = leftOut.find(({ reason }) => reason !== 'duplicate');
	if (!over) return [{ json: { duplicate: true, idempotencyKey: terms.key, to } }];
	const thrown = limitError(over, task.recipients.length);
	return [{ index, thrown, accepted: 'no', to, more }];
}

/** What became of one of several requests of an SMS. Specification section 2.3. */
function entryFor({ numbers, output, thrown, accepted }: Part): IDataObject {
	const { statusCode, statusMsg } = factsOf(thrown);
	return {
		...{ to: numbers.join(','), statusCode, smsMessageSid: '', dateCreated: '' },
		...pick(output ?? {}, ['statusCode', 'smsMessageSid', 'dateCreated']),
		...{ statusMsg, accepted },
	};
}

/** What a dry run shows. */
function shownRequest(task: Message, numbers: string[], address?: string): IDataObject {
	const { endpoint, fields } = task.requestFor(numbers, address);
	const { respUrl } = fields;
	const shown = typeof respUrl === 'string' && { respUrl: redactUrl(respUrl) };
	const request = { ...fields, ...shown };
	return { dryRun: true, endpoint: endpoint.name, request, to: numbers.join(','), ...task.preview };
}

/** What failed first of several requests, with advice for the item as a whole. */
function jointFailure(first: unknown, parts: readonly Part[]): ServiceFailure {
	const facts = factsOf(first);
	const ways = new Set(parts.map((part) => part.accepted));
	const mixed = ways.has('yes') ? 'partly' : 'unknown';
	const accepted = ways.size > 1 ? mixed : parts[0].accepted;
	const remedy = accepted === 'no' || accepted === 'yes' ? facts.remedy : SEE_MESSAGES;
	return new ServiceFailure({ ...facts, remedy, accepted });
}

const SEE_MESSAGES =
	'The list of messages says which numbers of this item were accepted, and which are unclear: keep the accepted ones out of To, and look up the unclear ones in the Yuntongxun console first.';

/** Why a number over a limit fails its item. @param count how many numbers the item names */
function limitError({ reason, limit }: Refusal, count: number): Error {
	const { max = 0, period = 'day', end = '' } = limit ?? {};
	const number = `${count === 1 ? 'The' : 'A'} number in 'To'`;
	const often = `${max === 1 ? 'once' : `${max} times`} ${period === 'day' ? 'today' : 'this hour'}`;
	const happened =
		reason === 'total'
			? `This node has called or texted ${often}, as often as Max in Total allows`
			: `${number} has been reached ${often} through this node, as often as Max per Recipient allows`;
	return new Error(`${happened}. Send again after ${end} (UTC+8).`);
}
