import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	buildRelayAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import type * as Activation from '../../../nodes/Yuntongxun/trigger/activation';
import type * as Receive from '../../../nodes/Yuntongxun/trigger/receive';
import { nodeOf } from '../../support/executeData';
import { storedCalls } from '../support/relay';

const n8nWorkflow: unknown = jest.requireActual('n8n-workflow');

const TOKEN = 'made-up-token';
const TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const CREDENTIAL = { accountSid: 'made-up', authToken: TOKEN, baseUrl: 'https://example.com' };

const sign = (url: string) => signUrl(url, CREDENTIAL, Date.now() + 60 * 60 * 1000);
const waitOf = (id: string) =>
	sign(
		buildRelayAddress(
			TRIGGER,
			sign(buildWaitAddress('https://n8n.example.com/webhook-waiting/7', id)),
		),
	);

/** One process of n8n, whose database outlives it. n8n reads and writes static data whole. */
function processOfN8n(database: { text: string }) {
	const loaded: { receive?: typeof Receive; activation?: typeof Activation } = {};
	jest.doMock('n8n-workflow', () => n8nWorkflow);
	jest.isolateModules(() => {
		loaded.receive = jest.requireActual(
			'../../../nodes/Yuntongxun/trigger/receive',
		) as typeof Receive;
		loaded.activation = jest.requireActual(
			'../../../nodes/Yuntongxun/trigger/activation',
		) as typeof Activation;
	});
	const { activation, receive } = loaded;
	if (!receive || !activation) throw new Error('The modules were not loaded');
	const posted: string[] = [];

	/** What n8n gives to one call of the trigger, as it reads its database at that moment. */
	function contextAt(url: string, callSid: string, webhookId = '4f9c', id = 't1') {
		const read = JSON.parse(database.text) as Record<string, IDataObject>;
		let isChanged = false;
		const watched = (data: IDataObject) =>
			new Proxy(data, {
				set(target, name, value) {
					isChanged = true;
					return Reflect.set(target, name, value);
				},
			});
		const node = `node:${id}`;
		const data = { ...read, global: watched(read.global ?? {}), [node]: watched(read[node] ?? {}) };
		const listeners: Array<() => void> = [];
		const response = {
			statusCode: 200,
			type: () => response,
			once: (event: string, listener: () => void) => {
				if (event === 'finish') listeners.push(listener);
				return response;
			},
		};
		const body = { action: 'SellingCall', callSid, number: '13800000000', state: '1' };
		const context = {
			getCredentials: async () => CREDENTIAL,
			getInputData: () => [{ json: { callSid } }],
			getMode: () => 'webhook',
			getNode: () =>
				nodeOf({ id, webhookId, credentials: { yuntongxunApi: { id: '1', name: 'Account' } } }),
			getNodeParameter: (_: string, fallback: unknown) =>
				Array.isArray(fallback) ? ['voiceNotification'] : fallback,
			getRequestObject: () => ({
				originalUrl: url.replace('https://n8n.example.com', ''),
				rawBody: Buffer.from(JSON.stringify(body)),
			}),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: 'w', active: true }),
			getWorkflowStaticData: (type: string) => (type === 'global' ? data.global : data[node]),
			helpers: {
				httpRequest: async ({ body: sent }: IHttpRequestOptions) => {
					posted.push(String(sent));
					return { statusCode: 409, body: 'The execution is running already.' };
				},
			},
			logger: { info: () => {}, warn: () => {} },
		};
		/** n8n saves static data that was changed, and then answers. @returns whether it saved */
		const save = () => {
			if (isChanged) database.text = JSON.stringify(data);
			for (const listener of listeners) listener();
			return isChanged;
		};
		return { context, save };
	}

	const eventOf = (callSid: string, id?: string) => contextAt(TRIGGER, callSid, undefined, id);
	const resultOf = (callSid: string) => contextAt(waitOf(callSid), callSid);
	const webhook = async ({ context }: ReturnType<typeof contextAt>) =>
		await receive.receiveNotification(context as unknown as IWebhookFunctions);
	/** n8n answers an event in one go. @returns whether it started the workflow */
	async function receives(call: ReturnType<typeof contextAt>): Promise<boolean> {
		const { workflowData } = await webhook(call);
		call.save();
		return workflowData !== undefined;
	}
	const execute = ({ context }: ReturnType<typeof contextAt>) =>
		receive.passThrough(context as unknown as IExecuteFunctions);
	const activate = async ({ context }: ReturnType<typeof contextAt>) =>
		await activation.prepareTrigger(context as unknown as IHookFunctions);
	return {
		activate,
		eventOf,
		resultOf,
		webhook,
		receives,
		execute,
		posted,
	};
}

const emptyDatabase = () => ({ text: '{}' });
const globalOf = ({ text }: { text: string }) =>
	(JSON.parse(text) as { global: IDataObject }).global;
const storedResults = (database: { text: string }) =>
	storedCalls({ text: JSON.stringify(globalOf(database)) });

beforeEach(() => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(async () => {
	// Every address has expired by then, so no relay is left looking.
	jest.setSystemTime(Date.UTC(2026, 0, 2));
	await jest.advanceTimersByTimeAsync(1000);
	jest.useRealTimers();
});

it('delivers stored results after a restart, whatever reaches the trigger first', async () => {
	const database = emptyDatabase();
	const before = processOfN8n(database);
	await before.receives(before.resultOf('c1'));
	const after = processOfN8n(database);
	expect(await after.receives(after.eventOf('c2'))).toBe(true);
	expect(storedResults(database)).toEqual(['c1']);
	await jest.advanceTimersByTimeAsync(6000);
	expect(after.posted[0]).toContain('"c1"');
});

it('writes nothing for an event, nor for the execution that it starts', async () => {
	const database = emptyDatabase();
	const n8n = processOfN8n(database);
	await n8n.receives(n8n.resultOf('c0'));
	const event = n8n.eventOf('c9');
	await n8n.webhook(event);
	n8n.execute(event);
	expect(event.save()).toBe(false);
});

it('delivers stored results when n8n activates the workflow at its start', async () => {
	const database = emptyDatabase();
	const before = processOfN8n(database);
	await before.receives(before.resultOf('c1'));
	const after = processOfN8n(database);
	const activation = after.eventOf('');
	await after.activate(activation);
	expect(activation.save()).toBe(false);
	await jest.advanceTimersByTimeAsync(6000);
	expect(after.posted[0]).toContain('"c1"');
});

it('lets one delivery write for all that come while n8n saves', async () => {
	const database = emptyDatabase();
	const n8n = processOfN8n(database);
	const calls = ['c1', 'c2', 'c3'].map((callSid) => n8n.resultOf(callSid));
	await n8n.webhook(calls[0]);
	const others = calls.slice(1).map(async (call) => await n8n.webhook(call));
	await jest.advanceTimersByTimeAsync(10);
	expect(calls[0].save()).toBe(true);
	await Promise.all(others);
	expect(calls.slice(1).map(({ save }) => save())).toEqual([false, false]);
	expect(storedResults(database)).toEqual(['c1', 'c2', 'c3']);
});

it.each(['execution', 'event'] as const)(
	'writes nothing for an %s without results',
	async (kind) => {
		const database = emptyDatabase();
		const n8n = processOfN8n(database);
		const call = n8n.eventOf('c1');
		if (kind === 'execution') n8n.execute(call);
		else await n8n.webhook(call);
		expect(call.save()).toBe(false);
		expect(database).toEqual(emptyDatabase());
	},
);
