import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { translate } from '../language/translate';
import {
	APPROVED,
	buildTemplateLabel,
	queryTemplates,
	VENDOR_TEMPLATE,
} from '../resources/smsTemplate/templates';
import { preparePicker } from './pickerRequest';

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
	const { send, appId } = await preparePicker(this);
	const templates = await queryTemplates(send, appId);
	const wanted = filter.toLowerCase();
	const results = addVendorTemplate(templates)
		.filter(isUsable)
		.map(toTemplateChoice)
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}

/** Puts the vendor's template in front, unless the account has one with its ID. */
function addVendorTemplate(templates: IDataObject[]): IDataObject[] {
	if (templates.some(({ id }) => id === VENDOR_TEMPLATE.id)) return templates;
	const title = translate('Template of trial accounts');
	return [{ ...VENDOR_TEMPLATE, title, status: APPROVED }, ...templates];
}

/** A template without a status may be approved: what the service really sends is untried. */
function isUsable({ status }: IDataObject): boolean {
	return status === APPROVED || status === '';
}

function toTemplateChoice({ id, title, content }: IDataObject): INodeListSearchItems {
	const name = buildTemplateLabel(String(title), String(id), String(content));
	return { name, value: String(id) };
}
