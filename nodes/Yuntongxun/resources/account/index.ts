import type { Resource } from '../../operation/defineOperation';
import { get } from './get';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	operations: [get],
	defaultOperation: 'get',
};
