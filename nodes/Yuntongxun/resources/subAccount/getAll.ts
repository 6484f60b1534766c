import type { IDataObject } from 'n8n-workflow';

import { beginInOrder } from '../../execution/inOrder';
import type { Answer, Endpoint, Send, ServiceRequest } from '../../service/client';
import { textOf } from '../../service/members';
import type { Members } from '../../service/members';
import { option, parameter } from '../form';
import type { Operation } from '../operation';
import { isoDate } from '../output';
import { flag, wholeNumber } from '../rules';
import { appId } from '../sharedFields';
import { omitSecretsOption, withoutSecrets } from './fields';

/** Specification section 4.7. */
const GET_SUB_ACCOUNTS: Endpoint = {
	name: 'GetSubAccounts',
	method: 'POST',
	path: 'GetSubAccounts',
	root: 'SubAccount',
	member: 'SubAccount',
	essential: 'totalCount',
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
		displayName: 'Start Number',
		name: 'startNo',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many sub-accounts to skip at the beginning of the list: 100 begins with the 101st',
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
 * out twice. Specification section 4.7.
 */
async function listSubAccounts(send: Send, section: Section): Promise<IDataObject[]> {
	const first = await listPage(send, section);
	const size = first.found.length;
	// Where the service does not count, the rest is read page after page.
	const isCounted = !Number.isNaN(first.total);
	const end = Math.min(section.start + section.count, isCounted ? first.total : Infinity);
	const stride = isCounted ? size : Infinity;
	const rest: Section[] = [];
	if (!first.isLast) {
		for (let start = section.start + size; start < end; start += stride) {
			rest.push({ ...section, start, count: Math.min(stride, end - start) });
		}
	}
	const pages = [first.found];
	await beginInOrder(rest, PAGES_AT_ONCE, async (part, position) => {
		pages[position + 1] = await listAll(send, part);
	});
	const found = new Map<unknown, IDataObject>();
	for (const each of pages.flat()) {
		if (!found.has(each.subAccountSid)) found.set(each.subAccountSid, each);
	}
	return [...found.values()].slice(0, section.count);
}

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

function subAccount(record: Members, answer: Answer): IDataObject {
	const field = (name: string) => ({ [name]: textOf(record, name) });
	return {
		...field('subAccountSid'),
		...field('subToken'),
		...field('friendlyName'),
		...field('dateCreated'),
		...isoDate('createdAt', textOf(record, 'dateCreated')),
		...field('voipAccount'),
		...field('voipPwd'),
		totalCount: answer.text('totalCount'),
	};
}

/** Lists sub-accounts. Specification sections 2.5 and 4.7. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sub accounts',
	description: 'Lists the sub-accounts of an application',
	endpoint: GET_SUB_ACCOUNTS,
	fields: [appId, returnAll, limit],
	options: [startNo, omitSecrets],
	prepare(form) {
		const section = {
			appId: appId.read(form),
			start: startNo.read(form) ?? 0,
			count: limit.read(form) ?? (returnAll.read(form) ? Infinity : Number(limit.property.default)),
		};
		const omit = omitSecrets.read(form);
		return {
			request: pageRequest(section),
			complete: async (send) => {
				const found = await listSubAccounts(send, section);
				return omit ? found.map(withoutSecrets) : found;
			},
		};
	},
};
