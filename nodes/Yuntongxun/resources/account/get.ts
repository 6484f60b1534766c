import type { IDataObject } from 'n8n-workflow';

import type { Answer, Endpoint } from '../../client/request';
import { buildRequestTask, defineTask, pick, readFields } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { toDateMember } from '../../util/serviceTime';
import { simplify } from '../fields';

/** Specification section 4.4. */
const ACCOUNT_INFO: Endpoint = {
	name: 'AccountInfo',
	members: ['Account'],
	essential: 'friendlyName',
	hasSideEffects: false,
};

/** Specification section 2.4. */
const TYPE_NAMES = new Map(Object.entries({ 0: 'Trial', 1: 'Registered' }));

/** Specification section 3. */
const ACCOUNT_STATUS_NAMES = new Map(
	Object.entries({ 0: 'Not Activated', 1: 'Activated', 2: 'Suspended', 3: 'Closed' }),
);

const SIMPLIFIED_ACCOUNT = [
	'friendlyName',
	'typeName',
	'statusName',
	'balanceAmount',
	'subBalanceAmount',
	'updatedAt',
];

/** Reads an amount; null if the text is not a number. */
function parseAmount(text: string): number | null {
	return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/** The main account and its balances. Specification sections 2.4 and 4.4. */
export const getAccount = defineTask({
	value: 'get',
	name: 'Get',
	action: 'Get account info and balance',
	description: 'Get the account with its status and balances',
	endpoint: ACCOUNT_INFO,
	fields: { simplify },
	options: OPTIONS_OF_REQUEST,
	prepare({ simplify: isSimplified }, { byAgent }) {
		return buildRequestTask(ACCOUNT_INFO, {}, (answer) => {
			const output = buildAccountOutput(answer);
			return isSimplified || byAgent ? pick(output, SIMPLIFIED_ACCOUNT) : output;
		});
	},
});

/** The service's own values, and readable names and numbers beside them. Specification section 2.4. */
function buildAccountOutput(answer: Answer): IDataObject {
	return {
		...readFields(answer, [
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
		statusName: ACCOUNT_STATUS_NAMES.get(answer.text('status')) ?? 'Unknown',
		balanceAmount: parseAmount(answer.text('balance')),
		subBalanceAmount: parseAmount(answer.text('subBalance')),
		...toDateMember('createdAt', answer.text('dateCreated')),
		...toDateMember('updatedAt', answer.text('dateUpdated')),
	};
}
