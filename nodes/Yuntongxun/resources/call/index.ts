import type { Resource } from '../../operation/defineOperation';
import { notify } from './notify';
import { verify } from './verify';

export const call: Resource = {
	value: 'call',
	name: 'Call',
	operations: [notify, verify],
	defaultOperation: 'notify',
};
