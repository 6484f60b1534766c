import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted } from '../client/serviceFailure';
import { NotSentError } from './notSentError';

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

/** What goes on to the next node in the place of an output. Holds no secrets. */
export function reportOf({ index, thrown, accepted, to, more }: ItemFailure): IDataObject {
	const { statusCode, statusMsg } = serviceWords(thrown);
	const message = thrown instanceof Error ? thrown.message : UNFORESEEN;
	return {
		message: `${message} [item ${index}]`,
		statusCode,
		statusMsg,
		...(accepted !== undefined && { accepted }),
		...(to !== undefined && { to }),
		...more,
	};
}

/**
 * What is thrown where the node stops at failures: what happened, and as its description what to do.
 * An AI agent sees the message only, so there it has both.
 */
export function errorOf(
	node: INode,
	{ index, thrown }: ItemFailure,
): NodeApiError | NodeOperationError {
	const at = `[item ${index}]`;
	if (thrown instanceof ServiceFailure) {
		const { happened, advice, statusCode, statusMsg } = thrown.facts;
		const short = `${happened}${statusCode && ` (code ${statusCode})`}`;
		const message = `${node.type.endsWith('Tool') ? thrown.message : short} ${at}`;
		const words = statusMsg && `Yuntongxun says: ${escapeHtml(statusMsg)}`;
		return new NodeApiError(
			node,
			{ message },
			{
				message,
				description: [escapeHtml(advice), words].filter(Boolean).join(' '),
				httpCode: statusCode,
				itemIndex: index,
			},
		);
	}
	const message = thrown instanceof Error ? thrown.message : UNFORESEEN;
	return thrown instanceof NotSentError
		? new NodeOperationError(node, `${thrown.happened} ${at}`, {
				itemIndex: index,
				description: thrown.advice,
			})
		: new NodeOperationError(node, `${message} ${at}`, { itemIndex: index });
}

const UNFORESEEN = 'Something unforeseen happened';

function serviceWords(thrown: unknown): { statusCode: string; statusMsg: string } {
	return thrown instanceof ServiceFailure ? thrown.facts : { statusCode: '', statusMsg: '' };
}

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
