import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { buildNode } from '../support/fakeN8n';

// What n8n shows of the form, by what is chosen in it. What fields there are is for test/package/contract.

const { description } = new Yuntongxun();
const ACTION = buildNode();

const isProperty = (
	entry: NonNullable<INodeProperties['options']>[number],
): entry is INodeProperties => 'type' in entry;
const getChildren = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter(isProperty);
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

	const OF_VOICE = ['txtBgsound', 'txtPitch', 'txtSpeed', 'txtVolume'];

	it.each<[INodeParameters, offered: string[]]>([
		[{ operation: 'notify', content: 'audio' }, []],
		[{ operation: 'verify' }, []],
		[{ operation: 'notify', content: 'text' }, OF_VOICE],
		[{ operation: 'notify', content: 'textAndAudio' }, OF_VOICE],
	])('the choice %j of voice offers the options %j', (parameters, want) => {
		const filled = shown(parameters);
		const names = getFormOptions('call', String(parameters.operation))
			.filter((option) => NodeHelpers.displayParameter({}, option, ACTION, description, filled))
			.map(({ name }) => name);
		expect(names.filter((name) => OF_VOICE.includes(name)).sort()).toEqual(want);
	});
});
