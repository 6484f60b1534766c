import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import {
	buildRelayAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import { receiveNotification } from '../../../nodes/Yuntongxun/trigger/receive';
import { relay } from '../../../nodes/Yuntongxun/waiting/relay/relay';
import { buildNode, deliver, fakeCredential } from '../../support/fakeN8n';
import type { Delivered } from '../../support/fakeN8n';

const TOKEN = 'made-up-token';
const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const RESULT = {
	action: 'SellingCall',
	callSid: 'c1',
	number: '13800000000',
	state: '0',
	duration: '30',
};
const CREDENTIAL = { accountSid: 'made-up', authToken: TOKEN, baseUrl: 'https://example.com' };
const OWN_CREDENTIAL = { yuntongxunApi: { id: '1', name: 'Account' } };
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const ACKNOWLEDGED = { status: 200, type: 'application/xml', body: ACKNOWLEDGEMENT };
const refusal = (status: number, body: string) => ({
	status,
	type: 'text/plain',
	body,
	items: undefined,
});
const NOT_SIGNED = refusal(403, 'This address is not signed, or its signature has expired.');
const UNAVAILABLE = refusal(503, 'The result cannot be taken right now.');
const NOT_A_NOTIFICATION = refusal(400, 'This address takes notifications of Yuntongxun only.');

const signed = (url = URL_OF_TRIGGER) => signUrl(url, CREDENTIAL, Date.now() + 60 * 60 * 1000);

interface Parts {
	url: string;
	result: unknown;
	events: unknown;
	options: IDataObject;
	mode: WorkflowExecuteMode;
	id: string;
	/** Undefined if the node has none. */
	credential: (() => Promise<IDataObject>) | undefined;
	httpRequest: (request: IDataObject) => Promise<unknown>;
	/** With which n8n's answer ends; undefined if the caller leaves before. */
	status: number | undefined;
	/** What n8n's log says. */
	log: string[];
}

let triggers = 0;

/** One delivery to a trigger of its own, but for what is changed. */
async function received(changes: Partial<Parts> = {}): Promise<Delivered> {
	const parts: Parts = {
		url: URL_OF_TRIGGER,
		result: RESULT,
		events: ['voiceVerification', 'voiceNotification'],
		options: {},
		mode: 'webhook',
		id: `t${++triggers}`,
		credential: async () => CREDENTIAL,
		httpRequest: async () => ({ statusCode: 200, body: '' }),
		status: 200,
		log: [],
		...changes,
	};
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

	it('a delivery that is not a notification is refused', async () => {
		expect(await received({ result: { hello: 1 } })).toEqual(NOT_A_NOTIFICATION);
	});

	it.each<[string, string, unknown, number | undefined]>([
		['a chosen event', 'SellingCall', ['voiceNotification'], 1],
		['another event', 'VoiceCode', ['voiceNotification'], undefined],
		['an event where none is chosen', 'SellingCall', [], undefined],
		['an event where the choice is missing', 'SellingCall', undefined, undefined],
	])('a delivery of %s', async (_, action, events, count) => {
		const { status, items } = await received({ result: { ...RESULT, action }, events });
		expect([status, items?.length]).toEqual([200, count]);
	});

	it.each<[string, object, unknown, number | undefined]>([
		['a chosen one', { state: '1' }, ['noAnswer'], 1],
		['another one', { state: '0' }, ['noAnswer'], undefined],
		['another one of a verification', { state: '0', action: 'VoiceCode' }, ['noAnswer'], undefined],
		['any where none is chosen', { state: '1' }, [], 1],
	])('filtered by outcome: %s', async (_, changes, outcomes, count) => {
		const result = { ...RESULT, ...changes };
		const { status, items } = await received({
			result,
			events: ['voiceNotification', 'voiceVerification'],
			options: { outcomes } as IDataObject,
		});
		expect([status, items?.length]).toEqual([200, count]);
	});

	it.each<[string, object, string]>([
		['a report on an SMS', { action: 'SMSArrived', smsType: '1', content: 's1' }, 'smsReport'],
		['a reply to an SMS', { action: 'SMSArrived', smsType: '0', content: 'Y' }, 'smsReply'],
		['something else', { action: 'Hangup', callSid: 'c1' }, 'other'],
	])(
		'of %s starts the workflow only where it is chosen, whatever the outcomes',
		async (_, result, event) => {
			const options = { outcomes: ['failed'] };
			const { items } = await received({ result, events: [event], options });
			expect(items).toEqual([{ json: expect.objectContaining({ event }) as IDataObject }]);

			const all = ['voiceNotification', 'voiceVerification', 'smsReport', 'smsReply', 'other'];
			const events = all.filter((each) => each !== event);
			const unwanted = await received({ result, events });
			expect(unwanted).toEqual({ ...ACKNOWLEDGED, items: undefined });
		},
	);

	it('a delivery that it does not start for is logged, a filtered outcome is not', async () => {
		const log: string[] = [];
		const result = { ...RESULT, action: 'Hangup' };
		await received({ result, log });
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

		it('is refused as a whole where one asks for a decision', async () => {
			const result = [...list, { action: 'CallAuth', callSid: 'c4' }];
			expect(await received({ result })).toEqual(NOT_A_NOTIFICATION);
		});
	});

	it('a delivery that is refused is logged', async () => {
		const log: string[] = [];
		await received({ result: 'hello', log });
		expect(log).toEqual([expect.stringContaining('was refused with HTTP 400')]);
	});

	describe('that arrives again', () => {
		const twice = async (changes: Partial<Parts>) => {
			const again = { ...changes, id: `twice${++triggers}` };
			const all = [await received(again), await received(again)];
			expect(all.map(({ status }) => status)).toEqual([200, 200]);
			return all.map(({ items }) => items?.length);
		};

		it.each<[string, Partial<Parts>]>([
			['as n8n gives a trigger without options', {}],
			['where that is wanted', { options: { ignoreDuplicates: true } }],
		])('starts nothing: %s', async (_, changes) => {
			expect(await twice(changes)).toEqual([1, undefined]);
		});

		it.each<[string, Partial<Parts>]>([
			['where that is not wanted', { options: { ignoreDuplicates: false } }],
			['while the workflow is tried by hand', { mode: 'manual' }],
		])('starts the workflow again: %s', async (_, changes) => {
			expect(await twice(changes)).toEqual([1, 1]);
		});

		it.each([
			['starts the workflow again, where n8n could not start it', 500, 1],
			['starts nothing, where the caller left before n8n answered', undefined, undefined],
		])('%s', async (_, status, count) => {
			const id = `an answer that ended with ${status}`;
			expect((await received({ id, status })).items).toHaveLength(1);
			expect((await received({ id })).items?.length).toBe(count);
		});

		it('a copy after one that was filtered out is not a copy of it', async () => {
			const id = 'a choice that changed';
			expect((await received({ id, events: ['voiceVerification'] })).items).toBeUndefined();
			expect((await received({ id })).items).toHaveLength(1);
		});
	});

	describe('where the address has to be signed', () => {
		const options = { requireSignedUrl: true };

		it('is taken at an address that the account has signed', async () => {
			expect((await received({ options, url: signed() })).items).toHaveLength(1);
		});

		it.each<[string, Partial<Parts>]>([
			['it is not signed', {}],
			['it has expired', { url: signUrl(URL_OF_TRIGGER, CREDENTIAL, Date.now() - 60_000) }],
			['what it holds is not a notification either', { result: {} }],
			[
				'it is a report on an SMS, which comes unsigned',
				{ result: { action: 'SMSArrived', smsType: '1', content: 's1' }, events: ['smsReport'] },
			],
		])('is refused where %s', async (_, changes) => {
			expect(await received({ options, ...changes })).toEqual(NOT_SIGNED);
		});

		it('is sent back to the service if n8n cannot read the credential just now', async () => {
			const changes = { options, url: signed(), credential: unreadable };
			expect(await received(changes)).toEqual(UNAVAILABLE);
		});

		it('needs no signature if the option is off', async () => {
			const changes = { options: { requireSignedUrl: false }, credential: undefined };
			expect((await received(changes)).items).toHaveLength(1);
		});
	});

	describe('for a waiting execution', () => {
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(async () => {
			// Every address expires, so that nothing is passed on any more.
			jest.setSystemTime(Date.now() + 24 * 60 * 60 * 1000);
			await jest.advanceTimersByTimeAsync(30_000);
			jest.useRealTimers();
		});

		let waits = 0;
		const wait = () =>
			signed(buildWaitAddress('http://n8n.internal:5678/webhook-waiting/231', `w${++waits}`));
		const unsigned = (url: string) => url;
		const relayed = (sign: (url: string) => string = signed) =>
			sign(buildRelayAddress(URL_OF_TRIGGER, wait()));

		async function relayedResult(changes: Partial<Parts> = {}) {
			const requests: IDataObject[] = [];
			const delivered = await received({
				url: relayed(),
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
			['something else', { action: 'Hangup', callSid: 'c1' }],
			['a result without a callSid', { action: 'SellingCall', state: '0' }],
		])(
			'is passed on as it was delivered, acknowledged, and starts nothing: %s',
			async (_, result) => {
				const { delivered, requests } = await relayedResult({ result });
				expect(delivered).toMatchObject({ ...ACKNOWLEDGED, items: undefined });
				const [{ url, body }] = requests;
				expect(url).toMatch(/^http:\/\/n8n\.internal:5678\/webhook-waiting\/231\//);
				expect(JSON.parse(String(body))).toEqual({
					ytResults: [{ receivedAt: expect.any(Number) as number, body: JSON.stringify(result) }],
				});
			},
		);

		it('is acknowledged after two seconds if it is not taken by then', async () => {
			const url = relayed();
			let answered: Delivered | undefined;
			const httpRequest = async () => ({ statusCode: 409, body: '' });
			void received({ url, httpRequest }).then((delivered) => {
				answered = delivered;
			});
			await jest.advanceTimersByTimeAsync(1999);
			expect(answered).toBeUndefined();
			await jest.advanceTimersByTimeAsync(1);
			expect(answered).toMatchObject({ ...ACKNOWLEDGED, items: undefined });
		});

		it('is refused if the outer address is not signed', async () => {
			const { delivered, requests } = await relayedResult({ url: relayed(unsigned) });
			expect(delivered).toEqual(NOT_SIGNED);
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
				'Yuntongxun: a result for waiting execution 231 was refused: too many are on their way',
			]);
		});
	});
});
