import type { Endpoint } from '../../service/client';
import type { Operation } from '../operation';
import { oneRequest } from '../operation';
import { fieldsOf, isoDate } from '../output';
import { OPTIONS_OF_PACE } from '../sharedFields';

/** Specification section 4.4. */
const ACCOUNT_INFO: Endpoint = {
	name: 'AccountInfo',
	method: 'GET',
	path: 'AccountInfo',
	member: 'Account',
	essential: 'friendlyName',
	changes: false,
};

/** Specification section 2.4. */
const TYPE_NAMES = new Map([
	['0', 'Trial'],
	['1', 'Registered'],
]);

/** Specification section 3. */
const STATUS_NAMES = new Map([
	['0', 'Not Activated'],
	['1', 'Activated'],
	['2', 'Suspended'],
	['3', 'Closed'],
]);

/** An amount as a number; null where the text is none. */
function amountOf(text: string): number | null {
	return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/** The main account and its balances. Specification sections 2.4 and 4.4. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get the account with its balance',
	description: 'Retrieves the main account, with its status and balances',
	endpoint: ACCOUNT_INFO,
	fields: [],
	options: OPTIONS_OF_PACE,
	prepare: () =>
		oneRequest(ACCOUNT_INFO, {}, (answer) => ({
			...fieldsOf(answer, [
				'statusCode',
				'friendlyName',
				'type',
				'status',
				'dateCreated',
				'dateUpdated',
				'balance',
				'subBalance',
			]),
			typeName: TYPE_NAMES.get(answer.text('type')) ?? 'Unknown',
			statusName: STATUS_NAMES.get(answer.text('status')) ?? 'Unknown',
			balanceAmount: amountOf(answer.text('balance')),
			subBalanceAmount: amountOf(answer.text('subBalance')),
			...isoDate('createdAt', answer.text('dateCreated')),
			...isoDate('updatedAt', answer.text('dateUpdated')),
		})),
};
