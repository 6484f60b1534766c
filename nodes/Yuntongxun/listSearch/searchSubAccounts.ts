import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readPages } from '../resources/subAccount/getAll';
import { preparePicker } from './pickerRequest';

/**
 * Fills the list of sub-accounts, a page at a time. n8n filters only the page it gets, so with a
 * filter this reads on until a page has a match. The list ends at the service's total or, within one
 * call, at a page with nothing new. Specification section 4.7.
 *
 * @param filter part of a name; case does not matter
 * @param paginationToken how many sub-accounts were read so far, in earlier calls
 * @throws NodeApiError without an App ID, or if the service gives no list
 * @throws UnusableCredential if the credential breaks a rule
 */
export async function searchSubAccounts(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const { send, appId } = await preparePicker(this, 'sub-accounts');
	const wanted = filter.toLowerCase();
	const start = Number(paginationToken);

	for await (const page of readPages(send, { appId, start, count: Infinity, omitSecrets: true })) {
		const results = page.found
			.map(toSubAccountChoice)
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		if (page.next === undefined) return { results };
		if (results.length > 0) return { results, paginationToken: String(page.next) };
	}
	return { results: [] };
}

function toSubAccountChoice({ friendlyName, subAccountSid }: IDataObject) {
	return { name: String(friendlyName), value: String(subAccountSid) };
}
