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
	triggerUrlsFor,
	unregister,
} from '../../../nodes/Yuntongxun/callResult/registry';
import { nodeOf } from '../support/execution';

const PRODUCTION = 'https://n8n.example.com/webhook/4f9c/call-result';
const OTHER = 'https://n8n.example.com/webhook/77aa/call-result';
const TEST = 'https://n8n.example.com/webhook-test/4f9c/call-result';

/** A trigger of a workflow, as n8n asks it before and after it listens. */
function triggerOf(staticData: IDataObject, url = PRODUCTION, id = 'one'): IHookFunctions {
	const context: Pick<IHookFunctions, 'getNode' | 'getNodeWebhookUrl' | 'getWorkflowStaticData'> = {
		getNode: () => nodeOf({ id }),
		getNodeWebhookUrl: (name) => (name === 'default' ? url : undefined),
		getWorkflowStaticData: (type) => (type === 'global' ? staticData : {}),
	};
	return context as IHookFunctions;
}

/** What a node that makes calls finds, in a workflow with these nodes. */
function urlsIn(
	staticData: IDataObject,
	nodes: INode[],
	{
		active = true,
		mode = 'manual' as WorkflowExecuteMode,
		resumeUrl = 'https://n8n.example.com/webhook-waiting/7?signature=abc',
	} = {},
): string[] {
	const context: Pick<
		IExecuteFunctions,
		'evaluateExpression' | 'getMode' | 'getWorkflow' | 'getWorkflowStaticData'
	> = {
		evaluateExpression: (expression) =>
			expression === '{{ $execution.resumeUrl }}' ? resumeUrl : undefined,
		getMode: () => mode,
		getWorkflow: () => ({ id: 'w', active }),
		getWorkflowStaticData: (type) => (type === 'global' ? staticData : {}),
	};
	const workflow = { nodes: Object.fromEntries(nodes.map((node) => [node.name, node])) };
	return triggerUrlsFor({ ...context, workflow } as unknown as IExecuteFunctions);
}

const registeredUrls = (staticData: IDataObject) => urlsIn(staticData, []);

describe('where n8n hands over no static data', () => {
	const trigger = (changes: Partial<INode> = {}) =>
		nodeOf({
			name: 'Trigger',
			type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
			webhookId: '4f9c',
			...changes,
		});

	it('puts the address together as n8n does', () => {
		expect(urlsIn({}, [nodeOf(), trigger()])).toEqual([PRODUCTION]);
		const resumeUrl = 'https://n8n.example.com/webhook-waiting/7';
		expect(urlsIn({}, [trigger()], { resumeUrl })).toEqual([PRODUCTION]);
	});

	it('finds every trigger that is not switched off', () => {
		const other = trigger({ name: 'Other', webhookId: '77aa' });
		const off = trigger({ name: 'Off', webhookId: 'off', disabled: true });
		expect(urlsIn({}, [trigger(), off, other])).toEqual([PRODUCTION, OTHER]);
	});

	it("finds none in a workflow that is not active, or below a path of somebody's own", () => {
		expect(urlsIn({}, [trigger()], { active: false })).toEqual([]);
		const resumeUrl = 'https://n8n.example.com/resume/7';
		expect(urlsIn({}, [trigger()], { resumeUrl })).toEqual([]);
	});

	it.each<[WorkflowExecuteMode, number]>([
		['webhook', 1],
		['trigger', 1],
		['manual', 0],
		['integrated', 0],
	])('knows an active workflow by what started it: %s', (mode, count) => {
		expect(urlsIn({}, [trigger()], { active: false, mode })).toHaveLength(count);
	});

	it('finds none where n8n does not tell of the nodes', () => {
		const context = {
			evaluateExpression: () => 'https://n8n.example.com/webhook-waiting/7',
			getMode: () => 'webhook',
			getWorkflow: () => ({ active: true }),
			getWorkflowStaticData: () => ({}),
		};
		expect(triggerUrlsFor(context as unknown as IExecuteFunctions)).toEqual([]);
	});

	it('goes by what is registered where there is something', () => {
		const data = {};
		register(triggerOf(data, OTHER));
		expect(urlsIn(data, [trigger()])).toEqual([OTHER]);
	});
});

it('holds nothing at first', () => {
	expect(registeredUrls({})).toEqual([]);
	expect(isRegistered(triggerOf({}))).toBe(false);
});

it('holds the production address from activation to deactivation', () => {
	const data: IDataObject = {};
	register(triggerOf(data));
	expect(isRegistered(triggerOf(data))).toBe(true);
	expect(registeredUrls(data)).toEqual([PRODUCTION]);
	unregister(triggerOf(data));
	expect(isRegistered(triggerOf(data))).toBe(false);
	expect(registeredUrls(data)).toEqual([]);
});

it('holds one address for each trigger, however often it is registered', () => {
	const data: IDataObject = {};
	const [one, two] = [triggerOf(data), triggerOf(data, OTHER, 'two')];
	for (const trigger of [one, two, one, two]) register(trigger);
	expect(registeredUrls(data)).toEqual([PRODUCTION, OTHER]);
	unregister(one);
	expect(registeredUrls(data)).toEqual([OTHER]);
});

it('holds the new address once a trigger has another', () => {
	const data: IDataObject = {};
	register(triggerOf(data));
	expect(isRegistered(triggerOf(data, OTHER))).toBe(false);
	register(triggerOf(data, OTHER));
	expect(registeredUrls(data)).toEqual([OTHER]);
});

it('keeps apart what belongs to others in the same store', () => {
	const data: IDataObject = { theirs: { a: 1 } };
	register(triggerOf(data));
	unregister(triggerOf(data));
	expect(data).toMatchObject({ theirs: { a: 1 } });
});

it('is not written where the trigger that goes was not in it', () => {
	const data: IDataObject = {};
	unregister(triggerOf(data));
	expect(data).toEqual({});
});

it('is not touched when the editor listens for a test event, and stops', () => {
	const data: IDataObject = {};
	register(triggerOf(data, TEST));
	expect(registeredUrls(data)).toEqual([]);
	register(triggerOf(data));
	register(triggerOf(data, TEST));
	unregister(triggerOf(data, TEST));
	expect(registeredUrls(data)).toEqual([PRODUCTION]);
});

it('writes a new object each time, since n8n stores only what was replaced', () => {
	const data: IDataObject = {};
	register(triggerOf(data));
	const before = data.yuntongxunTriggers;
	register(triggerOf(data, OTHER, 'two'));
	expect(data.yuntongxunTriggers).not.toBe(before);
});
