import { NodeApiError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createClient, createSignedHttp } from '../client/client';
import { parseCredential } from '../client/credential';
import { DEFAULT_TIMEOUT } from '../client/request';
import { quoteService, ServiceFailure, summarize } from '../client/serviceFailure';
import { joinSentences, translate } from '../language/translate';
import { APPROVED, queryTemplates } from '../resources/smsTemplate/getAll';
import { buildTemplateLabel } from '../resources/smsTemplate/templateId';
import vendorTemplate from '../resources/smsTemplate/vendorTemplate.json';
import { escapeHtml } from '../util/text';

/**
 * Fills the list of templates, with one request: those that can be sent, the vendor's own among them.
 *
 * @param filter part of a title, an ID or a text; case does not matter
 * @throws NodeApiError without an App ID, or if the service gives no list
 * @throws UnusableCredential if the credential breaks a rule
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const account = parseCredential(await this.getCredentials('yuntongxunApi'));
	const appId = readAppId(this, account.appId);
	if (appId === '') {
		const advice =
			'Enter it here or in the credential. If it is an expression that has no value yet, choose By ID.';
		throw buildPickerError(this, translate('The list needs an App ID'), translate(advice));
	}

	const send = createClient(account, createSignedHttp(this), DEFAULT_TIMEOUT);
	const templates = await queryTemplates(send, appId).catch((thrown: unknown) => {
		throw toPickerError(this, thrown);
	});
	const wanted = filter.toLowerCase();
	const results = addVendorTemplate(templates)
		.filter(isUsable)
		.map(toTemplateChoice)
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}

/**
 * The App ID of the form, or else of the credential, trimmed; empty if there is none. An expression without a value
 * here leaves nothing to the credential, whose App ID may be another one.
 */
function readAppId(context: ILoadOptionsFunctions, ofCredential: string): string {
	const stored = String(context.getCurrentNodeParameter('appId') ?? '');
	try {
		const appId = String(context.getNodeParameter('appId', '') ?? '').trim();
		return appId === '' && !stored.startsWith('=') ? ofCredential : appId;
	} catch {
		return '';
	}
}

/**
 * Puts in front the vendor's own template, the only one that a trial account may send. The list of an account's
 * templates lacks it. Its text is publicly known; untried against the live service.
 */
function addVendorTemplate(templates: IDataObject[]): IDataObject[] {
	if (templates.some(({ id }) => id === vendorTemplate.id)) return templates;
	const title = translate('Template of trial accounts');
	return [{ ...vendorTemplate, title, status: APPROVED }, ...templates];
}

/** A template without a status may be approved: what the service really sends is untried. */
function isUsable({ status }: IDataObject): boolean {
	return status === APPROVED || status === '';
}

function toTemplateChoice({ id, title, content }: IDataObject): INodeListSearchItems {
	const name = buildTemplateLabel(String(title), String(id), String(content));
	return { name, value: String(id) };
}

/** The error that the editor shows instead of the list; what the service had no part in stays as it is. */
function toPickerError(context: ILoadOptionsFunctions, thrown: unknown): unknown {
	if (!(thrown instanceof ServiceFailure)) return thrown;

	const { facts } = thrown;
	const advice = translate('Choose By ID, and enter the number of the template.');
	const description = joinSentences(advice, facts.remedy, quoteService(facts));
	return buildPickerError(context, summarize(facts), escapeHtml(description));
}

/** The editor shows the description of no other error. */
const buildPickerError = (
	context: ILoadOptionsFunctions,
	message: string,
	description: string,
): NodeApiError => new NodeApiError(context.getNode(), { message }, { message, description });
