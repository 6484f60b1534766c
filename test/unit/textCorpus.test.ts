import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { createFormReader, validateItem } from '../../nodes/Yuntongxun/executor/readItem';
import { createAccountReader } from '../../nodes/Yuntongxun/client/credential';
import { findOperation } from '../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import rows from '../corpus/texts/table.json';
import { buildNode } from '../support/fakeN8n';
import { CREDENTIAL } from '../support/trip';

/** A text as it stands in the table. What it may hold beside the source: test/corpus/README.md. */
interface Row {
	field: string;
	/** What n8n hands over; `stored` is what the user entered, an expression where it is left out. */
	value: unknown;
	stored?: unknown;
	/** What it becomes on its way, where that is not the value as it is. */
	reads?: unknown;
	refused?: string;
	sent?: boolean;
	source: string;
}

const CALL = { resource: 'call', operation: 'notify', to: '13800000000', mediaTxt: 'Hello' };
const TEXT = { resource: 'sms', operation: 'send', to: '13800000000', templateId: '1' };
const TO_URL = { resultDelivery: 'url', respUrl: 'https://n8n.example.com/x' };
/** The form in which a value stands in its field. */
const FORMS: Record<string, (value: unknown) => Record<string, unknown>> = {
	mediaTxt: (mediaTxt) => ({ ...CALL, mediaTxt }),
	datas: (datas) => ({ ...TEXT, datas }),
	idempotencyKey: (idempotencyKey) => ({ ...CALL, options: { idempotencyKey } }),
	limitValue: (value) => ({ ...CALL, options: { limits: { rule: [{ by: 'value', value }] } } }),
	userData: (userData) => ({ ...CALL, ...TO_URL, options: { userData } }),
	friendlyName: (friendlyName) => ({
		resource: 'subAccount',
		operation: 'create',
		friendlyName,
	}),
	verifyCode: (verifyCode) => ({ ...CALL, operation: 'verify', voice: 'default', verifyCode }),
};

function readRow({ field, value, stored = '={{ $json.value }}' }: Row) {
	const form = FORMS[field];
	const entered = form(stored) as INodeParameters;
	const evaluated = form(value) as IDataObject;
	const context = {
		getMode: () => 'trigger',
		getNode: () => buildNode({ parameters: entered }),
		getWorkflow: () => ({ id: 'w', active: true }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			evaluated[name] ?? fallback,
	} as unknown as IExecuteFunctions;
	const operation = findOperation(RESOURCES, String(entered.resource), String(entered.operation));
	if (operation === undefined) throw new Error(`${field} is in no form`);
	return validateItem(
		operation,
		createFormReader(context, operation, createAccountReader(CREDENTIAL))(0),
		0,
	)[0];
}

/** What the request of an item holds under the field's name in the service. */
function findSent(item: ReturnType<typeof readRow>, field: string): unknown {
	if (item.kind !== 'message') return undefined;
	const { fields } = item.message.requestFor(['13800000000']);
	return fields[field];
}

const CASES = (rows as Row[]).map((row) => [row.field, JSON.stringify(row.value), row] as const);

it.each(CASES)('reads %s %s', (field, _value, row) => {
	if (row.refused !== undefined) {
		expect(() => readRow(row)).toThrow(row.refused);
		return;
	}
	const item = readRow(row);
	const isId = field === 'idempotencyKey' || field === 'limitValue' || field === 'friendlyName';
	if (!isId) expect(findSent(item, field)).toEqual(row.reads ?? row.value);
});
