import type { IDataObject, IHookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { register, unregister } from '../../../nodes/Yuntongxun/trigger/activeTriggers';
import { nodeOf } from '../support/executeData';

interface TriggerParts {
	id: string;
	webhookId: string;
	/** Token of its account; undefined without a credential. */
	token: string | undefined;
	/** Type of its credential. */
	credential: string;
	requireSignedUrl: boolean | undefined;
	mode: WorkflowExecuteMode;
}

let workflows = 0;

/** A workflow, its static data, and its triggers as n8n asks them before and after they listen. */
function workflowOf(staticData: IDataObject = {}) {
	const id = `w${++workflows}`;
	const trigger = (changes: Partial<TriggerParts> = {}) => {
		const parts = {
			id: 'one',
			webhookId: '4f9c',
			token: 'made-up-token',
			credential: 'yuntongxunApi',
			requireSignedUrl: undefined,
			mode: 'trigger',
			...changes,
		};
		const credentials = { [parts.credential]: { id: '1', name: 'Account' } };
		return {
			getMode: () => parts.mode,
			getNode: () =>
				nodeOf({
					id: parts.id,
					webhookId: parts.webhookId,
					...(parts.token !== undefined && { credentials }),
				}),
			getNodeParameter: (_: string, fallback: unknown) =>
				parts.requireSignedUrl === undefined
					? fallback
					: { requireSignedUrl: parts.requireSignedUrl },
			getWorkflow: () => ({ id }),
			getWorkflowStaticData: (type: string) => (type === 'global' ? staticData : {}),
			getCredentials: async (type: string) => {
				if (parts.token === undefined || type !== parts.credential) throw new Error('None set');
				return { accountSid: 'made-up', authToken: parts.token, baseUrl: 'https://example.com' };
			},
		} as unknown as IHookFunctions;
	};
	const registered = () =>
		(JSON.parse(JSON.stringify(staticData)) as IDataObject).yuntongxunTriggers ?? {};
	return { trigger, registered, ids: () => Object.keys(registered()) };
}

it('holds ids and a fingerprint, no address and no token', async () => {
	const { trigger, registered } = workflowOf();
	await register(trigger());
	await register(trigger({ id: 'two', token: undefined }));
	expect(registered()).toEqual({
		one: { webhookId: '4f9c', credential: '1', account: expect.stringMatching(/^[\w-]{43}$/) },
		two: { webhookId: '4f9c' },
	});
	expect(JSON.stringify(registered())).not.toMatch(/http|made-up/);
});

it('holds one entry for each trigger, from activation to deactivation', async () => {
	const { trigger, ids } = workflowOf();
	const [one, two] = [trigger(), trigger({ id: 'two' })];
	for (const each of [one, two, one, two]) await register(each);
	expect(ids()).toEqual(['one', 'two']);
	unregister(one);
	expect(ids()).toEqual(['two']);
	unregister(two);
	unregister(two);
	expect(ids()).toEqual([]);
});

it.each<[string, Partial<TriggerParts>, IDataObject]>([
	['address', { webhookId: '77aa' }, { webhookId: '77aa', credential: '1' }],
	['account', { token: 'other' }, { webhookId: '4f9c', credential: '1' }],
	['credential', { token: undefined }, { webhookId: '4f9c' }],
])('holds the new entry once a trigger has another %s', async (_, changes, entry) => {
	const { trigger, registered } = workflowOf();
	await register(trigger());
	const { one: before } = registered() as { one: IDataObject };
	await register(trigger(changes));
	const { one: after } = registered() as { one: IDataObject };
	expect(after).toMatchObject(entry);
	expect(after).not.toEqual(before);
});

it('keeps what was registered before n8n started, and what belongs to others', async () => {
	const stored = { theirs: { a: 1 }, yuntongxunTriggers: { two: { webhookId: '77aa' } } };
	const { trigger, ids } = workflowOf(stored);
	await register(trigger());
	expect(ids()).toEqual(['two', 'one']);
	expect(stored).toMatchObject({ theirs: { a: 1 } });
});

it('is not touched when the editor listens for a test event, and stops', async () => {
	const { trigger, ids } = workflowOf();
	await register(trigger({ mode: 'manual' }));
	expect(ids()).toEqual([]);
	await register(trigger());
	await register(trigger({ mode: 'manual', webhookId: 'new' }));
	unregister(trigger({ mode: 'manual' }));
	expect(ids()).toEqual(['one']);
});

describe('a trigger that checks signatures', () => {
	it.each<WorkflowExecuteMode>(['trigger', 'manual'])('needs a credential (%s)', async (mode) => {
		const { trigger, ids } = workflowOf();
		for (const lacking of [{ token: undefined }, { credential: 'otherApi' }]) {
			await expect(register(trigger({ requireSignedUrl: true, mode, ...lacking }))).rejects.toThrow(
				'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
			);
		}
		expect(ids()).toEqual([]);
	});

	it('is registered with one, and without one if it checks none', async () => {
		const { trigger, ids } = workflowOf();
		await register(trigger({ requireSignedUrl: true }));
		await register(trigger({ id: 'two', requireSignedUrl: false, token: undefined }));
		expect(ids()).toEqual(['one', 'two']);
	});
});
