import type { IDataObject } from 'n8n-workflow';

import { keepResult } from '../../../nodes/Yuntongxun/waiting/deliveries';
import { buildDeliveryBodies, readDelivery } from '../../../nodes/Yuntongxun/waiting/protocol';
import type { Sender } from '../../../nodes/Yuntongxun/callbacks/ownN8n';
import {
	parseResumeAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import { resumeWithResults } from '../../../nodes/Yuntongxun/waiting/resumeWebhook';
import { parseCall } from '../support/callEvents';
import { credentialOf, deliver } from '../support/delivery';
import type { Delivered } from '../support/delivery';
import { nodeOf } from '../../support/executeData';

const TOKEN = 'made-up-token';
const HOUR = 60 * 60 * 1000;
const RESULT = { action: 'SellingCall', callSid: 'c1', number: '1', state: '1', duration: '0' };
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

const addressOf = (wait: string, token = TOKEN, expiresAt = Date.now() + HOUR) =>
	signUrl(
		buildWaitAddress('https://n8n.example.com/webhook-waiting/7', wait),
		{ accountSid: 'made-up', authToken: token },
		expiresAt,
	);
const resultsOf = (...results: object[]) =>
	buildDeliveryBodies(
		results.flatMap((result) => {
			const callEvent = parseCall(JSON.stringify({ ...RESULT, ...result }));
			return callEvent ? [{ callEvent, at: 1000 }] : [];
		}),
	)[0];
const setOf = (...calls: string[]) => resultsOf(...calls.map((callSid) => ({ callSid })));

interface Parts {
	wait: string;
	url: string;
	body: string | Buffer | undefined;
	calls: string[];
	until: number;
	continueWhen: string;
	credential: () => Promise<IDataObject>;
	parked: unknown;
	readRawBody: () => Promise<void>;
	warn: (words: string) => void;
	/** With which n8n's answer ends; undefined if the caller leaves before. */
	status: number | undefined;
}

let waits = 0;

/** One delivery to an execution that waits, in a wait of its own, but for what is changed. */
async function delivered(changes: Partial<Parts> = {}): Promise<Delivered> {
	const {
		wait = `w${++waits}`,
		calls = ['c1'],
		until = Date.now() + HOUR,
		continueWhen = 'allResults',
	} = changes;
	const items = calls.map((callSid, item) => ({
		json: { callSid, to: '13800000000', outcome: 'timeout', answered: false },
		pairedItem: { item },
	}));
	const facts = {
		id: wait,
		continueWhen,
		until,
		resultIds: calls.map((callSid) => `voiceNotification ${callSid}`),
	};
	const data = { main: [items], yuntongxunWait: [[{ json: facts }]] };
	const parts: Omit<Parts, 'wait' | 'calls' | 'until' | 'continueWhen'> = {
		url: addressOf(wait),
		body: JSON.stringify(RESULT),
		credential: async () => ({
			accountSid: 'made-up',
			authToken: TOKEN,
			baseUrl: 'https://example.com',
		}),
		parked: { executionData: { nodeExecutionStack: [{ data }] } },
		readRawBody: async () => {},
		warn: () => {},
		status: 200,
		...changes,
	};
	const { credential, parked, warn, ...delivery } = parts;
	return await deliver(resumeWithResults, delivery, {
		getExecutionId: () => '7',
		getNode: () => nodeOf({ id: `n${waits}` }),
		getWorkflow: () => ({ id: 'w' }),
		getCredentials: credentialOf(credential),
		runExecutionData: parked,
		logger: { warn },
	});
}

const outcomes = ({ items }: Delivered) => items?.map(({ json }) => json.outcome);
const said = ({ body }: Delivered) => JSON.parse(body) as IDataObject;

describe('a result that comes directly', () => {
	it('resumes with the fields of the call and of a trigger item', async () => {
		expect(await delivered()).toEqual({
			status: 200,
			type: 'application/xml',
			body: ACKNOWLEDGEMENT,
			items: [
				{
					json: {
						...RESULT,
						to: '13800000000',
						event: 'voiceNotification',
						outcome: 'noAnswer',
						answered: false,
						durationSeconds: 0,
						receivedAt: expect.any(String) as string,
					},
					pairedItem: { item: 0 },
				},
			],
		});
	});

	it('leaves no wait in the execution that goes on, so that nothing resumes it after a crash', async () => {
		const item = { json: { callSid: 'c1' } };
		const facts = {
			id: 'crash',
			continueWhen: 'allResults',
			until: Date.now() + HOUR,
			resultIds: ['voiceNotification c1'],
		};
		const data = { main: [[item]], yuntongxunWait: [[{ json: facts }]] };
		const parked = { executionData: { nodeExecutionStack: [{ data }] } };
		const first = await delivered({ wait: 'crash', parked });
		expect(first.items).toHaveLength(1);
		// n8n stores the execution as it is now when it starts to go on.
		expect(Object.keys(data)).toEqual(['main']);
		const again = await delivered({ wait: 'crash', parked, body: setOf('c1') });
		expect([again.items, said(again)]).toEqual([undefined, { wait: 'other' }]);
	});

	it('resumes once, of ten at the same moment', async () => {
		const wait = 'ten';
		const all = await Promise.all(
			Array.from({ length: 10 }, async () => await delivered({ wait })),
		);
		expect(all.map(({ body }) => body)).toEqual(Array(10).fill(ACKNOWLEDGEMENT));
		expect(all.filter(({ items }) => items !== undefined)).toHaveLength(1);
	});

	it.each([
		[500, 'again, sent again, where n8n could not resume it', ['noAnswer']],
		[undefined, 'once, if the caller left before n8n answered', undefined],
	])('resumes %s: %s', async (status, _, outcome) => {
		const wait = `w${++waits}`;
		expect(outcomes(await delivered({ wait, status }))).toEqual(['noAnswer']);
		expect(outcomes(await delivered({ wait }))).toEqual(outcome);
	});

	it.each<[string, IDataObject]>([
		['another call', { callSid: 'c2' }],
		['a call of the other kind', { action: 'VoiceCode' }],
		['something else', { action: 'Hangup' }],
		['a report on an SMS', { action: 'SMSArrived', smsType: '1', content: 's1' }],
	])('of %s is acknowledged and resumes nothing', async (_, changes) => {
		const body = JSON.stringify({ ...RESULT, ...changes });
		expect(await delivered({ body })).toMatchObject({ body: ACKNOWLEDGEMENT, items: undefined });
	});

	it('of another wait of this execution is acknowledged and resumes nothing', async () => {
		const given = { wait: 'second', url: addressOf('first') };
		expect(await delivered(given)).toMatchObject({ body: ACKNOWLEDGEMENT, items: undefined });
	});

	it.each(['hello', '', ' ', '{}', '[]', 'null', '{"action":"CallAuth","callSid":"c1"}', '<a><b>'])(
		'of %j is refused',
		async (body) => {
			expect(await delivered({ body })).toMatchObject({ status: 400, items: undefined });
		},
	);

	it.each([
		['unsigned', addressOf('own').split('&ytExpires')[0]],
		['signed by another account', addressOf('own', 'other')],
		['signed, expired', addressOf('own', TOKEN, Date.now() - 60_000)],
		['signed for another execution', addressOf('own').replace('/7/', '/8/')],
		['signed for another wait', addressOf('other').replace('ytWait=other', 'ytWait=own')],
	])('to an address that is %s is refused, and does not use up the resume', async (_, url) => {
		const wait = 'own';
		expect(await delivered({ wait, url })).toMatchObject({ status: 403, items: undefined });
		const hello = await delivered({ wait, url, body: 'hello' });
		expect(hello).toMatchObject({ status: 403, items: undefined });
	});

	it('is read if n8n has not read it', async () => {
		const readRawBody = jest.fn(async () => {});
		expect(await delivered({ body: undefined, readRawBody })).toMatchObject({ status: 400 });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});
});

describe('results that a relay delivers', () => {
	it('resume if none is missing, and keep the moment at which they came', async () => {
		const answer = await delivered({ calls: ['c1', 'c2'], body: setOf('c2', 'c1') });
		expect(answer.body).toBe(ACKNOWLEDGEMENT);
		expect(outcomes(answer)).toEqual(['noAnswer', 'noAnswer']);
		expect(answer.items?.[0].json.receivedAt).toBe(new Date(1000).toISOString());
	});

	it('tell the relay what is missing and when the limit passes', async () => {
		const until = Date.now() + 1000;
		const answer = await delivered({ calls: ['c1', 'c2', 'c3'], until, body: setOf('c2') });
		expect([answer.status, answer.type, answer.items]).toEqual([
			200,
			'application/json',
			undefined,
		]);
		expect(said(answer)).toEqual({
			wait: 'waiting',
			missing: ['voiceNotification c1', 'voiceNotification c3'],
			until,
			firstAnswered: false,
		});
	});

	it('tell the relay whether one answered call is enough, and resume with it', async () => {
		const first = { wait: `w${++waits}`, calls: ['c1', 'c2'], continueWhen: 'firstAnswered' };
		expect(said(await delivered({ ...first, body: setOf('c1') }))).toMatchObject({
			missing: ['voiceNotification c2'],
			firstAnswered: true,
		});
		const body = resultsOf({ callSid: 'c2', state: '0', duration: '9' });
		expect(outcomes(await delivered({ ...first, body }))).toEqual(['noAnswer', 'completed']);
	});

	it('add up, wherever they come from', async () => {
		const given = { wait: 'sum', calls: ['c1', 'c2', 'c3'] };
		for (const one of ['c1', 'c2']) {
			expect(outcomes(await delivered({ ...given, body: setOf(one) }))).toBeUndefined();
		}
		expect(outcomes(await delivered({ ...given, body: setOf('c3') }))).toHaveLength(3);
		expect(said(await delivered({ ...given, body: setOf('c3') })).wait).toBe('resuming');
	});

	it('that come in parts resume with the last one, even past the limit', async () => {
		const given = { wait: 'parts', calls: ['c1', 'c2'], until: Date.now() - 1 };
		const part = setOf('c1').replace('"more":false', '"more":true');
		expect(said(await delivered({ ...given, body: part }))).toMatchObject({
			wait: 'waiting',
			missing: ['voiceNotification c2'],
		});
		expect(outcomes(await delivered({ ...given, body: setOf('c2') }))).toEqual([
			'noAnswer',
			'noAnswer',
		]);
	});

	it('add up anew where n8n could not resume the execution', async () => {
		const given = { wait: 'anew', calls: ['c1', 'c2'] };
		await delivered({ ...given, body: setOf('c1') });
		expect(outcomes(await delivered({ ...given, body: setOf('c2'), status: 500 }))).toHaveLength(2);
		expect(said(await delivered({ ...given, body: setOf('c2') })).missing).toEqual([
			'voiceNotification c1',
		]);
	});

	it('are none where the limit passes without any: the execution resumes', async () => {
		const given = { calls: ['c1'], until: Date.now() - 1, body: setOf() };
		expect(outcomes(await delivered(given))).toEqual(['timeout']);
		expect(said(await delivered({ calls: ['c1'], body: setOf() }))).toMatchObject({
			wait: 'waiting',
			missing: ['voiceNotification c1'],
		});
	});

	it('are those that this process still keeps, if another process ends the wait', async () => {
		const given = { wait: 'kept', until: Date.now() - 1, body: setOf() };
		const [result] = readDelivery(Buffer.from(setOf('c1')))?.results ?? [];
		jest.useFakeTimers({ now: Date.now() });
		keepResult({} as Sender, parseResumeAddress(addressOf('kept')), result, { isStored: true });
		const answer = await delivered(given);
		jest.useRealTimers();
		expect(outcomes(answer)).toEqual(['noAnswer']);
	});

	it('resume when the limit has passed, whatever is missing', async () => {
		const given = { calls: ['c1', 'c2'], until: Date.now() - 1, body: setOf('c2') };
		expect(outcomes(await delivered(given))).toEqual(['timeout', 'noAnswer']);
	});

	it('of another wait tell the relay that the execution waits for something else', async () => {
		const given = { wait: 'now', url: addressOf('before'), body: setOf('c1') };
		const answer = await delivered(given);
		expect(said(answer)).toEqual({ wait: 'other' });
		expect(answer.items).toBeUndefined();
	});

	it('at a node that another package or version has parked tell the same', async () => {
		const parked = { executionData: { nodeExecutionStack: [{ data: { main: [[]] } }] } };
		for (const each of [parked, {}, undefined]) {
			expect(said(await delivered({ parked: each, body: setOf('c1') }))).toEqual({ wait: 'other' });
		}
	});

	it('that come twice while n8n resumes tell the relay to ask again', async () => {
		const given = { wait: 'twice', body: setOf('c1') };
		const [one, other] = await Promise.all([delivered(given), delivered(given)]);
		expect(outcomes(one)).toEqual(['noAnswer']);
		expect(said(other)).toEqual({ wait: 'resuming' });
	});
});

// What a waiting node throws ends the parked execution, so whatever happens it must answer.
describe('never throws', () => {
	const boom = () => {
		throw new Error('boom');
	};
	it.each<[string, Partial<Parts>, string]>([
		['the credential is gone', { credential: async () => boom() }, 'boom'],
		[
			'the credential is not whole',
			{ credential: async () => ({}) },
			'Account SID is empty in the Yuntongxun API credential',
		],
		[
			'something else than an error is thrown',
			{ credential: async () => await Promise.reject('no') },
			'no reason was given',
		],
		[
			'a delivery is cut off',
			{ body: setOf('c1').slice(0, -5) },
			'it was cut off or spoilt on its way',
		],
		[
			'a delivery is spoilt, without a number in the log',
			{ body: '{"ytResults":[13800000000],"more":false}' },
			'it was cut off or spoilt on its way',
		],
	])('even if %s', async (_, changes, reason) => {
		const warn = jest.fn();
		expect(await delivered({ ...changes, warn })).toMatchObject({ status: 503, items: undefined });
		expect(warn.mock.calls).toEqual([
			[`Yuntongxun: a delivery to waiting execution 7 failed: ${reason}`],
		]);
	});

	it('even if a body cannot be read', async () => {
		const readRawBody = async () => boom();
		const answer = await delivered({ body: undefined, readRawBody });
		expect(answer).toMatchObject({ status: 400, items: undefined });
	});
});
