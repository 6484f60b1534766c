import type { Resource } from '../operation';
import { get } from './get';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	operations: [get],
	defaultOperation: 'get',
};
