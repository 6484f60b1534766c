import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { accountOf } from '../../service/account';
import { serviceClient } from '../../service/client';
import { FormRefusal } from '../form';
import { listPage } from './getAll';

/**
 * Feeds the list that a sub-account is picked from, a page at a time. With a filter it goes on to
 * the next page that has a match, since n8n itself looks only at what it was given.
 *
 * @param filter part of a name, in any case
 * @param paginationToken how many sub-accounts have been looked at so far
 */
export async function searchSubAccounts(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const account = accountOf(await this.getCredentials('yuntongxunApi'));
	const send = serviceClient(
		account,
		async (request) =>
			await this.helpers.httpRequestWithAuthentication.call(this, 'yuntongxunApi', request),
		'json',
		30_000,
	);
	const appId = String(this.getNodeParameter('appId', '') ?? '').trim() || account.appId;
	if (appId === '') throw new FormRefusal('Enter the App ID whose sub-accounts are to be listed');
	const wanted = filter.toLowerCase();
	for (let start = Number(paginationToken); ;) {
		const page = await listPage(send, { appId, start, count: Infinity });
		start += page.found.length;
		const results = page.found
			.map(({ friendlyName, subAccountSid }) => ({
				name: String(friendlyName),
				value: String(subAccountSid),
			}))
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		if (page.isLast || results.length > 0) {
			return { results, ...(!page.isLast && { paginationToken: String(start) }) };
		}
	}
}
