import { NodeApiError } from 'n8n-workflow';
import type { ILoadOptionsFunctions, INode } from 'n8n-workflow';

import { createClient } from '../client/client';
import { parseCredential } from '../client/credential';
import { DEFAULT_TIMEOUT } from '../client/request';
import type { Send } from '../client/request';
import { quoteService, ServiceFailure, summarize } from '../client/serviceFailure';
import { createSignedHttp } from '../client/transport';
import { joinSentences, translate } from '../language/translate';
import { escapeHtml } from '../util/text';

/** What a picker needs for its request. */
export interface PickerRequest {
	send: Send;
	/** The App ID of the form, or else of the credential. */
	appId: string;
}

const MISSING = 'Enter the App ID whose templates the list should show';
const ADVICE = 'Choose By ID, and enter the number of the template.';

/**
 * Prepares the request of the picker of templates in the editor.
 *
 * @returns a `send` that throws NodeApiError where the service gives no list
 * @throws NodeApiError without an App ID: the editor shows no other error's description
 * @throws UnusableCredential if the credential breaks a rule
 */
export async function preparePicker(context: ILoadOptionsFunctions): Promise<PickerRequest> {
	const account = parseCredential(await context.getCredentials('yuntongxunApi'));
	const appId = readAppId(context) || account.appId;
	const node = context.getNode();
	if (appId === '') throw buildPickerError(node, MISSING, 'The credential can hold one, too.');

	const send = createClient(account, createSignedHttp(context), DEFAULT_TIMEOUT);
	return {
		appId,
		send: async (request) =>
			await send(request).catch((thrown: unknown) => {
				throw toPickerError(node, thrown);
			}),
	};
}

/**
 * The App ID of the form, trimmed; empty if the form leaves it to the credential.
 *
 * @throws NodeApiError for an expression without a value here: n8n's own error would name the node
 * that has not run yet, and the credential's App ID may be another one
 */
function readAppId(context: ILoadOptionsFunctions): string {
	const stored = String(context.getCurrentNodeParameter('appId') ?? '');
	const appId = String(resolveAppId(context) ?? '').trim();
	if (appId !== '' || !stored.startsWith('=')) return appId;
	throw buildPickerError(
		context.getNode(),
		'App ID is an expression that has no value yet',
		'Choose By ID instead of the list, or enter the App ID itself.',
	);
}

function resolveAppId(context: ILoadOptionsFunctions): unknown {
	try {
		return context.getNodeParameter('appId', '');
	} catch {
		return '';
	}
}

/** The error that the editor shows instead of the list; what the service had no part in stays as it is. */
function toPickerError(node: INode, thrown: unknown): unknown {
	if (!(thrown instanceof ServiceFailure)) return thrown;

	const { facts } = thrown;
	const description = joinSentences(translate(ADVICE), facts.remedy, quoteService(facts));
	return buildPickerError(node, summarize(facts), escapeHtml(description));
}

/** @param words of the message, in English or translated; so are those of the advice */
function buildPickerError(node: INode, words: string, advice: string): NodeApiError {
	const [message, description] = [translate(words), translate(advice)];
	return new NodeApiError(node, { message }, { message, description });
}
