import type { Resource } from '../../operation/defineOperation';
import { close } from './close';
import { create } from './create';
import { getAll } from './getAll';
import { getByName } from './getByName';

export const subAccount: Resource = {
	value: 'subAccount',
	name: 'Sub-Account',
	operations: [close, create, getByName, getAll],
	defaultOperation: 'create',
};
