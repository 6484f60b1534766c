import { createDecipheriv, hkdfSync } from 'node:crypto';
import type {
	IDataObject,
	IHttpRequestOptions,
	IWebhookFunctions,
	Logger,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import {
	parseResumeAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import type * as Deliveries from '../../../nodes/Yuntongxun/waiting/deliveries';
import type * as InboxModule from '../../../nodes/Yuntongxun/waiting/inbox';
import type { TakeOutcome } from '../../../nodes/Yuntongxun/waiting/inbox';
import { readDelivery } from '../../../nodes/Yuntongxun/waiting/protocol';
import type { WaitStatus } from '../../../nodes/Yuntongxun/waiting/completion';
import { parseCall } from './callEvents';
import { nodeOf } from '../../support/executeData';

const n8nWorkflow: unknown = jest.requireActual('n8n-workflow');

const TOKEN = 'made-up-token';
const CREDENTIAL = { accountSid: 'made-up', authToken: TOKEN, baseUrl: 'https://example.com' };
const OWN_CREDENTIAL = { yuntongxunApi: { id: '1', name: 'Account' } };
export const NOW = Date.UTC(2026, 0, 1);
export const MINUTE = 60_000;

export const ACKNOWLEDGED = {
	statusCode: 200,
	body: '<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>',
};
export const NOT_PARKED = { statusCode: 409, body: 'The execution is running already.' };
export const FINISHED = { statusCode: 409, body: 'The execution "7 has finished already.' };
export const waitingFor = (missing: string[], limit = 10 * MINUTE) => ({
	statusCode: 200,
	body: JSON.stringify({
		wait: 'waiting',
		missing: missing.map((call) => `voiceNotification ${call}`),
		until: NOW + limit,
		firstAnswered: false,
	}),
});

export type Answer = { statusCode: number; body: string } | Error;
export type Delivery = { address: string; calls: string[]; more: boolean; at: number };

export const addressOf = (wait: string, expiresAt = NOW + 60 * MINUTE) =>
	signUrl(
		buildWaitAddress('https://n8n.example.com/webhook-waiting/7', wait),
		CREDENTIAL,
		expiresAt,
	);
export const bodyOf = (callSid: string) =>
	JSON.stringify({ action: 'SellingCall', callSid, state: '1' });

/** One process of n8n, with a database that outlives it. */
export function processOfN8n(
	database: { text: string },
	answer: (delivery: Delivery) => Answer | Promise<Answer>,
) {
	const loaded: { Inbox?: typeof InboxModule.Inbox; deliveries?: typeof Deliveries } = {};
	// Loading all of n8n-workflow again for each process would take most of the time.
	jest.doMock('n8n-workflow', () => n8nWorkflow);
	jest.isolateModules(() => {
		loaded.deliveries = jest.requireActual(
			'../../../nodes/Yuntongxun/waiting/deliveries',
		) as typeof Deliveries;
		({ Inbox: loaded.Inbox } = jest.requireActual(
			'../../../nodes/Yuntongxun/waiting/inbox',
		) as typeof InboxModule);
	});
	const { Inbox, deliveries } = loaded;
	if (!Inbox || !deliveries) throw new Error('The modules were not loaded');
	const delivered: Delivery[] = [];
	const log: string[] = [];
	/** The token that each trigger's credential holds, if it is another. */
	const tokens: Record<string, string> = {};
	const say = (level: string) => (text: string) => void log.push(`${level}: ${text}`);
	const httpRequest = async ({ url, body }: IHttpRequestOptions) => {
		const { results, more } = readDelivery(Buffer.from(String(body))) ?? {
			results: [],
			more: true,
		};
		const calls = results.map(({ callEvent }) => callEvent.callSid);
		const one = { address: url, calls, more, at: Date.now() - NOW };
		delivered.push(one);
		const answered = await answer(one);
		if (answered instanceof Error) throw answered;
		return answered;
	};

	/** What n8n gives to one delivery, and what it does once the trigger has answered. */
	function delivery(trigger = 't1', mode: WorkflowExecuteMode = 'webhook') {
		// n8n gives a test event empty static data, and does not save it.
		const isTest = mode === 'manual';
		const data = JSON.parse(isTest ? '{}' : database.text) as IDataObject;
		const listeners: Record<string, () => void> = {};
		const response = {
			closed: false,
			statusCode: 200,
			once: (event: string, listener: () => void) => {
				listeners[event] = listener;
				return response;
			},
		};
		const staticData = { __dataChanged: true };
		const context = {
			workflow: { staticData },
			getMode: () => mode,
			getCredentials: async () => ({ ...CREDENTIAL, authToken: tokens[trigger] ?? TOKEN }),
			getNode: () => nodeOf({ id: trigger, credentials: OWN_CREDENTIAL }),
			getWorkflow: () => ({ id: 'w', active: true }),
			getWorkflowStaticData: (kind: string) => (kind === 'global' ? data : {}),
			getResponseObject: () => response,
			helpers: { httpRequest },
			logger: { info: say('info'), warn: say('warn') } as unknown as Logger,
		} as unknown as IWebhookFunctions;
		const save = (isBroken = false) => {
			if (!isTest && !isBroken) database.text = JSON.stringify(data);
			else JSON.stringify(data);
			staticData.__dataChanged = isBroken;
			listeners.finish?.();
		};
		const leave = () => {
			response.closed = true;
			listeners.close?.();
		};
		return { context, data, save, leave };
	}

	/** Has the relay take a result in a delivery that n8n has not answered yet. */
	async function takeIn(
		context: IWebhookFunctions,
		callSid: string,
		address = addressOf('w1'),
		body = bodyOf(callSid),
	): Promise<TakeOutcome | undefined> {
		const inbox = await Inbox?.open(context);
		return await inbox?.take(context, parseResumeAddress(address), {
			callEvent: eventOf(body),
			at: Date.now(),
		});
	}

	async function take(
		wait: string,
		callSid: string,
		address = addressOf(wait),
		{ trigger = 't1', body = bodyOf(callSid) } = {},
	): Promise<void> {
		const { context, save } = delivery(trigger);
		await takeIn(context, callSid, address, body);
		save();
	}

	const parsed = new Map<string, CallEvent>();
	function eventOf(body: string): CallEvent {
		const callEvent = parsed.get(body) ?? parseCall(body);
		if (!callEvent) throw new Error('There is no call event');
		parsed.set(body, callEvent);
		return callEvent;
	}

	const { context: anyContext } = delivery();

	/** Gives the relay a result that is not to be stored. */
	function keep(
		wait: string,
		callSid: string,
		address = addressOf(wait),
		body = bodyOf(callSid),
	): boolean | undefined {
		const result = { callEvent: eventOf(body), at: Date.now() };
		return deliveries?.keepResult(anyContext as never, parseResumeAddress(address), result);
	}

	/** Has n8n park an execution of this process, whose wait has these calls. */
	function park(wait: string, calls: string[], limit: number, firstAnswered = false): void {
		const missing = calls.map((callSid) => `voiceNotification ${callSid}`);
		const status: WaitStatus = {
			wait: 'waiting',
			missing,
			until: Date.now() + limit,
			firstAnswered,
		};
		deliveries?.noteParked(
			delivery().context as never,
			parseResumeAddress(addressOf(wait)),
			status,
		);
	}

	/** Has a delivery or an activation of a trigger open the inbox. */
	const open = async (trigger = 't1') => void (await Inbox.open(delivery(trigger).context));

	return {
		keep,
		park,
		take,
		takeIn,
		open,
		tokens,
		delivery,
		delivered,
		log,
		hasRoom: deliveries.hasRoom,
	};
}

export const database = () => ({ text: '{}' });
/** What is stored, decrypted as SECURITY.md tells it: AES-256-GCM, its key from the token by HKDF. */
export function unsealStored(sealed: string, token = TOKEN): [string, Array<[number, string]>] {
	const label = 'n8n-nodes-yuntongxun stored results';
	const key = Buffer.from(hkdfSync('sha256', token, CREDENTIAL.accountSid, label, 32));
	const bytes = Buffer.from(sealed, 'base64');
	const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
	decipher.setAuthTag(bytes.subarray(12, 28));
	const text = decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
	return JSON.parse(text) as [string, Array<[number, string]>];
}

export const storedCalls = ({ text }: { text: string }) =>
	(JSON.parse(text) as { yuntongxunResults: Array<{ sealed: string }> }).yuntongxunResults.flatMap(
		({ sealed }) => unsealStored(sealed)[1].map(([, callSid]) => callSid),
	);

/** Has each test begin at the same time, and leaves no relay looking. */
export function useFakeTime(): void {
	beforeEach(() => {
		jest.useFakeTimers({ now: NOW });
	});
	afterEach(async () => {
		// Every address has expired by then.
		await jest.advanceTimersByTimeAsync(100);
		jest.setSystemTime(NOW + 1000 * MINUTE);
		await jest.advanceTimersByTimeAsync(10_000);
		jest.useRealTimers();
	});
}

export const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
