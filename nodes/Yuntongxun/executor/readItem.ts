import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { buildStartUrl } from '../callbacks/callbackUrl';
import { deriveKey } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { DEFAULT_TIMEOUT } from '../client/request';
import { digestKey } from '../idempotency/reservations';
import { translate } from '../language/translate';
import type { Operation, ValuesOf } from '../operation/defineOperation';
import { holdsText, isExpression } from '../operation/field';
import type { ItemForm } from '../operation/field';
import { limits as limitsOption } from '../operation/limits';
import { idempotencyKey as idOption, requestsPerSecond } from '../operation/options';
import type { OPTIONS_OF_SENDING } from '../operation/options';
import { requireAllowed } from '../operation/recipientFilter';
import { ValidationError } from '../operation/validationError';
import { isUsedByAgent } from '../util/n8nInternals';
import { splitMessage } from './model';
import type { Item } from './model';

/**
 * Creates the function that reads an item's form from n8n, by its index.
 *
 * @returns the function, which throws UnusableCredential if the credential is unusable
 */
export function createFormReader(
	context: IExecuteFunctions,
	operation: Operation,
	readAccount: () => ApiCredential,
): (index: number) => ItemForm {
	const fields = new Map(
		Object.values(operation.fields).map((field) => [field.property.name, field]),
	);
	// A copy, so taken once.
	const node = context.getNode();
	const storedOptions = node.parameters.options as INodeParameters | undefined;
	const readParameter = createParameterReader(context, node.parameters);
	const byAgent = isUsedByAgent(context);
	const inProduction = context.getMode() !== 'manual';

	return (index) => {
		const account = readAccount();
		const chosen = new Map<string, unknown>();
		const form: ItemForm = {
			parameter: (name) => readParameter(index, name, fields.get(name)?.property),
			chosen: (name) => {
				// Several fields depend on one, and n8n is slow to answer.
				if (!chosen.has(name)) chosen.set(name, fields.get(name)?.read(form));
				return chosen.get(name);
			},
			options: (readParameter(index, 'options') || {}) as IDataObject,
			storedParameter: (name) => node.parameters[name],
			storedOption: (name) => storedOptions?.[name],
			account,
			keyFor: (purpose) => deriveKey(account, purpose),
			// An operation without a request takes any text, such as a code that somebody typed.
			inXml: operation.endpoint !== undefined && account.wireFormat === 'xml',
			byAgent,
			inProduction,
			buildStartUrl: (url) => buildStartUrl(url, account),
		};
		return form;
	};
}

/**
 * Creates the function that reads a node parameter for an item. n8n is slow to answer, so a parameter
 * that holds no expression is read for the first item only: it is the same for all.
 */
function createParameterReader(context: IExecuteFunctions, stored: INodeParameters) {
	const fixed = new Map<string, unknown>();

	return (index: number, name: string, property?: INodeProperties): unknown => {
		if (fixed.has(name)) return fixed.get(name);

		const value: unknown = context.getNodeParameter(name, index, property?.default ?? '', {
			extractValue: property?.type === 'resourceLocator',
		});
		if (!holdsText(stored[name], isExpression)) fixed.set(name, value);
		return value;
	};
}

/** Options that the executor handles for all operations. */
type FollowedOptions = Partial<ValuesOf<typeof OPTIONS_OF_SENDING>>;

/**
 * Checks one item's form as a whole, before anything is sent. Each field is read once.
 *
 * @throws ValidationError
 */
export function validateItem(operation: Operation, form: ItemForm, index: number): Item[] {
	if (operation.kind === 'task') {
		const { work: task, values } = operation.prepare(form);
		const { timeout = DEFAULT_TIMEOUT } = values as FollowedOptions;
		return [{ kind: 'task', index, task, timeout, status: { state: 'planned' } }];
	}
	const { work: message, values } = operation.prepare(form);
	const options = values as FollowedOptions;
	const { timeout = DEFAULT_TIMEOUT, allowedRecipients, idempotencyKey, limits, dryRun } = options;
	if (allowedRecipients) requireAllowed(message.recipients, allowedRecipients);
	return splitMessage({
		kind: 'message',
		index,
		message,
		timeout,
		idempotencyKey,
		guards: { key: idempotencyKey && digestKey(idempotencyKey), limits },
		perSecond: options.requestsPerSecond ?? 0,
		rehearsal: dryRun ? message.rehearse() : undefined,
	});
}

/** Options that compare with what the node did before. */
const REMEMBERING = [limitsOption, idOption, requestsPerSecond].map(({ property }) => property);

/**
 * Refuses what takes a memory, or a trigger beside the node. Call it where n8n makes node and workflow anew for
 * each use.
 *
 * @throws ValidationError
 */
export function requireNoMemory(operation: Operation, form: ItemForm): void {
	const takesMemory =
		operation.needsMemory ||
		REMEMBERING.some(({ name }) => Object.hasOwn(form.options, name)) ||
		wantsResult(operation, form);
	if (!takesMemory) return;
	throw new ValidationError(
		translate(
			'n8n recreates this node for every use, so limits, IDs, a pace, the check of codes and the results of calls do not work here',
		),
		'Put the node into a workflow, and give the agent that workflow as its tool.',
	);
}

function wantsResult(operation: Operation, form: ItemForm): boolean {
	const field = operation.fields.resultDelivery;
	if (field === undefined) return false;
	return ['trigger', 'wait'].includes(String(form.parameter(field.property.name)));
}
