import type { Resource } from '../../operation/defineOperation';
import { check } from './check';
import { create } from './create';

export const verificationCode: Resource = {
	value: 'verificationCode',
	name: 'Verification Code',
	operations: [check, create],
	defaultOperation: 'create',
};
