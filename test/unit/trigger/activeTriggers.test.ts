import type { IDataObject, IExecuteFunctions, INode, WorkflowExecuteMode } from 'n8n-workflow';

import { activeTriggers, fingerprintOf } from '../../../nodes/Yuntongxun/trigger/activeTriggers';
import { nodeOf } from '../support/executeData';

const PRODUCTION = 'https://n8n.example.com/webhook/4f9c/call-result';
const OTHER = 'https://n8n.example.com/webhook/77aa/call-result';

const accountOf = (authToken: string) => ({
	accountSid: 'made-up',
	authToken,
	appId: '',
	baseUrl: new URL('https://example.com'),
	softVersion: '2013-12-26',
});

interface CallerParts {
	active: boolean;
	/** Whether the data that n8n runs says so, which it does not on a worker. */
	isTold: boolean;
	mode: WorkflowExecuteMode;
	webhookBaseUrl: string | undefined;
	/** The node that makes calls. */
	own: INode;
}

/** The triggers that a node of the account 'own' finds, in a workflow with these nodes. */
function found(staticData: IDataObject, nodes: INode[], changes: Partial<CallerParts> = {}) {
	const { active, isTold, mode, webhookBaseUrl, own } = {
		active: true,
		isTold: true,
		mode: 'webhook',
		webhookBaseUrl: 'https://n8n.example.com/webhook',
		own: nodeOf(),
		...changes,
	};
	const context = {
		getMode: () => mode,
		getNode: () => own,
		getWorkflow: () => ({ id: 'w', active }),
		getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : {}),
		workflow: { nodes: Object.fromEntries(nodes.map((node) => [node.name, node])) },
		additionalData: { webhookBaseUrl, hooks: { workflowData: isTold ? { active } : {} } },
	};
	return activeTriggers(context as unknown as IExecuteFunctions, accountOf('own'));
}

const urls = (...given: Parameters<typeof found>) => found(...given).map(({ url }) => url);
const relay = (...given: Parameters<typeof found>) =>
	found(...given).find(({ canRelay }) => canRelay)?.url;

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

const registry = (...entries: Array<[id: string, entry: IDataObject]>) => ({
	yuntongxunTriggers: Object.fromEntries(entries),
});
const ONE = registry(['one', { webhookId: '4f9c' }]);

describe('the address of an active trigger', () => {
	it.each([
		['https://n8n.example.com/webhook', PRODUCTION],
		['https://n8n.example.com/tools/hooks', 'https://n8n.example.com/tools/hooks/4f9c/call-result'],
		['https://new.example.com/webhook', 'https://new.example.com/webhook/4f9c/call-result'],
	])('is put together as n8n does it now: %s', (webhookBaseUrl, url) => {
		expect(urls(ONE, [nodeOf(), trigger()], { webhookBaseUrl })).toEqual([url]);
		expect(urls({}, [nodeOf(), trigger()], { webhookBaseUrl })).toEqual([url]);
	});

	it('is that of the registered ones, where some are registered', () => {
		expect(urls(ONE, [otherTrigger(), trigger()])).toEqual([PRODUCTION]);
		const begunByTrigger = { yuntongxunTriggers: { toJSON: () => ONE.yuntongxunTriggers } };
		expect(urls(begunByTrigger, [otherTrigger(), trigger()])).toEqual([PRODUCTION]);
		const both = registry(['one', { webhookId: '4f9c' }], ['two', { webhookId: '77aa' }]);
		const triggers = found(both, [otherTrigger(), trigger()], { active: false });
		expect(triggers).toMatchObject([
			{ url: PRODUCTION, isKnown: true },
			{ url: OTHER, isKnown: true },
		]);
	});

	it('is none for a draft that listens elsewhere, is switched off or was removed', () => {
		expect(urls(ONE, [trigger({ webhookId: 'new' })], { mode: 'manual' })).toEqual([]);
		expect(urls(ONE, [trigger({ disabled: true })], { mode: 'manual' })).toEqual([]);
		expect(urls(ONE, [nodeOf()], { mode: 'manual' })).toEqual([]);
		const added = trigger({ id: 'new', webhookId: undefined });
		expect(urls(ONE, [added], { mode: 'manual' })).toEqual([]);
	});

	it('is unknown if n8n does not tell of nodes or of its address', () => {
		const context = {
			getMode: () => 'webhook',
			getWorkflow: () => ({ active: true }),
			getWorkflowStaticData: () => ({}),
		};
		const given = context as unknown as IExecuteFunctions;
		expect(activeTriggers(given, accountOf('own'))).toEqual([]);
		expect(urls({}, [trigger()], { webhookBaseUrl: undefined })).toEqual([]);
	});
});

describe('where n8n gives no static data', () => {
	it('finds every trigger that is not switched off', () => {
		const off = trigger({ id: 'off', name: 'Off', webhookId: 'off', disabled: true });
		expect(urls({}, [trigger(), off, otherTrigger()])).toEqual([PRODUCTION, OTHER]);
	});

	it.each<[string, WorkflowExecuteMode, boolean, boolean, number]>([
		['in production', 'webhook', true, true, 1],
		['on a worker, which is told that it is not active', 'webhook', false, false, 1],
		['an error workflow, which is told so too', 'error', false, false, 1],
		['a retry, which is told that its workflow is not active', 'retry', false, false, 1],
		['a sub-workflow that is not active', 'integrated', false, true, 0],
		['an error workflow that is not active, which n8n 1 runs', 'error', false, true, 0],
		['from the command line, in a workflow that is not active', 'cli', false, true, 0],
		['an evaluation of a workflow that is not active', 'evaluation', false, true, 0],
		['by hand, in a workflow that is not active', 'manual', false, true, 0],
		['by hand on a worker', 'manual', false, false, 1],
	])('%s', (_, mode, active, isTold, count) => {
		const triggers = found({}, [trigger()], { active, isTold, mode });
		expect(triggers.map(({ isKnown }) => isKnown)).toEqual(Array(count).fill(false));
	});
});

describe('the trigger that relays', () => {
	const credential = (id: string) => ({ credentials: { yuntongxunApi: { id, name: 'Account' } } });
	const own = nodeOf(credential('1'));
	const entry = (webhookId: string, id: string | undefined, token?: string) => ({
		webhookId,
		credential: id,
		...(token !== undefined && { account: fingerprintOf(accountOf(token)) }),
	});

	it.each<[string, Array<[string, IDataObject]>, INode[], string | undefined]>([
		['the same credential', [['one', entry('4f9c', '1', 'own')]], [trigger()], PRODUCTION],
		['another entry of the account', [['one', entry('4f9c', '2', 'own')]], [trigger()], PRODUCTION],
		[
			'an entry whose token was changed',
			[['one', entry('4f9c', '1', 'old')]],
			[trigger()],
			PRODUCTION,
		],
		['another account', [['one', entry('4f9c', '2', 'other')]], [trigger()], undefined],
		[
			"another account, though the draft has the node's",
			[['one', entry('4f9c', '2', 'other')]],
			[trigger(credential('1'))],
			undefined,
		],
		['no credential', [['one', entry('4f9c', undefined)]], [trigger()], undefined],
		['none registered, in a queue worker', [], [trigger(credential('1'))], PRODUCTION],
		['another entry, in a queue worker', [], [trigger(credential('2'))], undefined],
		['no credential, in a queue worker', [], [trigger()], undefined],
		[
			'several, the first by node id',
			[
				['two', entry('77aa', '1', 'own')],
				['one', entry('4f9c', '1', 'own')],
			],
			[otherTrigger(), trigger()],
			PRODUCTION,
		],
		[
			'several, the first that fits',
			[
				['one', entry('4f9c', '2', 'other')],
				['two', entry('77aa', '1', 'own')],
			],
			[trigger(), otherTrigger()],
			OTHER,
		],
	])('with %s', (_, entries, nodes, url) => {
		expect(relay(registry(...entries), nodes, { own })).toBe(url);
	});

	it('is none for a node without a credential, in a queue worker', () => {
		expect(relay({}, [trigger()], { own: nodeOf() })).toBeUndefined();
	});
});
