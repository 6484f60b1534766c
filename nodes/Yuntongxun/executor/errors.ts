import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { quoteService, ServiceFailure, summarize } from '../client/serviceFailure';
import type { Accepted, FailureFacts } from '../client/serviceFailure';
import type { Guards, Skip } from '../idempotency/reservations';
import { limits as limitsOption } from '../operation/limits';
import { idempotencyKey } from '../operation/options';
import { ValidationError } from '../operation/validationError';
import { isTool } from '../util/n8nInternals';
import { escapeHtml, getWords } from '../util/text';

/** Why an item failed, in words. */
export interface ItemFailure {
	index: number;
	facts: FailureFacts;
	/** Decides the class of the thrown error. A reached limit is thrown only if nothing else failed. */
	kind: 'service' | 'limit' | 'other';
	/** Whether the service took it; undefined if that does not apply. */
	accepted?: Accepted;
	/** The numbers it was for, comma-separated. */
	to?: string;
	/** Further members of the error item. */
	more?: IDataObject;
}

/** Something that kept a request from going out. */
class SendingError extends Error {
	constructor(
		readonly summary: string,
		readonly remedy: string,
	) {
		super(`${summary}. ${remedy}`);
	}
}

const KEY_LABEL = idempotencyKey.property.displayName;
const LIMITS_LABEL = limitsOption.property.displayName;

/** What to do if n8n's database did not confirm that it recorded or removed something. */
export const MAY_COUNT_AS_USED = `${KEY_LABEL} and ${LIMITS_LABEL} may count as used for numbers that were not reached. To send what was not accepted, use another ${KEY_LABEL} if you set one; a limit is free again in its next period.`;

/** The error for a key or count that n8n perhaps did not record. @param error of the database */
export function buildUnrecordedError(error: unknown): Error {
	const summary = `n8n did not record the ${KEY_LABEL} or the count of a request, so it was not sent`;
	return new SendingError(summary, `${MAY_COUNT_AS_USED} ${getWords(error)}`);
}

/** The error for what a run does not send because the service hangs. */
export function buildHangingError(): Error {
	return new SendingError(
		'This was not sent, because nobody can tell what became of the ten requests before it',
		'Send it again once Yuntongxun answers.',
	);
}

/** The error for a key or count that n8n perhaps did not remove after the run stopped. */
export function buildUnsentError(): Error {
	return new SendingError('The run stopped before this request', MAY_COUNT_AS_USED);
}

const PERIODS = { minute: 'within a minute', hour: 'this hour', day: 'today' };

/** The error for a limit that skips all numbers of an item. @param count how many numbers it has */
export function buildLimitError(
	{ limit, end }: Extract<Skip, { reason: 'limit' }>,
	count: number,
): Error {
	const often = limit.max === 1 ? 'once' : `${limit.max} times`;
	const when = `${often} ${PERIODS[limit.period]}`;
	const what = {
		number: `${count === 1 ? 'The' : 'A'} number in 'To' has been reached ${when} through this node`,
		total: `This node has called or texted ${when}`,
		value: `This node has called or texted ${when} for this Value`,
	}[limit.by];
	const summary = `${what}, as often as ${LIMITS_LABEL} allows`;
	return new SendingError(summary, `Send again after ${end} (UTC+8).`);
}

/** What follows from a request that may have been accepted, if it has a key or limits. */
export function warnOfUse({ key, limits = [] }: Guards): string {
	if (key !== undefined && limits.length > 0) {
		return `${KEY_LABEL} and ${LIMITS_LABEL} count it as sent: to send it again, use another ${KEY_LABEL}.`;
	}
	if (key !== undefined) {
		return `Its ${KEY_LABEL} counts as used: to send it again, use another one.`;
	}
	return limits.length > 0 ? `${LIMITS_LABEL} counts it as sent.` : '';
}

/** The service's code for an ID of a request that it has seen that day. Publicly known. */
const KNOWN_REQUEST_ID = '160054';

/** Says what the code for a known ID means after this node itself has sent the request before. */
export function explainOwnRepeat(facts: FailureFacts): FailureFacts {
	if (facts.statusCode !== KNOWN_REQUEST_ID) return facts;
	const remedy =
		'It knows the ID in Reports from this node, which had sent the request before: that was refused because of load. So do not take it for sent. To send it again, use another ID in Reports.';
	return { ...facts, remedy };
}

/** Extracts what is known from anything thrown. */
export function findFacts(error: unknown): FailureFacts {
	if (error instanceof ServiceFailure) return error.facts;
	const { summary, remedy } = splitMessage(error);
	return { summary, remedy, statusCode: '', statusMsg: '' };
}

function splitMessage(error: unknown): Pick<FailureFacts, 'summary' | 'remedy'> {
	if (error instanceof SendingError || error instanceof ValidationError) return error;
	return { summary: getWords(error), remedy: '' };
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
 * description what to do. AI agents see the message only, so for them it has both.
 *
 * @param warning what else to know before running anything again
 * @param report what became of all numbers, for the error's context
 */
export function toNodeError(
	node: INode,
	{ index, facts, kind, more }: ItemFailure,
	{ warning = '', report = {} }: { warning?: string; report?: object } = {},
): NodeApiError | NodeOperationError {
	const words = isTool(node)
		? [getWholeMessage(facts), warning].filter(Boolean).join(' ')
		: summarize(facts);
	const message = `${words} [item ${index}]`;
	const advice = [facts.remedy, warning, quoteService(facts)].filter(Boolean).join(' ');
	const description = escapeHtml(advice) || undefined;
	const options = { message, description, itemIndex: index };
	const error =
		kind === 'service'
			? new NodeApiError(node, { message }, { ...options, httpCode: facts.statusCode })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message that contains a code of Node.js, as those of broken databases do.
	error.message = message;
	Object.assign(error.context, more, { data: report });
	return error;
}

/**
 * The failure that a stopped run throws: the first that is not a limit, or else the first.
 *
 * @param failures one at least
 */
export function findThrown(failures: readonly ItemFailure[]): ItemFailure {
	return failures.find(({ kind }) => kind !== 'limit') ?? failures[0];
}

function getWholeMessage(facts: FailureFacts): string {
	return [summarize(facts), facts.remedy].filter(Boolean).join('. ');
}
