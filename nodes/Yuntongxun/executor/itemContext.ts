import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { signUrl } from '../callbacks/signedUrl';
import { activeTriggers } from '../trigger/activeTriggers';
import type { WaitingRun } from '../wait/waitingRun';
import type { ItemContext } from '../operation/itemContext';
import { readOption } from '../operation/defineOperation';
import type { Operation } from '../operation/defineOperation';
import { wireFormat } from '../resources/sharedFields';
import type { ServiceAccount } from '../client/account';
import { deriveKey } from '../client/accountKey';

/**
 * Reads one item's form from n8n.
 *
 * @param index of the item
 * @param account the checked credential
 * @param waiting this run of the node, should its calls wait for their results
 */
export function createItemContext(
	context: IExecuteFunctions,
	index: number,
	operation: Operation,
	account: ServiceAccount,
	waiting: WaitingRun,
): ItemContext {
	const node = context.getNode();
	const fields = new Map(
		Object.values(operation.fields).map((field) => [field.property.name, field]),
	);
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const chosen = new Map<string, unknown>();
	const triggers = () => activeTriggers(context, account);
	const form: ItemContext = {
		parameter: (name) => {
			const property = fields.get(name)?.property;
			return context.getNodeParameter(name, index, property?.default ?? '', {
				extractValue: property?.type === 'resourceLocator',
			});
		},
		chosen: (name) => {
			// Several fields depend on one, and n8n is slow to answer.
			if (!chosen.has(name)) chosen.set(name, fields.get(name)?.read(form));
			return chosen.get(name);
		},
		options,
		isExpression: (option) => {
			const stored = node.parameters.options as IDataObject | string | undefined;
			return String(typeof stored === 'object' ? stored[option] : stored).startsWith('=');
		},
		defaultAppId: account.appId,
		keyFor: (purpose) => deriveKey(account, purpose),
		inXml: false,
		byAgent: node.type.endsWith('Tool'),
		itemCount: context.getInputData().length,
		results: {
			waitAddress: () => waiting.address(),
			countCalls: (calls) => waiting.countCalls(index, calls),
			triggerUrls: () => triggers().map(({ url }) => url),
			relayUrl: () => triggers().find(({ canRelay }) => canRelay)?.url,
			inProduction: context.getMode() !== 'manual',
			knowsActive: () => triggers().every(({ isKnown }) => isKnown),
			sign: (url, expiresAt) => signUrl(url, account.authToken, expiresAt),
		},
	};
	return { ...form, inXml: readOption(operation, wireFormat, form) === 'xml' };
}
