import type { IDataObject } from 'n8n-workflow';

import type { Answer, Endpoint, Send, ServiceRequest } from '../../client/client';
import { textIn } from '../../client/wireObject';
import type { WireObject } from '../../client/wireObject';
import { option, parameter } from '../../operation/field';
import { defineOperation } from '../../operation/defineOperation';
import { isoDate } from '../../operation/output';
import { flag, wholeNumber } from '../../operation/validators';
import { mapConcurrent } from '../../util/concurrency';
import { appId, OPTIONS_OF_REQUEST } from '../sharedFields';
import { omitSecretsOption, withoutSecrets } from './fields';

/** Specification section 4.7. */
const GET_SUB_ACCOUNTS: Endpoint = {
	name: 'GetSubAccounts',
	method: 'POST',
	path: 'GetSubAccounts',
	root: 'SubAccount',
	member: 'SubAccount',
	essential: 'totalCount',
	essentialShape: /^\d+$/,
	essentialOfEach: 'subAccountSid',
	changes: false,
};

/** Most records that one request may ask for. Specification section 8. */
const PAGE_SIZE = 100;

const returnAll = parameter(
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	flag,
);

const limit = parameter(
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
	wholeNumber,
);

const startNo = option(
	{
		displayName: 'Skip',
		name: 'startNo',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many sub-accounts to skip at the start of the list: with 100 the 101st comes first',
	},
	wholeNumber,
);

const omitSecrets = omitSecretsOption(true);

/** Which part of the list to read; records are counted from 0. */
export interface Section {
	appId: string;
	start: number;
	/** At most so many records. */
	count: number;
}

/** How many pages are read at the same time, at most. */
const PAGES_AT_ONCE = 10;

/**
 * The sub-accounts of a section of the list. The first page tells how many there are; the others
 * are read at the same time, and come out in order. Where the list changes meanwhile, none comes
 * out twice. A page that brings nothing new ends the list, whatever the total says.
 * Specification section 4.7.
 */
async function listSubAccounts(send: Send, section: Section): Promise<IDataObject[]> {
	const first = await listPage(send, section);
	const size = first.found.length;
	const end = Math.min(section.start + section.count, first.total);
	const seen = new Set(first.found.map(sidOf));
	let isOver = first.isLast;
	function* otherPages() {
		for (let start = section.start + size; !isOver && start < end; start += size) {
			yield { ...section, start, count: Math.min(size, end - start) };
		}
	}
	const pages = await mapConcurrent(otherPages(), PAGES_AT_ONCE, async (page) => {
		const records = await listAll(send, page);
		isOver ||= records.every((each) => seen.has(sidOf(each)));
		for (const each of records) seen.add(sidOf(each));
		return records;
	});
	const found = new Map<unknown, IDataObject>();
	for (const each of [first.found, ...pages].flat()) {
		if (!found.has(sidOf(each))) found.set(sidOf(each), each);
	}
	return [...found.values()].slice(0, section.count);
}

const sidOf = ({ subAccountSid }: IDataObject) => subAccountSid;

/** A section page after page: the service may give fewer records than it was asked for. */
async function listAll(send: Send, section: Section): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	for (let isLast = false; !isLast && found.length < section.count;) {
		const page = await listPage(send, {
			appId: section.appId,
			start: section.start + found.length,
			count: section.count - found.length,
		});
		found.push(...page.found);
		isLast = page.isLast;
	}
	return found;
}

/** The first page of a section, and whether it is the last of the whole list. */
export async function listPage(
	send: Send,
	section: Section,
): Promise<{ found: IDataObject[]; total: number; isLast: boolean }> {
	const answer = await send(pageRequest(section));
	const found = answer.records.map((record) => subAccount(record, answer));
	const end = section.start + found.length;
	const total = Number(answer.text('totalCount'));
	return { found, total, isLast: found.length === 0 || end >= total };
}

function pageRequest({ appId: application, start, count }: Section): ServiceRequest {
	return {
		endpoint: GET_SUB_ACCOUNTS,
		fields: {
			appId: application,
			startNo: String(start),
			offset: String(Math.min(count, PAGE_SIZE)),
		},
	};
}

function subAccount(record: WireObject, answer: Answer): IDataObject {
	const field = (name: string) => ({ [name]: textIn(record, name) });
	return {
		...field('subAccountSid'),
		...field('subToken'),
		...field('friendlyName'),
		...field('dateCreated'),
		...isoDate('createdAt', textIn(record, 'dateCreated')),
		...field('voipAccount'),
		...field('voipPwd'),
		totalCount: answer.text('totalCount'),
	};
}

/** Lists sub-accounts. Specification sections 2.5 and 4.7. */
export const getAll = defineOperation({
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
			count: values.limit ?? (values.returnAll ? Infinity : Number(limit.property.default)),
		};
		const omit = values.omitSecrets;
		return {
			complete: async (send) => {
				const found = await listSubAccounts(send, section);
				return omit ? found.map(withoutSecrets) : found;
			},
		};
	},
});
