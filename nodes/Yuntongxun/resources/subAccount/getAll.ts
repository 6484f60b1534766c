import type { IDataObject } from 'n8n-workflow';

import type { Endpoint, Send } from '../../client/client';
import { textIn } from '../../client/codec';
import { option, parameter, withDefault } from '../../operation/field';
import { defineOperation } from '../../operation/defineOperation';
import { flag, wholeNumber } from '../../operation/validators';
import { mapConcurrent } from '../../util/concurrency';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { appId } from '../appId';
import { omitSecretsOption, subAccountOutput } from './fields';

/** Specification section 4.7. */
const GET_SUB_ACCOUNTS: Endpoint = {
	name: 'GetSubAccounts',
	root: 'SubAccount',
	essential: 'totalCount',
	essentialShape: /^\d+$/,
	essentialOfEach: 'subAccountSid',
	hasSideEffects: false,
};

/** Most records that one request may ask for. Specification section 8. */
const PAGE_SIZE = 100;

const returnAll = parameter(flag, {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = withDefault(
	parameter(wholeNumber, {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
);

const startNo = option(wholeNumber, {
	displayName: 'Skip',
	name: 'startNo',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many sub-accounts to skip at the start of the list: with 100 the 101st comes first',
});

const omitSecrets = omitSecretsOption(true);

/** Which part of the list to read; records are counted from 0. */
export interface Section {
	appId: string;
	start: number;
	/** At most so many records. */
	count: number;
	omitSecrets: boolean;
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
	const found = new Map([first.found, ...pages].flat().map((each) => [sidOf(each), each]));
	return [...found.values()].slice(0, section.count);
}

const sidOf = ({ subAccountSid }: IDataObject) => subAccountSid;

/** A section page after page: the service may give fewer records than it was asked for. */
async function listAll(send: Send, section: Section): Promise<IDataObject[]> {
	const { found, isLast } = await listPage(send, section);
	const [start, count] = [section.start + found.length, section.count - found.length];
	if (isLast || count <= 0) return found;
	return [...found, ...(await listAll(send, { ...section, start, count }))];
}

/** The first page of a section, and whether it is the last of the whole list. */
export async function listPage(send: Send, { appId: application, start, ...section }: Section) {
	const answer = await send({
		endpoint: GET_SUB_ACCOUNTS,
		fields: {
			appId: application,
			startNo: String(start),
			offset: String(Math.min(section.count, PAGE_SIZE)),
		},
	});
	const totalCount = answer.text('totalCount');
	const found = answer.records.map((record) => {
		const text = (name: string) => textIn(record, name);
		const others = { friendlyName: text('friendlyName'), totalCount };
		return subAccountOutput({ text }, section.omitSecrets, others);
	});
	const total = Number(totalCount);
	return { found, total, isLast: found.length === 0 || start + found.length >= total };
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
			count: values.returnAll ? Infinity : values.limit,
			omitSecrets: values.omitSecrets,
		};
		return { kind: 'direct', run: async (send) => await listSubAccounts(send, section) };
	},
});
