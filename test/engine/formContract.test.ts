import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { actionNode, credentialType, node, triggerNode, TYPES } from '../support/engine/engine';

const { description } = actionNode;
const ACTION: INode = node('Yuntongxun', TYPES.action);

/** Name, type, default and, for a choice, its values. */
type Row = [name: string, type: string, fallback: unknown, values?: string[]];

// What follows stands in the contract, and saved workflows rely on it.
const APP_ID: Row = ['appId', 'string', ''];
const TO: Row = ['to', 'string', ''];
const RESULT: Row[] = [
	['resultDelivery', 'options', 'none', ['none', 'trigger', 'url', 'wait']],
	['respUrl', 'string', ''],
	['waitLimit', 'number', 10],
	['waitLimitUnit', 'options', 'minutes', ['hours', 'minutes', 'seconds']],
];
const RESULT_OPTIONS: Row[] = [
	['rehearsedOutcome', 'options', 'completed', ['completed', 'failed', 'noAnswer', 'timeout']],
	['signRespUrl', 'boolean', false],
];
const TEMPLATE_ID: Row = ['templateId', 'resourceLocator', { mode: 'list', value: '' }];
const SIMPLIFY: Row = ['simplify', 'boolean', true];
const FRIENDLY_NAME: Row = ['friendlyName', 'string', ''];
const DISPLAY_NUM: Row = ['displayNum', 'string', ''];
const PLAY_TIMES: Row = ['playTimes', 'number', 1];
const USER_DATA: Row = ['userData', 'string', ''];
const OF_ALL: Row[] = [['timeout', 'number', 30_000]];
const OF_SENDING: Row[] = [
	['allowedRecipients', 'string', ''],
	['dryRun', 'boolean', true],
	['idempotencyKey', 'string', ''],
	['limits', 'fixedCollection', {}],
	['maxConcurrency', 'number', 10],
	['requestsPerSecond', 'number', 0],
	...OF_ALL,
];

interface Contract {
	fields: Row[];
	options: Row[];
}

const CONTRACT: Record<string, Record<string, Contract>> = {
	call: {
		notify: {
			fields: [
				APP_ID,
				TO,
				['content', 'options', 'text', ['text', 'audio', 'textAndAudio']],
				['mediaTxt', 'string', ''],
				['mediaName', 'string', ''],
				['mediaNameType', 'options', '0', ['0', '1']],
				...RESULT,
			],
			options: [
				DISPLAY_NUM,
				PLAY_TIMES,
				USER_DATA,
				['txtSpeed', 'number', 0],
				['txtVolume', 'number', 0],
				['txtPitch', 'number', 0],
				['txtBgsound', 'options', '0', ['0', '1', '2', '3', '4', '5', '6']],
				...RESULT_OPTIONS,
				...OF_SENDING,
			],
		},
		getResult: { fields: [['callSid', 'string', '']], options: OF_ALL },
		verify: {
			fields: [
				APP_ID,
				TO,
				['voice', 'options', 'default', ['default', 'custom']],
				['verifyCode', 'string', ''],
				['playVerifyCode', 'string', ''],
				...RESULT,
			],
			options: [
				DISPLAY_NUM,
				PLAY_TIMES,
				['lang', 'options', 'zh', ['zh', 'en']],
				USER_DATA,
				['welcomePrompt', 'string', ''],
				['maxCallTime', 'number', 0],
				...RESULT_OPTIONS,
				...OF_SENDING,
			],
		},
	},
	sms: {
		send: {
			fields: [
				APP_ID,
				TO,
				TEMPLATE_ID,
				['variablesMode', 'options', 'fields', ['fields', 'list']],
				['variables', 'resourceMapper', { mappingMode: 'defineBelow', value: null }],
				['datas', 'string', []],
			],
			options: [
				['templateText', 'string', ''],
				['reqId', 'string', ''],
				['subAppend', 'string', ''],
				...OF_SENDING,
			],
		},
	},
	smsTemplate: {
		get: { fields: [APP_ID, TEMPLATE_ID, SIMPLIFY], options: OF_ALL },
		getAll: {
			fields: [APP_ID, ['returnAll', 'boolean', false], ['limit', 'number', 50], SIMPLIFY],
			options: OF_ALL,
		},
	},
	account: { get: { fields: [SIMPLIFY], options: OF_ALL } },
	subAccount: {
		close: {
			fields: [APP_ID, ['subAccountSid', 'resourceLocator', { mode: 'list', value: '' }]],
			options: OF_ALL,
		},
		create: {
			fields: [
				APP_ID,
				FRIENDLY_NAME,
				['onDuplicate', 'options', 'error', ['error', 'returnExisting']],
			],
			options: [['omitSecrets', 'boolean', false], ...OF_ALL],
		},
		getByName: {
			fields: [APP_ID, FRIENDLY_NAME],
			options: [['omitSecrets', 'boolean', false], ...OF_ALL],
		},
		getAll: {
			fields: [APP_ID, ['returnAll', 'boolean', false], ['limit', 'number', 50]],
			options: [['startNo', 'number', 0], ['omitSecrets', 'boolean', true], ...OF_ALL],
		},
	},
	verificationCode: {
		send: {
			fields: [
				APP_ID,
				TO,
				['channel', 'options', 'call', ['call', 'sms']],
				TEMPLATE_ID,
				['datas', 'string', ['{code}', '{minutes}']],
				['codeLength', 'number', 6],
				['codeLifetime', 'number', 10],
			],
			options: [
				DISPLAY_NUM,
				PLAY_TIMES,
				['lang', 'options', 'zh', ['zh', 'en']],
				['resendToken', 'string', ''],
				['templateText', 'string', ''],
				['reqId', 'string', ''],
				...OF_SENDING,
			],
		},
		check: {
			fields: [
				['verificationToken', 'string', ''],
				['code', 'string', ''],
			],
			options: [['maxAttempts', 'number', 5]],
		},
	},
};
const OPERATIONS = Object.entries(CONTRACT).flatMap(([resource, operations]) =>
	Object.entries(operations).map(
		([operation, contract]) => [`${resource}.${operation}`, resource, operation, contract] as const,
	),
);

/** Whole numbers that the form itself keeps within. */
const BOUNDS: Record<string, [min: number, max?: number]> = {
	playTimes: [1, 3],
	txtSpeed: [-500, 500],
	txtVolume: [-20, 20],
	txtPitch: [-500, 500],
	codeLength: [4, 8],
	codeLifetime: [1, 1440],
	maxAttempts: [1, 20],
	limit: [1],
	startNo: [0],
	maxCallTime: [0],
	waitLimit: [1],
	maxConcurrency: [1, 200],
	requestsPerSecond: [0, 1000],
};

const isProperty = (
	entry: NonNullable<INodeProperties['options']>[number],
): entry is INodeProperties => 'type' in entry;
const getChildren = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter(isProperty);
const getChoices = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((entry): entry is INodePropertyOptions => 'value' in entry && !isProperty(entry));
const describeProperty = (property: INodeProperties): Row => {
	const values = getChoices(property).map(({ value }) => String(value));
	return ['options', 'multiOptions'].includes(property.type)
		? [property.name, property.type, property.default, values]
		: [property.name, property.type, property.default];
};
const byName = (a: Row, b: Row) => a[0].localeCompare(b[0]);
const sorted = (rows: Row[]) => rows.map(sortValues).sort(byName);
const sortValues = ([name, type, fallback, values]: Row): Row =>
	values ? [name, type, fallback, [...values].sort()] : [name, type, fallback];

/** The fields of an operation, each name once, whatever else decides whether they show. */
function getFormFields(resource: string, operation: string): INodeProperties[] {
	return description.properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) &&
			displayOptions.show.operation?.includes(operation),
	);
}
const getFormOptions = (resource: string, operation: string): INodeProperties[] =>
	getFormFields(resource, operation)
		.filter(({ name }) => name === 'options')
		.flatMap(getChildren);

/** What n8n shows of a form that is filled in like this, with what it holds. */
const shown = (filled: INodeParameters, properties = description.properties): INodeParameters =>
	NodeHelpers.getNodeParameters(properties, filled, true, false, ACTION, description) ?? {};

describe('the form of the action node', () => {
	it('offers the resources and operations of the contract, by their names, and no other', () => {
		const pickers = description.properties
			.filter(({ name }) => ['resource', 'operation'].includes(name))
			.map((picker) => [
				picker.displayOptions?.show?.resource?.join() ?? picker.name,
				picker.default,
				Object.fromEntries(getChoices(picker).map(({ value, name }) => [value, name])),
			]);
		expect(pickers.sort()).toEqual([
			['account', 'get', { get: 'Get' }],
			[
				'call',
				'notify',
				{
					getResult: 'Get Result',
					notify: 'Make',
					verify: 'Make with Own Code',
				},
			],
			[
				'resource',
				'call',
				{
					account: 'Account',
					call: 'Call',
					sms: 'SMS',
					smsTemplate: 'SMS Template',
					subAccount: 'Sub-Account',
					verificationCode: 'Verification Code',
				},
			],
			['sms', 'send', { send: 'Send' }],
			['smsTemplate', 'getAll', { get: 'Get', getAll: 'Get Many' }],
			[
				'subAccount',
				'create',
				{ close: 'Close', create: 'Create', getByName: 'Get', getAll: 'Get Many' },
			],
			['verificationCode', 'send', { send: 'Send', check: 'Check' }],
		]);
	});

	it.each(OPERATIONS)(
		'%s has fields and options with type, default and values',
		(_, resource, operation, want) => {
			const all = getFormFields(resource, operation).filter(({ type }) => type !== 'notice');
			const collection = all.filter(({ name }) => name === 'options');
			const rows = all.filter(({ name }) => name !== 'options').map(describeProperty);
			// A field can stand there more than once, for choices that exclude each other.
			const once = new Map(rows.map((row) => [JSON.stringify(row), row]));
			expect(sorted([...once.values()])).toEqual(sorted(want.fields));
			expect(sorted(getFormOptions(resource, operation).map(describeProperty))).toEqual(
				sorted(want.options),
			);
			const rest = { type: 'collection', default: {}, placeholder: 'Add option' };
			expect(collection).toMatchObject(want.options.length > 0 ? [rest] : []);
		},
	);

	it('keeps numbers within the bounds of the contract', () => {
		const every = description.properties.flatMap((each) => [each, ...getChildren(each)]);
		const bounds = every
			.filter(({ name }) => name in BOUNDS)
			.map(({ name, typeOptions }) => [name, typeOptions?.minValue, typeOptions?.maxValue]);
		const wanted = Object.entries(BOUNDS).map(([name, [min, max]]) => [name, min, max]);
		expect([...new Set(bounds.map(String))].sort()).toEqual(wanted.map(String).sort());
	});

	const VERIFY_CALL = { operation: 'verify' };
	const WAIT = { resultDelivery: 'wait', respUrl: 'https://left-over.example.com' };
	const WAITING = 'resultDelivery waitLimit waitLimitUnit';
	const subAccount = (operation: string, more: INodeParameters = {}) => ({
		resource: 'subAccount',
		operation,
		...more,
	});

	it.each<[string, INodeParameters, string]>([
		['a call at first', {}, 'appId to content mediaTxt resultDelivery'],
		[
			'a call that plays audio',
			{ content: 'audio' },
			'appId to content mediaName mediaNameType resultDelivery',
		],
		[
			'a call that does both',
			{ content: 'textAndAudio', resultDelivery: 'url' },
			'appId to content mediaTxt mediaName mediaNameType resultDelivery respUrl',
		],
		[
			'a call that reports to the trigger',
			{ resultDelivery: 'trigger', respUrl: 'https://left-over.example.com' },
			'appId to content mediaTxt resultDelivery',
		],
		['a call that waits', WAIT, `appId to content mediaTxt ${WAITING}`],
		['a code call that waits', { ...VERIFY_CALL, ...WAIT }, `appId to voice verifyCode ${WAITING}`],
		['a code call', VERIFY_CALL, 'appId to voice verifyCode resultDelivery'],
		[
			'a code call of own audio',
			{ ...VERIFY_CALL, voice: 'custom' },
			'appId to voice playVerifyCode verifyCode resultDelivery',
		],
		[
			'a text',
			{ resource: 'sms', operation: 'send' },
			'appId to templateId variablesMode variables',
		],
		[
			'a text with a list of variables',
			{ resource: 'sms', operation: 'send', variablesMode: 'list' },
			'appId to templateId variablesMode datas',
		],
		['the result of a call', { operation: 'getResult' }, 'callSid'],
		['a template', { resource: 'smsTemplate', operation: 'get' }, 'appId templateId simplify'],
		[
			'some templates',
			{ resource: 'smsTemplate', operation: 'getAll' },
			'appId returnAll limit simplify',
		],
		['the account', { resource: 'account', operation: 'get' }, 'simplify'],
		['closing from the list', subAccount('close'), 'appId subAccountSid'],
		[
			'closing by id',
			subAccount('close', {
				appId: 'left-over',
				subAccountSid: { __rl: true, mode: 'id', value: '42' },
			}),
			'subAccountSid',
		],
		['creating', subAccount('create'), 'appId friendlyName onDuplicate'],
		['reading', subAccount('getByName'), 'appId friendlyName'],
		['listing some', subAccount('getAll'), 'appId returnAll limit'],
		['listing all', subAccount('getAll', { returnAll: true }), 'appId returnAll'],
	])('%s shows what applies, and nothing else', (_, filled, want) => {
		const names = Object.keys(shown(filled)).filter((name) => !/^options$|Notice$/.test(name));
		const wanted = ['resource', 'operation', ...want.split(' ').filter(Boolean)];
		expect(names.sort()).toEqual(wanted.sort());
	});

	const SIGNING = ['signRespUrl'];
	const OF_VOICE = ['txtBgsound', 'txtPitch', 'txtSpeed', 'txtVolume'];

	it.each<[INodeParameters, offered: string[]]>([
		...['notify', 'verify'].flatMap((operation): Array<[INodeParameters, string[]]> => [
			[{ operation, content: 'audio', resultDelivery: 'none' }, []],
			[{ operation, content: 'audio', resultDelivery: 'url' }, SIGNING],
			[{ operation, content: 'audio', resultDelivery: 'trigger' }, []],
			[{ operation, content: 'audio', resultDelivery: 'wait' }, []],
		]),
		[{ operation: 'notify', content: 'text' }, OF_VOICE],
		[{ operation: 'notify', content: 'textAndAudio' }, OF_VOICE],
	])('the choice %j of result and voice offers the options %j', (parameters, want) => {
		const filled = shown(parameters);
		const names = getFormOptions('call', String(parameters.operation))
			.filter((option) => NodeHelpers.displayParameter({}, option, ACTION, description, filled))
			.map(({ name }) => name);
		const conditional = [...SIGNING, ...OF_VOICE];
		expect(names.filter((name) => conditional.includes(name)).sort()).toEqual(want);
	});
});

describe('the action node', () => {
	it('is what the contract says', () => {
		expect(description).toMatchObject({
			name: 'yuntongxun',
			displayName: 'Yuntongxun',
			version: 1,
			usableAsTool: true,
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'yuntongxunApi', required: true }],
			webhooks: [
				expect.objectContaining({
					name: 'default',
					restartWebhook: true,
					path: 'yuntongxun-result',
				}),
			],
		});
	});

	it.each([
		['subAccountSid', 'searchSubAccounts'],
		['templateId', 'searchTemplates'],
	])('lets %s be picked from a list or named by an ID', (field, searchListMethod) => {
		const locators = description.properties.filter(({ name }) => name === field);
		expect(locators.length).toBeGreaterThan(0);
		for (const locator of locators) {
			expect(locator.modes).toEqual([
				expect.objectContaining({
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod, searchable: true },
				}),
				expect.objectContaining({ name: 'id', type: 'string' }),
			]);
		}
		expect(actionNode.methods.listSearch).toHaveProperty(searchListMethod);
	});
});

describe('the trigger', () => {
	const own: INodeType = triggerNode;

	it('is what the contract says', () => {
		expect(own.description).toMatchObject({
			name: 'yuntongxunTrigger',
			displayName: 'Yuntongxun Trigger',
			version: 1,
			group: ['trigger'],
			inputs: [],
			outputs: ['main'],
			webhooks: [
				expect.objectContaining({ name: 'default', httpMethod: 'POST', path: 'yuntongxun' }),
			],
			credentials: [{ name: 'yuntongxunApi', required: false }],
		});
		expect(own.description.usableAsTool).toBeUndefined();
	});

	it('has the parameters of the contract', () => {
		const [events] = own.description.properties.filter(({ name }) => name === 'events');
		expect(sortValues(describeProperty(events))).toEqual([
			'events',
			'multiOptions',
			['voiceVerification', 'voiceNotification'],
			['other', 'smsReply', 'smsReport', 'voiceNotification', 'voiceVerification'],
		]);
		const options = own.description.properties.filter(({ name }) => name === 'options');
		expect(options.flatMap(getChildren).map(describeProperty).map(sortValues)).toEqual([
			['ignoreDuplicates', 'boolean', true],
			['outcomes', 'multiOptions', [], ['completed', 'failed', 'noAnswer', 'unknown']],
			['requireSignedUrl', 'boolean', false],
		]);
	});
});

describe('the credential', () => {
	it('is what the contract says', () => {
		expect(credentialType).toMatchObject({ name: 'yuntongxunApi', displayName: 'Yuntongxun API' });
		const shownFields = credentialType.properties.filter(({ type }) => type !== 'notice');
		expect(
			shownFields.map(({ name, type, default: fallback, required, typeOptions }) => [
				name,
				type,
				fallback,
				Boolean(required),
				Boolean(typeOptions?.password),
			]),
		).toEqual([
			['accountSid', 'string', '', true, false],
			['authToken', 'string', '', true, true],
			['appId', 'string', '', false, false],
			['baseUrl', 'string', 'https://app.cloopen.com:8883', true, false],
			['softVersion', 'hidden', '2013-12-26', false, false],
			['wireFormat', 'options', 'json', false, false],
		]);
	});
});
