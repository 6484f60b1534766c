import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../nodes/Yuntongxun/client/request';
import { requireNoMemory, validateItem } from '../../../nodes/Yuntongxun/executor/readItem';
import {
	defineMessage,
	defineTask,
	findOperation,
} from '../../../nodes/Yuntongxun/operation/defineOperation';
import type { Message, Operation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import type { ItemForm } from '../../../nodes/Yuntongxun/operation/field';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { OPTIONS_OF_SENDING } from '../../../nodes/Yuntongxun/operation/options';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { buildForm } from '../../support/form';
import { showItem, sms } from '../../support/messages';

const ENDPOINT: Endpoint = {
	name: 'TemplateSMS',
	path: 'SMS/TemplateSMS',
	root: 'TemplateSMS',
	hasSideEffects: true,
};
const NUMBERS = ['13800000000', '13800000001'];
const FIELDS = { datas: ['1'] };

const message = (changes: Partial<Message> = {}): Message => ({
	...sms(NUMBERS),
	requestFor: (to) => ({ endpoint: ENDPOINT, fields: { to: to.join(','), ...FIELDS } }),
	...changes,
});

const SEND = {
	value: 'send',
	name: 'Send',
	action: 'Send',
	description: 'Sends',
	endpoint: ENDPOINT,
	fields: {},
};
const operationFor = (prepare: () => Message): Operation =>
	defineMessage({ ...SEND, options: OPTIONS_OF_SENDING, prepare });

const SENDING = operationFor(() => message());
/** Reaches nobody, and so offers no such options. */
const QUIET = defineTask({ ...SEND, options: {}, prepare: () => ({ run: async () => [{}] }) });

const validated = (options: IDataObject, changes: Partial<ItemForm> = {}, operation = SENDING) =>
	validateItem(operation, buildForm({}, { options, ...changes }), 0)[0];
const guardsFor = (options: IDataObject, changes: Partial<ItemForm> = {}) => {
	const item = validated(options, changes);
	return item.kind === 'message' ? item.guards : undefined;
};
const outputsFor = (options: IDataObject, message: Message) => {
	const operation = operationFor(() => message);
	return showItem(validated(options, {}, operation)).outputs;
};

describe('an item', () => {
	it('is refused if it breaks a rule', () => {
		const broken = operationFor(() => {
			throw new ValidationError('no');
		});
		expect(() => validated({}, {}, broken)).toThrow(new ValidationError('no'));
	});

	it('is ready to send, with its timeout and its ID', () => {
		expect(validated({})).toMatchObject({ kind: 'message', index: 0, timeout: 30_000 });
		expect(validated({ timeout: 1234, idempotencyKey: ' order-42\n' })).toMatchObject({
			timeout: 1234,
			idempotencyKey: 'order-42',
			// From openssl: sha256 of `order-42`.
			guards: { key: 'O_ixV8Qjju_lrkpm7Kgca4h9Tc7bWN1nQnGFn03C7f0' },
		});
		expect(validated({}, {}, QUIET)).toMatchObject({
			kind: 'task',
			timeout: 30_000,
			status: { state: 'planned' },
		});
		expect([{}, { requestsPerSecond: 5 }].map((each) => validated(each))).toMatchObject([
			{ perSecond: 0 },
			{ perSecond: 5 },
		]);
	});
});

describe('allowed recipients', () => {
	it.each(['1380000000*', '13800000000, 13800000001', '+86*'])('%j allow them all', (allowed) => {
		const item = validated({ allowedRecipients: allowed });
		expect(item).toMatchObject({
			recipients: NUMBERS.map((text) => ({ text })),
		});
	});

	it.each(['13800000000', '139*'])('%j refuse the item as a whole', (allowed) => {
		expect(() => validated({ allowedRecipients: allowed })).toThrow(
			/^'To' has a number that is not in Allowed Recipients: entry [12]\. If this node may contact it, add it to Allowed/,
		);
	});

	it('apply to a dry run, too', () => {
		expect(() => validated({ allowedRecipients: '139*', dryRun: true })).toThrow(ValidationError);
	});
});

describe('a dry run', () => {
	it('keeps its ID, which counts toward the most that a run can have', () => {
		// From openssl: sha256 of `a`.
		const key = 'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs';
		expect(guardsFor({ dryRun: true, idempotencyKey: 'a' })).toEqual({ key });
	});

	it('does nothing when switched off', () => {
		expect(outputsFor({ dryRun: false }, message())).toEqual([]);
	});
});

it('options left over from another operation are ignored', () => {
	const leftOver = {
		dryRun: 'maybe',
		allowedRecipients: ['x'],
		idempotencyKey: ['x'],
		requestsPerSecond: 'x',
		timeout: -1,
	};
	expect(validated(leftOver, {}, QUIET)).toMatchObject({ kind: 'task' });
});

describe('the limits', () => {
	const limitsFor = (limits: unknown, storedOption = () => limits) =>
		guardsFor({ limits } as IDataObject, { storedOption })?.limits;
	const rules = (...rule: object[]) => ({ rule });

	it('do not exist unless the option was added', () => {
		expect(guardsFor({})?.limits).toBeUndefined();
	});

	it('have their defaults even if n8n dropped them: one a day for each number', () => {
		expect(limitsFor(rules({}))).toEqual([{ by: 'number', max: 1, period: 'day' }]);
	});

	it('are read row by row', () => {
		const stored = rules(
			{ max: 3, per: 'minute' },
			{ by: 'total', max: 3000, per: 'hour' },
			{ by: 'value', value: ' 203.0.113.7 ', max: '5' },
			{ by: 'number', max: 5 },
		);
		expect(limitsFor(stored)).toEqual([
			{ by: 'number', max: 3, period: 'minute' },
			{ by: 'total', max: 3000, period: 'hour' },
			{ by: 'value', value: '203.0.113.7', max: 5, period: 'day' },
			{ by: 'number', max: 5, period: 'day' },
		]);
	});

	it.each<[string, unknown, RegExp]>([
		['no rule', rules(), /^'Limits' is empty/],
		['nothing at all', {}, /^'Limits' is empty/],
		['null', null, /^'Limits' is empty/],
		['an empty Max', rules({ max: '' }), /^'Max' is empty\. .* remove the option/],
		['an empty Per', rules({ per: null }), /^'Per' is empty\. .* remove the option/],
		['an empty Count By', rules({ by: '' }), /^'Count By' is empty\. .* remove the option/],
		['no Value', rules({ by: 'value' }), /^'Value' is empty\. .* remove the option/],
		[
			'a blank Value',
			rules({ by: 'value', value: '  ' }),
			/^'Value' is empty\. .* remove the option/,
		],
		['too high a limit', rules({ max: 3001 }), /from 1 to 3000/],
		['a limit of 0', rules({ max: 0 }), /from 1 to 3000/],
		['an unknown period', rules({ per: 'week' }), /is not one of its choices/],
		['the same twice', rules({}, { max: 5 }), /two of one kind\. Keep one/],
		[
			'five rules',
			rules(
				...['day', 'hour', 'minute'].map((per) => ({ per })),
				...['day', 'hour'].map((per) => ({ by: 'total', per })),
			),
			/has more than 4 limits/,
		],
	])('limits with %s are refused', (_what, stored, words) => {
		expect(() => limitsFor(stored)).toThrow(words);
	});

	it.each<[string, unknown, RegExp]>([
		['the option', '={{ $json.limits }}', /does not accept an expression\./],
		['the rows', { rule: '={{ [] }}' }, /does not accept an expression\./],
		['a row', { rule: ['={{ {} }}'] }, /does not accept an expression\./],
		['Max', rules({ max: '={{ 5 }}' }), /does not accept an expression\./],
		['Per', rules({ per: '={{ "day" }}' }), /does not accept an expression\./],
		['Count By', rules({ by: '={{ "total" }}' }), /does not accept an expression\./],
		[
			'a Value that the model fills in',
			rules({ by: 'value', value: "={{ $fromAI('who') }}" }),
			/has a Value that the AI model fills in/,
		],
	])('refuse an expression for %s', (_what, stored, words) => {
		const resolved = rules({ by: 'value', value: 'a', max: 5 });
		expect(() => limitsFor(resolved, () => stored)).toThrow(words);
	});

	it('accept an expression for a Value', () => {
		const stored = rules({ by: 'value', value: '={{ $json.ip }}' });
		expect(limitsFor(rules({ by: 'value', value: 'a' }), () => stored)).toMatchObject([
			{ by: 'value', value: 'a' },
		]);
	});
});

describe('where n8n creates the node anew for each use', () => {
	const NOTIFY = findOperation(RESOURCES, 'call', 'notify') as Operation;
	const CHECK = findOperation(RESOURCES, 'verificationCode', 'check') as Operation;
	const require = (operation: Operation, options: IDataObject, resultDelivery = 'none') => {
		requireNoMemory(operation, buildForm({ resultDelivery }, { options }));
	};

	it.each<[string, Operation, IDataObject, string?]>([
		['Limits', NOTIFY, { limits: { rule: [{}] } }],
		['Send Once per ID', NOTIFY, { idempotencyKey: 'order-7' }],
		['an ID that is rehearsed', NOTIFY, { dryRun: true, idempotencyKey: 'order-7' }],
		['a pace', NOTIFY, { requestsPerSecond: 1 }],
		['a trigger', NOTIFY, {}, 'trigger'],
		['a wait', NOTIFY, {}, 'wait'],
		['Check', CHECK, {}],
	])('%s is refused, and the message says where to put the node', (_what, ...about) => {
		expect(() => require(...about)).toThrow(
			/recreates this node for every use.*Put the node into a workflow, and give the agent that workflow/s,
		);
	});

	it('anything else is not', () => {
		expect(() => require(NOTIFY, { timeout: 5000 })).not.toThrow();
		expect(() => require(SENDING, { dryRun: true })).not.toThrow();
	});
});
