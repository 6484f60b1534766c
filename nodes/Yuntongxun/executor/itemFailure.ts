import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { ItemFailure } from '../execution/items';
import { acknowledgementOf } from '../operation/output';
import { ServiceFailure } from '../client/serviceFailure';

/**
 * Turns what was thrown for an item into n8n's error and error item.
 *
 * @param thrown by a check or by a request
 * @param about the item: its index, the numbers it was to reach, whether its operation changes
 * something, and whether a request can have been sent
 */
export function itemFailure(
	node: INode,
	thrown: unknown,
	about: { index: number; to?: string; changes: boolean; sent: boolean },
): ItemFailure {
	const facts =
		thrown instanceof ServiceFailure
			? thrown.facts
			: { statusCode: '', statusMsg: '', accepted: about.sent ? 'unknown' : 'no' };
	const messages = (thrown instanceof ServiceFailure && thrown.facts.messages) || [];
	const message = `${thrown instanceof Error ? thrown.message : 'Something unforeseen happened'} [item ${about.index}]`;
	return {
		error:
			thrown instanceof ServiceFailure
				? new NodeApiError(
						node,
						{ message },
						{
							message,
							description: facts.statusMsg && `Yuntongxun says: ${escapeHtml(facts.statusMsg)}`,
							httpCode: facts.statusCode,
							itemIndex: about.index,
						},
					)
				: new NodeOperationError(node, message, { itemIndex: about.index }),
		report: {
			message,
			statusCode: facts.statusCode,
			statusMsg: facts.statusMsg,
			...(about.changes && { accepted: facts.accepted }),
			...(about.to !== undefined && { to: about.to }),
			...(messages.length > 0 && { messages }),
		},
		mayHaveHappened: about.changes && facts.accepted !== 'no',
		receipts: messages
			.filter(({ accepted }) => accepted === 'yes')
			.map(acknowledgementOf)
			.filter((proof) => proof !== undefined),
	};
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
