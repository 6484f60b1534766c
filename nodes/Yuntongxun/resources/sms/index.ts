import type { Resource } from '../../operation/defineOperation';
import { send } from './send';

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	operations: [send],
	defaultOperation: 'send',
};
