import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { buildRelayUrl, buildStartUrl } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { buildQuestion, parseAnswer } from '../../../nodes/Yuntongxun/callbacks/triggerQuestion';
import { receiveNotification } from '../../../nodes/Yuntongxun/trigger/receive';
import { relay } from '../../../nodes/Yuntongxun/waiting/relay/relay';
import { buildCallResult } from '../../support/hostile';
import { REPLY, REPORT } from '../../support/notifications';
import { ACKNOWLEDGEMENT, buildNode, deliver, fakeCredential } from '../../support/fakeN8n';
import type { Delivered } from '../../support/fakeN8n';

const TOKEN = 'made-up-token';
const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const RESULT = buildCallResult('c1');
const CREDENTIAL = { accountSid: 'made-up', authToken: TOKEN, baseUrl: 'https://example.com' };
const OWN_CREDENTIAL = { yuntongxunApi: { id: '1', name: 'Account' } };
const ACKNOWLEDGED = { status: 200, type: 'application/xml', body: ACKNOWLEDGEMENT };
const refusal = (status: number, body: string) => ({
	status,
	type: 'text/plain',
	body,
	items: undefined,
});
const NOT_OURS = refusal(403, 'This address is not from this account, or it has expired.');
const UNAVAILABLE = refusal(503, 'The result cannot be taken right now.');
const NOT_A_NOTIFICATION = refusal(400, 'This address takes notifications of Yuntongxun only.');

const OTHER = { ...CREDENTIAL, authToken: 'another-token' };
const HANGUP = { action: 'Hangup', callSid: 'c1' };
const ALL = ['voiceNotification', 'voiceVerification', 'smsReport', 'smsReply', 'other'];

let triggers = 0;

const buildParts = () => ({
	url: URL_OF_TRIGGER,
	result: RESULT as unknown,
	events: ['voiceVerification', 'voiceNotification'] as unknown,
	options: {} as IDataObject,
	mode: 'webhook' as WorkflowExecuteMode,
	id: `t${++triggers}`,
	/** Undefined if the node has none. */
	credential: undefined as (() => Promise<IDataObject>) | undefined,
	httpRequest: (async () => ({ statusCode: 200, body: '' })) as (
		request: IDataObject,
	) => Promise<unknown>,
	/** With which n8n's answer ends; undefined if the caller leaves before. */
	status: 200 as number | undefined,
	/** What n8n's log says. */
	log: [] as string[],
});

type Parts = ReturnType<typeof buildParts>;

/** One delivery to a trigger of its own, without a credential, but for what is changed. */
async function received(changes: Partial<Parts> = {}): Promise<Delivered> {
	const parts = { ...buildParts(), ...changes };
	const parameters: IDataObject = { events: parts.events as IDataObject, options: parts.options };
	return await deliver(
		receiveNotification,
		{ url: parts.url, body: JSON.stringify(parts.result), status: parts.status },
		{
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: fakeCredential(parts.credential ?? unreadable),
			getMode: () => parts.mode,
			getNode: () => buildNode({ id: parts.id, credentials: parts.credential && OWN_CREDENTIAL }),
			getWorkflow: () => ({ id: 'w', active: true }),
			additionalData: { webhookWaitingBaseUrl: 'http://n8n.internal:5678/webhook-waiting' },
			helpers: { httpRequest: parts.httpRequest },
			logger: {
				info: (text: string) => void parts.log.push(text),
				warn: (text: string) => void parts.log.push(text),
			},
		},
	);
}

const unreadable = async () => {
	throw new Error('The database is away');
};

describe('a delivery to the trigger', () => {
	it('starts the workflow with what was delivered, and is acknowledged', async () => {
		expect(await received()).toEqual({
			...ACKNOWLEDGED,
			items: [
				{
					json: {
						...RESULT,
						event: 'voiceNotification',
						outcome: 'completed',
						answered: true,
						durationSeconds: 30,
						receivedAt: expect.any(String) as string,
						notification: RESULT,
					},
				},
			],
		});
	});

	it('that is not a notification is refused and logged', async () => {
		const log: string[] = [];
		expect(await received({ result: { hello: 1 }, log })).toEqual(NOT_A_NOTIFICATION);
		expect(log).toEqual([expect.stringContaining('was refused with HTTP 400')]);
	});

	const VERIFIED = { ...RESULT, action: 'VoiceCode' };

	it.each<[string, object, unknown, string[], string | undefined]>([
		['is a chosen event', RESULT, ['voiceNotification'], [], 'voiceNotification'],
		['is another event', VERIFIED, ['voiceNotification'], [], undefined],
		['comes where the choice is missing', RESULT, undefined, [], undefined],
		['has a chosen outcome', RESULT, ALL, ['completed'], 'voiceNotification'],
		['has another outcome', RESULT, ALL, ['noAnswer'], undefined],
		['has another outcome, of a verification', VERIFIED, ALL, ['noAnswer'], undefined],
		['is a report, whatever the outcomes', REPORT, ['smsReport'], ['failed'], 'smsReport'],
		['is a report where replies are chosen', REPORT, ['smsReply'], [], undefined],
		['is a reply, whatever the outcomes', REPLY, ['smsReply'], ['failed'], 'smsReply'],
		['is something else, whatever the outcomes', HANGUP, ['other'], ['failed'], 'other'],
	])('that %s', async (_, result, events, outcomes, event) => {
		const { items, ...answer } = await received({ result, events, options: { outcomes } });
		expect(answer).toEqual(ACKNOWLEDGED);
		expect(items?.map(({ json }) => json.event)).toEqual(event && [event]);
	});

	it('a delivery that it does not start for is logged, a filtered outcome is not', async () => {
		const log: string[] = [];
		await received({ result: HANGUP, log });
		await received({ options: { outcomes: ['failed'] }, log });
		expect(log).toEqual([expect.stringContaining('its event, other')]);
	});

	describe('of several at once', () => {
		const list = ['c1', 'c2', 'c3'].map((callSid, state) => {
			return { ...RESULT, callSid, state: String(state) };
		});
		const sids = ({ items }: Delivered) => items?.map(({ json }) => json.callSid);

		it('starts the workflow once, with an item for each that it starts for', async () => {
			const others = [{ action: 'Hangup', callSid: 'c4' }, 'x', { hello: 1 }];
			expect(sids(await received({ result: [...list, ...others] }))).toEqual(['c1', 'c2', 'c3']);
			const options = { outcomes: ['completed', 'failed'] };
			expect(sids(await received({ result: list, options }))).toEqual(['c1', 'c3']);
			expect(sids(await received({ result: list, events: ['smsReply'] }))).toBeUndefined();
		});

		it('starts it for those that did not come before', async () => {
			const id = 'some of a list again';
			expect(sids(await received({ id, result: [list[1], list[1]] }))).toEqual(['c2']);
			expect(sids(await received({ id, result: list, status: 500 }))).toEqual(['c1', 'c3']);
			expect(sids(await received({ id, result: list }))).toEqual(['c1', 'c3']);
		});
	});

	describe('that arrives again', () => {
		it.each<[string, Partial<Parts>, number | undefined]>([
			['nothing, as n8n gives a trigger without options', {}, undefined],
			['nothing, where that is wanted', { options: { ignoreDuplicates: true } }, undefined],
			['anew, where that is not wanted', { options: { ignoreDuplicates: false } }, 1],
			['anew, while the workflow is tried by hand', { mode: 'manual' }, 1],
			['anew, where n8n could not start it', { status: 500 }, 1],
			['nothing, where the caller left before n8n answered', { status: undefined }, undefined],
		])('starts %s', async (_, changes, count) => {
			const again = { ...changes, id: `twice${++triggers}` };
			expect((await received(again)).items).toHaveLength(1);
			const { items, ...answer } = await received(again);
			expect(answer).toEqual(ACKNOWLEDGED);
			expect(items?.length).toBe(count);
		});

		it('a copy after one that was filtered out is not a copy of it', async () => {
			const id = 'a choice that changed';
			expect((await received({ id, events: ['voiceVerification'] })).items).toBeUndefined();
			expect((await received({ id })).items).toHaveLength(1);
		});
	});

	describe('to a trigger with a credential', () => {
		const credential = async () => CREDENTIAL;
		const ours = buildStartUrl(URL_OF_TRIGGER, CREDENTIAL);
		it.each<[string, unknown, string, string]>([
			['the result of a call', RESULT, 'voiceNotification', ours],
			['something else', HANGUP, 'other', ours],
			[
				'a report on an SMS, at an address that stands in the console',
				REPORT,
				'smsReport',
				URL_OF_TRIGGER,
			],
			['a reply, at such an address', REPLY, 'smsReply', URL_OF_TRIGGER],
		])('starts the workflow: %s', async (_, result, event, url) => {
			const { items } = await received({ credential, result, events: ALL, url });
			expect(items).toMatchObject([{ json: { event } }]);
		});

		it.each<[string, Partial<Parts>]>([
			['has no token', {}],
			['has no token, of something else', { result: HANGUP, events: ALL }],
			['is another account’s', { url: buildStartUrl(URL_OF_TRIGGER, OTHER) }],
		])('is refused where its address %s', async (_, changes) => {
			expect(await received({ credential, ...changes })).toEqual(NOT_OURS);
		});

		it('is sent back to the service if n8n cannot read the credential just now', async () => {
			const log: string[] = [];
			expect(await received({ credential: unreadable, url: ours, log })).toEqual(UNAVAILABLE);
			expect(log).toEqual([
				expect.stringContaining(
					'was refused with HTTP 503, since n8n could not read the credential: content type',
				),
			]);
		});
	});

	it('to a trigger without a credential is taken at any address but that of a wait', async () => {
		expect((await received({ url: buildStartUrl(URL_OF_TRIGGER, OTHER) })).items).toHaveLength(1);
		const key = { execution: '231', secret: Buffer.alloc(16) };
		const url = buildRelayUrl(URL_OF_TRIGGER, key, Date.now() + 60_000, CREDENTIAL);
		expect(await received({ url })).toEqual(NOT_OURS);
	});

	describe('for a waiting execution', () => {
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(async () => {
			// The relay looks once more, and ends.
			await jest.advanceTimersByTimeAsync(30_000);
			jest.useRealTimers();
		});

		let waits = 0;
		const relayed = (account = CREDENTIAL) => {
			const secret = Buffer.from(`w${++waits}`.padEnd(16, '.'));
			const key = { execution: '231', secret };
			return buildRelayUrl(URL_OF_TRIGGER, key, Date.now() + 60 * 60 * 1000, account);
		};

		async function relayedResult(changes: Partial<Parts> = {}) {
			const requests: IDataObject[] = [];
			const delivered = await received({
				url: relayed(),
				credential: async () => CREDENTIAL,
				httpRequest: async (request) => {
					requests.push(request);
					return { statusCode: 200, body: ACKNOWLEDGEMENT };
				},
				...changes,
			});
			return { delivered, requests };
		}

		it.each<[string, object]>([
			['the result of a call', RESULT],
			['something else', HANGUP],
			['a result without a callSid', { action: 'SellingCall', state: '0' }],
		])(
			'is passed on as it was delivered, acknowledged, and starts nothing: %s',
			async (_, result) => {
				const { delivered, requests } = await relayedResult({ result });
				expect(delivered).toMatchObject({ ...ACKNOWLEDGED, items: undefined });
				const [{ url, body }] = requests;
				expect(url).toMatch(
					/^http:\/\/n8n\.internal:5678\/webhook-waiting\/231\/yuntongxun-result\?ytWait=[\w-]{22}$/,
				);
				expect(JSON.parse(String(body))).toEqual({
					ytResults: [{ receivedAt: expect.any(Number) as number, body: JSON.stringify(result) }],
				});
			},
		);

		it('is acknowledged after two seconds if it is not taken by then', async () => {
			const url = relayed();
			let answered: Delivered | undefined;
			const answers = [{ statusCode: 409, body: '' }];
			const httpRequest = async () => answers[0];
			void received({ url, httpRequest, credential: async () => CREDENTIAL }).then((delivered) => {
				answered = delivered;
			});
			await jest.advanceTimersByTimeAsync(1999);
			expect(answered).toBeUndefined();
			await jest.advanceTimersByTimeAsync(1);
			expect(answered).toMatchObject({ ...ACKNOWLEDGED, items: undefined });
			answers[0] = { statusCode: 200, body: ACKNOWLEDGEMENT };
		});

		it('is refused if another account made the address', async () => {
			const { delivered, requests } = await relayedResult({ url: relayed(OTHER) });
			expect(delivered).toEqual(NOT_OURS);
			expect(requests).toEqual([]);
		});

		it('is refused if it is not a notification', async () => {
			const { delivered, requests } = await relayedResult({ result: 'hello' });
			expect(delivered).toEqual(NOT_A_NOTIFICATION);
			expect(requests).toEqual([]);
		});

		it('is sent back to the service if too many results are on their way, and logged', async () => {
			const passOn = jest.spyOn(relay, 'passOn').mockReturnValueOnce(undefined);
			const log: string[] = [];
			const { delivered, requests } = await relayedResult({ log });
			passOn.mockRestore();
			expect(delivered).toEqual(UNAVAILABLE);
			expect(requests).toEqual([]);
			expect(log).toEqual([
				expect.stringContaining('HTTP 503, since it is too large, or too many are on their way: '),
			]);
		});
	});
});

describe('A question', () => {
	/** Asks a trigger of a workflow that starts for replies by SMS. */
	async function ask(changes: Partial<Parts> = {}, workflowId = 'w', age = 0) {
		const id = `t${++triggers}`;
		const trigger = { workflowId, nodeId: id, name: 'Trigger', url: URL_OF_TRIGGER };
		const question = buildQuestion(trigger, CREDENTIAL);
		jest.useFakeTimers({ now: Date.now() + age });
		const delivered = await received({
			id,
			url: question.address,
			result: question.body,
			events: ['smsReply'],
			credential: async () => CREDENTIAL,
			...changes,
		});
		jest.useRealTimers();
		return { ...delivered, answer: parseAnswer(delivered.body, question) };
	}

	it('is answered with what the trigger starts for, and starts nothing', async () => {
		const { type, items, answer } = await ask();
		expect([type, items]).toEqual(['application/json', undefined]);
		expect(answer).toEqual({ events: ['smsReply'], isAsked: true });
	});

	it.each<[string, Partial<Parts>, string]>([
		['of another workflow', {}, 'other'],
		['that is another one of the workflow', { id: 'other' }, 'w'],
	])('tells a trigger %s, which has come by the same address', async (_, changes, workflowId) => {
		expect((await ask(changes, workflowId)).answer?.isAsked).toBe(false);
	});

	it.each<[string, Partial<Parts>, object]>([
		['has no credential', { credential: undefined }, NOT_OURS],
		['has another account', { credential: async () => OTHER }, NOT_OURS],
		['has a credential that is not whole', { credential: async () => ({}) }, NOT_OURS],
		['cannot read its credential', { credential: unreadable }, UNAVAILABLE],
	])('is refused by a trigger that %s, and whoever asks says so', async (_, changes, expected) => {
		const log: string[] = [];
		expect(await ask({ ...changes, log })).toMatchObject(expected);
		expect(log).toEqual([]);
	});

	it('is good for five minutes', async () => {
		expect((await ask({}, 'w', 4 * 60_000)).status).toBe(200);
		expect((await ask({}, 'w', 6 * 60_000)).status).toBe(403);
	});
});
