import { NodeApiError } from 'n8n-workflow';
import type { ILoadOptionsFunctions, INode } from 'n8n-workflow';

import { createClient } from '../client/client';
import type { Send } from '../client/client';
import { parseCredential } from '../client/credential';
import { ServiceFailure } from '../client/serviceFailure';
import { DEFAULT_TIMEOUT } from '../client/timeout';
import { createSignedHttp } from '../client/transport';
import { escapeHtml } from '../util/html';

/** What a picker needs for its request. */
export interface PickerRequest {
	send: Send;
	/** The App ID of the form, or else of the credential. */
	appId: string;
}

/**
 * Prepares the request of a picker in the editor.
 *
 * @param what the list shows, for the message where no App ID is known
 * @throws NodeApiError without an App ID: the editor shows no other error's description
 * @throws UnusableCredential if the credential breaks a rule
 */
export async function preparePicker(
	context: ILoadOptionsFunctions,
	what: string,
): Promise<PickerRequest> {
	const account = parseCredential(await context.getCredentials('yuntongxunApi'));
	const send = createClient(account, createSignedHttp(context), 'json', DEFAULT_TIMEOUT);
	const chosen = context.getNodeParameter('appId', '') ?? '';
	const appId = String(chosen).trim() || account.appId;

	if (appId === '') {
		const message = `Enter the App ID whose ${what} the list should show`;
		throw buildPickerError(context.getNode(), message, 'The credential can hold one, too.');
	}

	return { send, appId };
}

/**
 * Builds the error that the editor shows instead of the list.
 *
 * @param thrown by the request
 * @param advice what the user can do without the list
 * @returns what was thrown, unchanged, if the service had no part in it
 */
export function toPickerError(node: INode, thrown: unknown, advice: string): unknown {
	if (!(thrown instanceof ServiceFailure)) return thrown;

	const { summary, remedy, statusCode, statusMsg } = thrown.facts;
	const code = statusCode === '' ? '' : ` (code ${statusCode})`;
	const words = statusMsg === '' ? '' : `Yuntongxun says: ${statusMsg}`;
	const description = escapeHtml([advice, remedy, words].filter(Boolean).join(' '));
	return buildPickerError(node, `${summary}${code}`, description);
}

function buildPickerError(node: INode, message: string, description: string): NodeApiError {
	return new NodeApiError(node, { message }, { message, description });
}
