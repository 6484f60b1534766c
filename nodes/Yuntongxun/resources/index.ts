import { account } from './account';
import { call } from './call';
import type { Operation, Resource } from '../operation/defineOperation';
import { sms } from './sms';
import { subAccount } from './subAccount';
import { verificationCode } from './verificationCode';

/** Every resource of the node, in the order of the form. */
export const RESOURCES: readonly Resource[] = [account, call, sms, subAccount, verificationCode];

/** The operation of a resource by their values; undefined if there is none. */
export function operationOf(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
}
