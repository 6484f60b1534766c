import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import {
	isRegistered,
	register,
	relayUrlFor,
	triggerUrlsFor,
	unregister,
} from '../../../nodes/Yuntongxun/callResult/triggerUrls';
import { nodeOf } from '../support/execution';

const PRODUCTION = 'https://n8n.example.com/webhook/4f9c/call-result';
const OTHER = 'https://n8n.example.com/webhook/77aa/call-result';
const TEST = 'https://n8n.example.com/webhook-test/4f9c/call-result';

const accountOf = (authToken: string) => ({
	accountSid: 'made-up',
	authToken,
	appId: '',
	baseUrl: new URL('https://example.com'),
	softVersion: '2013-12-26',
});

interface TriggerParts {
	url: string;
	id: string;
	/** Token of its account; undefined without a credential. */
	token: string | undefined;
	mode: WorkflowExecuteMode;
}

/** A trigger of a workflow, as n8n asks it before and after it listens. */
function triggerOf(staticData: IDataObject, changes: Partial<TriggerParts> = {}): IHookFunctions {
	const parts = { url: PRODUCTION, id: 'one', token: 'made-up-token', mode: 'trigger', ...changes };
	return {
		getMode: () => parts.mode,
		getNode: () => nodeOf({ id: parts.id }),
		getNodeWebhookUrl: (name: string) => (name === 'default' ? parts.url : undefined),
		getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : {}),
		getCredentials: async () => {
			if (parts.token === undefined) throw new Error('Node does not have any credentials set');
			return { accountSid: 'made-up', authToken: parts.token, baseUrl: 'https://example.com' };
		},
	} as unknown as IHookFunctions;
}

interface CallerParts {
	active: boolean;
	mode: WorkflowExecuteMode;
	webhookBaseUrl: string | undefined;
	/** The node that makes calls. */
	own: INode;
}

/** A node that makes calls, in a workflow with these nodes. */
function callerOf(
	staticData: IDataObject,
	nodes: INode[],
	changes: Partial<CallerParts> = {},
): IExecuteFunctions {
	const { active, mode, webhookBaseUrl, own } = {
		active: true,
		mode: 'manual',
		webhookBaseUrl: 'https://n8n.example.com/webhook',
		own: nodeOf(),
		...changes,
	};
	return {
		getMode: () => mode,
		getNode: () => own,
		getWorkflow: () => ({ id: 'w', active }),
		getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : {}),
		workflow: { nodes: Object.fromEntries(nodes.map((node) => [node.name, node])) },
		additionalData: { webhookBaseUrl },
	} as unknown as IExecuteFunctions;
}

const urlsIn = (...given: Parameters<typeof callerOf>) => triggerUrlsFor(callerOf(...given));

const registeredUrls = (staticData: IDataObject) => urlsIn(staticData, []);

const trigger = (changes: Partial<INode> = {}) =>
	nodeOf({
		id: 'one',
		name: 'Trigger',
		type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
		webhookId: '4f9c',
		...changes,
	});
const otherTrigger = (changes: Partial<INode> = {}) =>
	trigger({ id: 'two', name: 'Other', webhookId: '77aa', ...changes });

describe('if n8n hands over no static data', () => {
	it('puts the address together as n8n does, whatever n8n calls its segments', () => {
		expect(urlsIn({}, [nodeOf(), trigger()])).toEqual([PRODUCTION]);
		const webhookBaseUrl = 'https://n8n.example.com/tools/hooks';
		expect(urlsIn({}, [trigger()], { webhookBaseUrl })).toEqual([
			'https://n8n.example.com/tools/hooks/4f9c/call-result',
		]);
	});

	it('finds every trigger that is not switched off', () => {
		const off = trigger({ id: 'off', name: 'Off', webhookId: 'off', disabled: true });
		expect(urlsIn({}, [trigger(), off, otherTrigger()])).toEqual([PRODUCTION, OTHER]);
	});

	it('finds none in a workflow that is not active', () => {
		expect(urlsIn({}, [trigger()], { active: false })).toEqual([]);
	});

	it.each<[WorkflowExecuteMode, number]>([
		['webhook', 1],
		['trigger', 1],
		['manual', 0],
		['integrated', 0],
	])('knows an active workflow by what started it: %s', (mode, count) => {
		expect(urlsIn({}, [trigger()], { active: false, mode })).toHaveLength(count);
	});

	it('finds none if n8n does not tell of nodes or of its address', () => {
		const context = {
			getMode: () => 'webhook',
			getWorkflow: () => ({ active: true }),
			getWorkflowStaticData: () => ({}),
		};
		expect(triggerUrlsFor(context as unknown as IExecuteFunctions)).toEqual([]);
		expect(urlsIn({}, [trigger()], { webhookBaseUrl: undefined })).toEqual([]);
	});

	it('goes by what is registered if something is', async () => {
		const data = {};
		await register(triggerOf(data, { url: OTHER }));
		expect(urlsIn(data, [trigger()])).toEqual([OTHER]);
	});
});

describe('the trigger that relays', () => {
	const credential = (id: string) => ({ credentials: { yuntongxunApi: { id, name: 'Account' } } });
	const own = nodeOf(credential('1'));
	const relayUrl = (data: IDataObject, nodes: INode[], token = 'made-up-token') =>
		relayUrlFor(callerOf(data, nodes, { own }), accountOf(token));

	it.each<[string, Array<Partial<TriggerParts>>, INode[], string | undefined]>([
		['the same credential', [{}], [trigger(credential('1'))], PRODUCTION],
		['another entry of the account', [{}], [trigger(credential('2'))], PRODUCTION],
		[
			'an entry whose token was changed since',
			[{ token: 'old' }],
			[trigger(credential('1'))],
			PRODUCTION,
		],
		['another account', [{ token: 'other' }], [trigger(credential('2'))], undefined],
		['no credential', [{ token: undefined }], [trigger()], undefined],
		['none registered, in a queue worker', [], [trigger(credential('1'))], PRODUCTION],
		['another entry, in a queue worker', [], [trigger(credential('2'))], undefined],
		[
			'several, the first by node id',
			[{ id: 'two', url: OTHER }, {}],
			[otherTrigger(credential('1')), trigger(credential('1'))],
			PRODUCTION,
		],
		[
			'several, the first that fits',
			[{ token: 'other' }, { id: 'two', url: OTHER }],
			[trigger(credential('2')), otherTrigger(credential('1'))],
			OTHER,
		],
	])('with %s', async (_, registered, nodes, url) => {
		const data = {};
		for (const each of registered) await register(triggerOf(data, each));
		expect(relayUrl(data, nodes)).toBe(url);
	});

	it('that version 1.0.0 has registered is known by its credential', () => {
		const data = { yuntongxunTriggers: { one: PRODUCTION } };
		expect(urlsIn(data, [])).toEqual([PRODUCTION]);
		expect(relayUrl(data, [trigger(credential('1'))])).toBe(PRODUCTION);
		expect(relayUrl(data, [trigger(credential('2'))])).toBeUndefined();
		expect(relayUrl(data, [trigger()])).toBeUndefined();
	});

	it('leaves no token in the store', async () => {
		const data = {};
		await register(triggerOf(data));
		expect(JSON.stringify(data)).not.toContain('made-up-token');
	});
});

it('holds nothing at first', async () => {
	expect(registeredUrls({})).toEqual([]);
	expect(await isRegistered(triggerOf({}))).toBe(false);
});

it('holds the production address from activation to deactivation', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	expect(await isRegistered(triggerOf(data))).toBe(true);
	expect(registeredUrls(data)).toEqual([PRODUCTION]);
	unregister(triggerOf(data));
	expect(await isRegistered(triggerOf(data))).toBe(false);
	expect(registeredUrls(data)).toEqual([]);
});

it('holds one address for each trigger, however often it is registered', async () => {
	const data: IDataObject = {};
	const [one, two] = [triggerOf(data), triggerOf(data, { url: OTHER, id: 'two' })];
	for (const trigger of [one, two, one, two]) await register(trigger);
	expect(registeredUrls(data)).toEqual([PRODUCTION, OTHER]);
	unregister(one);
	expect(registeredUrls(data)).toEqual([OTHER]);
});

it('holds the new address once a trigger has another', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	expect(await isRegistered(triggerOf(data, { url: OTHER }))).toBe(false);
	await register(triggerOf(data, { url: OTHER }));
	expect(registeredUrls(data)).toEqual([OTHER]);
});

it('keeps apart what belongs to others in the same store', async () => {
	const data: IDataObject = { theirs: { a: 1 } };
	await register(triggerOf(data));
	unregister(triggerOf(data));
	expect(data).toMatchObject({ theirs: { a: 1 } });
});

it('is not written if the trigger that goes was not in it', () => {
	const data: IDataObject = {};
	unregister(triggerOf(data));
	expect(data).toEqual({});
});

it('is not touched when the editor listens for a test event, and stops', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data, { url: TEST, mode: 'manual' }));
	expect(registeredUrls(data)).toEqual([]);
	await register(triggerOf(data));
	await register(triggerOf(data, { url: TEST, mode: 'manual' }));
	unregister(triggerOf(data, { url: TEST, mode: 'manual' }));
	expect(registeredUrls(data)).toEqual([PRODUCTION]);
});

it('writes a new object each time, since n8n stores only what was replaced', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	const before = data.yuntongxunTriggers;
	await register(triggerOf(data, { url: OTHER, id: 'two' }));
	expect(data.yuntongxunTriggers).not.toBe(before);
});
