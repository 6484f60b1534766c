import { account } from './account';
import { call } from './call';
import type { Operation } from './operation';
import type { Resource } from './resource';
import { sms } from './sms';
import { subAccount } from './subAccount';

/** All that the node can do, in the order in which the form shows it. */
export const RESOURCES: readonly Resource[] = [account, sms, subAccount, call];

/** The operation that two choices of a form name; undefined where they name none. */
export function operationOf(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
}
