import type { IDataObject } from 'n8n-workflow';

import { getTextMember } from '../../client/codec';
import type { Endpoint, Send } from '../../client/request';
import { defineTask } from '../../operation/defineOperation';
import { option } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { wholeNumber } from '../../operation/validators';
import { appId, limit, returnAll } from '../fields';
import { buildSubAccountOutput, omitSecretsOfAll as omitSecrets } from './fields';

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

/** The part of the list to read; records are counted from 0. */
interface Section {
	appId: string;
	start: number;
	/** Maximum number of records. */
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
	const found = new Map<unknown, IDataObject>();
	let { start } = section;
	while (found.size < section.count) {
		const page = await readPage(send, { ...section, start, count: section.count - found.size });
		const fresh = page.found.filter(({ subAccountSid }) => !found.has(subAccountSid));
		for (const account of fresh) found.set(account.subAccountSid, account);
		start += fresh.length;
		if (page.isLast || fresh.length === 0) break;
	}
	return [...found.values()].slice(0, section.count);
}

async function readPage(send: Send, { appId: application, start, ...section }: Section) {
	const answer = await send({
		endpoint: GET_SUB_ACCOUNTS,
		fields: {
			appId: application,
			startNo: String(start),
			// The service's name for the size of a page. Specification section 4.7.
			offset: String(Math.min(section.count, PAGE_SIZE)),
		},
	});
	const totalCount = answer.text('totalCount');
	const found = answer.records.map((record) => {
		const text = (name: string) => getTextMember(record, name);
		const others = {
			statusCode: answer.statusCode,
			friendlyName: text('friendlyName'),
			totalCount,
		};
		return buildSubAccountOutput({ text }, section.omitSecrets, others);
	});
	return { found, isLast: start + found.length >= Number(totalCount) };
}

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
		const section = {
			appId: values.appId,
			start: values.startNo ?? 0,
			count: values.returnAll ? Infinity : values.limit,
			omitSecrets: values.omitSecrets,
		};
		return { run: async (send) => await listSubAccounts(send, section) };
	},
});
