import type { Resource } from '../../operation/defineOperation';
import { check } from './check';
import { create } from './create';
import { send } from './send';

export const verificationCode: Resource = {
	value: 'verificationCode',
	name: 'Verification Code',
	operations: [check, create, send],
	defaultOperation: 'send',
};
