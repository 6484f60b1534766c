import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { quoteService, ServiceFailure, summarize } from '../client/serviceFailure';
import type { Accepted, FailureFacts } from '../client/serviceFailure';
import type { Skip } from '../idempotency/reservations';
import { ExplainedError } from '../language/explainedError';
import { joinMessage, joinSentences, translate } from '../language/translate';
import { limits as limitsOption } from '../operation/limits';
import { idempotencyKey } from '../operation/options';
import { escapeHtml, getWords } from '../util/text';
import type { FailedStatus, Item } from './model';

/** Why an item failed, in words. */
export interface ItemFailure {
	index: number;
	facts: FailureFacts;
	/** Whether the service answered; decides the class of the thrown error. */
	isFromService: boolean;
	/** Whether the service took it; undefined if that does not apply. */
	accepted?: Accepted;
	/** The numbers it was for, comma-separated. */
	to?: string;
	/** Further members of the error item. */
	more?: IDataObject;
}

/** The labels of the form that the texts below name. */
const LABELS = {
	key: idempotencyKey.property.displayName,
	limits: limitsOption.property.displayName,
};

/** The error for an ID that n8n perhaps did not record. @param error of the database */
export function buildUnrecordedError(error: unknown): Error {
	const summary = 'n8n did not record the {key} of a request, so it was not sent ({words})';
	return new ExplainedError(translate(summary, { ...LABELS, words: getWords(error) }));
}

/** The error for a run with more IDs than a node remembers. */
export function buildTooManyKeysError(needed: number, max: number): Error {
	return new ExplainedError(
		translate(
			'The numbers of this run need {needed} records for {key}, and a node remembers {max}, so nothing more was sent',
			{ ...LABELS, needed, max },
		),
		'Send the items in several runs, for example with Loop Over Items, and split a long list into several items.',
	);
}

/** The error for what a run does not send because the service hangs. */
export function buildHangingError(): Error {
	return new ExplainedError(
		'This was not sent, because it is unknown what became of the ten requests before it',
		'Send it again once Yuntongxun answers.',
	);
}

/** The error for a request that a stopped run did not send. */
export function buildUnsentError(): Error {
	return new ExplainedError('The run stopped before this request');
}

const REACHED = {
	number:
		"A number in 'To' has been reached through this node, or is about to be, as often as {limits} allows",
	total: 'This node has called or texted, or is about to, as often as {limits} allows',
	value:
		'This node has called or texted for this Value, or is about to, as often as {limits} allows',
};

/** The error for a limit that skips all numbers of an item. */
export function buildLimitError({ limit, end }: Extract<Skip, { reason: 'limit' }>): Error {
	const summary = translate(REACHED[limit.by], LABELS);
	return new ExplainedError(summary, translate('Send again after {end} (UTC+8).', { end }));
}

/** What to know of the ID of an item that failed before it is sent again, in sentences. */
export function adviseOnKey(item: Item, { accepted, mayCountAsUsed }: FailedStatus): string {
	if (mayCountAsUsed) {
		return translate(
			'{key} may count as used for numbers that were not reached. To send what was not accepted, use another {key}.',
			LABELS,
		);
	}
	const isUsed = accepted === 'unknown' && item.kind === 'message' && item.guards.key !== undefined;
	if (!isUsed) return '';
	return translate('Its {key} counts as used: to send it again, use another one.', LABELS);
}

/** Extracts what is known from anything thrown. */
export function findFacts(error: unknown): FailureFacts {
	if (error instanceof ServiceFailure) return error.facts;
	const { summary, remedy } =
		error instanceof ExplainedError ? error : new ExplainedError(getWords(error));
	return { summary, remedy, statusCode: '', statusMsg: '' };
}

/** Builds the error that goes on to the next node instead of an output. It has no secrets. */
export function toErrorJson({ index, facts, accepted, to, more }: ItemFailure): IDataObject {
	const { statusCode, statusMsg } = facts;
	const json: IDataObject = {
		message: `${getWholeMessage(facts)} [item ${index}]`,
		statusCode,
		statusMsg,
	};
	if (accepted) json.accepted = accepted;
	if (to) json.to = to;
	return { ...json, ...more };
}

/**
 * Builds the error that a node throws if it does not continue: the message says what happened, the
 * description what to do. Some AI agents see the message only, others both, so for them the message alone
 * has all of it.
 *
 * @param byAgent whether an AI agent reads it
 * @param warning what else to know before running anything again
 * @param report what became of all numbers, for the error's context
 */
export function toNodeError(
	node: INode,
	{ index, facts, isFromService, more }: ItemFailure,
	{ byAgent, warning = '', report = {} }: { byAgent: boolean; warning?: string; report?: object },
): NodeApiError | NodeOperationError {
	const advice = joinSentences(facts.remedy, warning);
	const words = byAgent ? joinSentences(getWholeMessage(facts), warning) : summarize(facts);
	const message = `${words} [item ${index}]`;
	const told = byAgent ? '' : advice;
	const description = escapeHtml(joinSentences(told, quoteService(facts))) || undefined;
	const options = { message, description, itemIndex: index };
	const error = isFromService
		? new NodeApiError(node, { message }, { ...options, httpCode: facts.statusCode })
		: new NodeOperationError(node, message, options);
	// n8n replaces a message that contains a code of Node.js, as those of broken databases do.
	error.message = message;
	Object.assign(error.context, more, { data: report });
	return error;
}

function getWholeMessage(facts: FailureFacts): string {
	return joinMessage(summarize(facts), facts.remedy);
}
