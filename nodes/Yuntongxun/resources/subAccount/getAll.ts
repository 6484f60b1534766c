import type { IDataObject } from 'n8n-workflow';

import { getTextMember } from '../../client/codec';
import type { Endpoint, Send } from '../../client/request';
import { defineTask } from '../../operation/defineOperation';
import { option } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { wholeNumber } from '../../operation/validators';
import { appId, limit, returnAll } from '../fields';
import { buildSubAccountOutput, omitSecrets } from './fields';

/** Specification section 4.7. */
const GET_SUB_ACCOUNTS: Endpoint = {
	name: 'GetSubAccounts',
	root: 'SubAccount',
	essential: 'totalCount',
	essentialShape: /^\d+$/,
	essentialOfEach: 'subAccountSid',
	hasSideEffects: false,
};

/** Maximum number of records in a request. Specification section 8. */
const PAGE_SIZE = 100;

const startNo = option(wholeNumber, {
	displayName: 'Skip',
	name: 'startNo',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many sub-accounts to skip at the start of the list',
});

/** Lists sub-accounts. Specification sections 2.5 and 4.7. */
export const getSubAccounts = defineTask({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sub accounts',
	description: 'Get the sub-accounts of an application',
	endpoint: GET_SUB_ACCOUNTS,
	fields: { returnAll, limit, appId },
	options: { startNo, omitSecrets, ...OPTIONS_OF_REQUEST },
	prepare(values) {
		const { omitSecrets: omit = true, returnAll: isAll } = values;
		const section = { ...values, omitSecrets: omit, count: isAll ? Infinity : values.limit };
		return { run: async (send) => await listSubAccounts(send, section) };
	},
});

interface Section {
	appId: string;
	startNo: number | undefined;
	count: number;
	omitSecrets: boolean;
}

/**
 * Reads a section of the list, page by page. If the list changes meanwhile, no sub-account comes twice. A
 * page with nothing new ends the list, whatever the total says. Specification section 4.7.
 *
 * @throws ServiceFailure
 */
async function listSubAccounts(send: Send, section: Section): Promise<IDataObject[]> {
	const { appId: application, startNo: skipped = 0, count } = section;
	const found = new Map<string, IDataObject>();
	let total = Infinity;
	while (found.size < count && skipped + found.size < total) {
		const answer = await send({
			endpoint: GET_SUB_ACCOUNTS,
			fields: {
				appId: application,
				startNo: String(skipped + found.size),
				// The service's name for the size of a page. Specification section 4.7.
				offset: String(Math.min(count - found.size, PAGE_SIZE)),
			},
		});
		const totalCount = answer.text('totalCount');
		total = Number(totalCount);

		const before = found.size;
		for (const record of answer.records) {
			const text = (name: string) => getTextMember(record, name);
			if (found.has(text('subAccountSid'))) continue;
			const others = {
				statusCode: answer.statusCode,
				friendlyName: text('friendlyName'),
				totalCount,
			};
			const output = buildSubAccountOutput({ text }, section.omitSecrets, others);
			found.set(text('subAccountSid'), output);
		}
		if (found.size === before) break;
	}
	return [...found.values()].slice(0, count);
}
