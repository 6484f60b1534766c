import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted, FailureFacts } from '../client/serviceFailure';

/** Why an item, or one number of it, has no output. */
export interface ItemFailure {
	index: number;
	thrown: unknown;
	/** Whether the service took it; undefined where that means nothing. */
	accepted?: Accepted;
	/** The numbers it was for, comma-separated. */
	to?: string;
	/** Further members of the error item. */
	more?: IDataObject;
}

/** What is known of anything that was thrown. */
export function factsOf(thrown: unknown): FailureFacts {
	if (thrown instanceof ServiceFailure) return thrown.facts;
	const summary = messageOf(thrown);
	return { summary, remedy: '', statusCode: '', statusMsg: '', accepted: 'unknown' };
}

/** What goes on to the next node in the place of an output. Holds no secrets. */
export function reportOf({ index, thrown, accepted, to, more }: ItemFailure): IDataObject {
	const { statusCode, statusMsg } = factsOf(thrown);
	return {
		message: `${messageOf(thrown)} [item ${index}]`,
		statusCode,
		statusMsg,
		...(accepted && { accepted }),
		...(to && { to }),
		...more,
	};
}

/**
 * What is thrown where the node stops at failures: what happened, and as its description what to do.
 * An AI agent sees the message only, so there it has both.
 *
 * @param run what became of the other items, for the error's context
 */
export function errorOf(
	node: INode,
	{ index, thrown, more }: ItemFailure,
	run: object = {},
): NodeApiError | NodeOperationError {
	const { summary, remedy, statusCode, statusMsg } = factsOf(thrown);
	const short = `${summary}${statusCode && ` (code ${statusCode})`}`;
	const message = `${node.type.endsWith('Tool') ? messageOf(thrown) : short} [item ${index}]`;
	const words = statusMsg && `Yuntongxun says: ${statusMsg}`;
	const description = escapeHtml([remedy, words].filter(Boolean).join(' ')) || undefined;
	const options = { message, description, itemIndex: index };
	const error =
		thrown instanceof ServiceFailure
			? new NodeApiError(node, { message }, { ...options, httpCode: statusCode })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message that holds a code of Node.js, such as the words of a broken database.
	error.message = message;
	Object.assign(error.context, more, run);
	return error;
}

const messageOf = (thrown: unknown): string =>
	thrown instanceof Error ? thrown.message : 'Something unforeseen happened';

const HTML_SIGNS: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** n8n shows an error's description as HTML. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => HTML_SIGNS[sign]);
}
