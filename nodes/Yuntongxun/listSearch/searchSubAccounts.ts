import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { ValidationError } from '../operation/validationError';
import { timeout } from '../operation/options';
import { listPage } from '../resources/subAccount/getAll';
import { parseCredential } from '../client/credential';
import { createClient } from '../client/client';
import { signedHttp } from '../client/transport';

/**
 * Fills the list to pick a sub-account from, a page at a time. n8n filters only the page it got, so
 * with a filter this goes on to the next page that has a match. A page that brings nothing new ends
 * the list, whatever total the service states. Specification section 4.7.
 *
 * @param filter part of a name, in any case
 * @param paginationToken how many sub-accounts were looked at so far
 * @throws ValidationError without an App ID, ServiceFailure if the service gives no list
 */
export async function searchSubAccounts(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const account = parseCredential(await this.getCredentials('yuntongxunApi'));
	const send = createClient(account, signedHttp(this), 'json', Number(timeout.property.default));
	const appId = String(this.getNodeParameter('appId', '') ?? '').trim() || account.appId;
	if (appId === '') {
		throw new ValidationError('Enter the App ID whose sub-accounts the list should show');
	}
	const wanted = filter.toLowerCase();
	const seen = new Set<unknown>();
	for (let start = Number(paginationToken); ;) {
		const section = { appId, start, count: Infinity, omitSecrets: true };
		const page = await listPage(send, section);
		start += page.found.length;
		const isLast = page.isLast || page.found.every((each) => seen.has(each.subAccountSid));
		for (const each of page.found) seen.add(each.subAccountSid);
		const results = page.found
			.map((each) => ({ name: String(each.friendlyName), value: String(each.subAccountSid) }))
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		if (isLast || results.length > 0) {
			return { results, ...(!isLast && { paginationToken: String(start) }) };
		}
	}
}
