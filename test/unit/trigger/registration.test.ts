import type { IDataObject, IHookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import {
	isRegistered,
	register,
	registeredTriggers,
	unregister,
} from '../../../nodes/Yuntongxun/trigger/registration';
import { nodeOf } from '../support/execution';

interface TriggerParts {
	id: string;
	webhookId: string;
	/** Token of its account; undefined without a credential. */
	token: string | undefined;
	mode: WorkflowExecuteMode;
}

/** A trigger of a workflow, as n8n asks it before and after it listens. */
function triggerOf(staticData: IDataObject, changes: Partial<TriggerParts> = {}): IHookFunctions {
	const parts = {
		id: 'one',
		webhookId: '4f9c',
		token: 'made-up-token',
		mode: 'trigger',
		...changes,
	};
	const credentials = { yuntongxunApi: { id: '1', name: 'Account' } };
	return {
		getMode: () => parts.mode,
		getNode: () =>
			nodeOf({
				id: parts.id,
				webhookId: parts.webhookId,
				...(parts.token !== undefined && { credentials }),
			}),
		getWorkflow: () => ({ id: 'w' }),
		getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : {}),
		getCredentials: async () => {
			if (parts.token === undefined) throw new Error('Node does not have any credentials set');
			return { accountSid: 'made-up', authToken: parts.token, baseUrl: 'https://example.com' };
		},
	} as unknown as IHookFunctions;
}

const registered = (data: IDataObject) => Object.keys(registeredTriggers(data));

it('holds ids and a fingerprint, no address and no token', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	await register(triggerOf(data, { id: 'two', token: undefined }));
	expect(data.yuntongxunTriggers).toEqual({
		one: { webhookId: '4f9c', credential: '1', account: expect.stringMatching(/^[\w-]{43}$/) },
		two: { webhookId: '4f9c' },
	});
	expect(JSON.stringify(data)).not.toMatch(/http|made-up/);
});

it('holds nothing at first', async () => {
	expect(registered({})).toEqual([]);
	expect(await isRegistered(triggerOf({}))).toBe(false);
});

it('holds a trigger from activation to deactivation', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	expect(await isRegistered(triggerOf(data))).toBe(true);
	expect(registered(data)).toEqual(['one']);
	unregister(triggerOf(data));
	expect(await isRegistered(triggerOf(data))).toBe(false);
	expect(registered(data)).toEqual([]);
});

it('holds one entry for each trigger, however often it is registered', async () => {
	const data: IDataObject = {};
	const [one, two] = [triggerOf(data), triggerOf(data, { id: 'two' })];
	for (const trigger of [one, two, one, two]) await register(trigger);
	expect(registered(data)).toEqual(['one', 'two']);
	unregister(one);
	expect(registered(data)).toEqual(['two']);
});

it.each([{ webhookId: '77aa' }, { token: 'other' }, { token: undefined }])(
	'holds the new entry once a trigger is another: %j',
	async (changes) => {
		const data: IDataObject = {};
		await register(triggerOf(data));
		expect(await isRegistered(triggerOf(data, changes))).toBe(false);
		await register(triggerOf(data, changes));
		expect(await isRegistered(triggerOf(data, changes))).toBe(true);
	},
);

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
	await register(triggerOf(data, { mode: 'manual' }));
	expect(registered(data)).toEqual([]);
	await register(triggerOf(data));
	await register(triggerOf(data, { mode: 'manual' }));
	unregister(triggerOf(data, { mode: 'manual' }));
	expect(registered(data)).toEqual(['one']);
});

it('writes a new object each time, since n8n stores only what was replaced', async () => {
	const data: IDataObject = {};
	await register(triggerOf(data));
	const before = data.yuntongxunTriggers;
	await register(triggerOf(data, { id: 'two' }));
	expect(data.yuntongxunTriggers).not.toBe(before);
});
