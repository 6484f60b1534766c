import type { Resource } from '../operation';
import { send } from './send';

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	operations: [send],
	defaultOperation: 'send',
};
