import type { Resource } from '../resource';
import { send } from './send';

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	operations: [send],
	defaultOperation: 'send',
};
