import type { INodeParameters } from 'n8n-workflow';

import { signUrl } from '../../nodes/Yuntongxun/callbacks/signedUrl';
import { runTrigger } from './support/webhook';
import type { TriggerRun, TriggerTest } from './support/webhook';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const ACKNOWLEDGEMENT = `${DECLARATION}<Response><statuscode>000000</statuscode></Response>`;
const SID = '15060215502645320001000300000001';
/** As the service's documents show it, with the extra fields that were seen. */
const ANSWERED = {
	action: 'SellingCall',
	callSid: SID,
	number: '13800000000',
	state: '0',
	starttime: '20150602155026',
	endtime: '20150602155056',
	duration: '30',
	userData: 'order-42',
};
const CODE_CALL = { ...ANSWERED, action: 'VoiceCode' };
const EVERYTHING: INodeParameters = {
	events: ['voiceVerification', 'voiceNotification', 'smsReport', 'smsReply', 'other'],
};

const xml = (fields: object) =>
	`${DECLARATION}\n<request>${Object.entries(fields)
		.map(([name, value]) => `<${name}>${String(value)}</${name}>`)
		.join('')}</request>`;

const isRecent = (text: unknown) =>
	typeof text === 'string' &&
	new Date(text).toISOString() === text &&
	Math.abs(Date.now() - Date.parse(text)) < 60 * 60 * 1000;

function expectAcknowledged({ answer }: TriggerRun): void {
	expect(answer).toEqual({
		status: 200,
		contentType: expect.stringMatching(/^(?:application|text)\/xml\b/) as string,
		body: ACKNOWLEDGEMENT,
		count: 1,
	});
}

const ITEM = {
	event: 'voiceNotification',
	...ANSWERED,
	outcome: 'completed',
	answered: true,
	durationSeconds: 30,
};

describe('what the service really sends, however it is labelled', () => {
	it.each<[string, TriggerTest]>([
		['as documented', { body: xml(ANSWERED), contentType: 'text/plain' }],
		['with a character set', { body: xml(ANSWERED), contentType: 'text/plain; charset=utf-8' }],
		['as application/xml', { body: xml(ANSWERED), contentType: 'application/xml' }],
		['as text/xml', { body: xml(ANSWERED), contentType: 'text/xml' }],
		['as nothing', { body: xml(ANSWERED) }],
		['as nothing, not yet read', { body: xml(ANSWERED), isUnread: true }],
		[
			'as something unknown, not yet read',
			{ body: xml(ANSWERED), contentType: 'application/octet-stream', isUnread: true },
		],
		['as JSON', { body: xml(ANSWERED), contentType: 'application/json' }],
		['in JSON', { body: JSON.stringify(ANSWERED), contentType: 'application/json' }],
		['in JSON, as text', { body: JSON.stringify(ANSWERED), contentType: 'text/plain' }],
	])('%s', async (_, test) => {
		const run = await runTrigger(test);
		expectAcknowledged(run);
		const [only, ...more] = run.items ?? [];
		expect(more).toEqual([]);
		const { receivedAt, ...json } = only.json;
		expect(isRecent(receivedAt)).toBe(true);
		expect(json).toEqual(ITEM);
	});
});

describe('what is pushed about SMS', () => {
	const PUSH = {
		...{ action: 'SMSArrived', smsType: '1', content: SID, fromNum: '13800000000' },
		...{ status: '0', dateSent: '20260102093000' },
	};

	it.each<[string, string, string | undefined]>([
		['a report', JSON.stringify({ Request: PUSH }), 'application/json'],
		['a report', xml(PUSH), 'text/plain'],
		['a report', xml(PUSH), 'application/xml'],
		['a report', JSON.stringify([PUSH]), undefined],
	])('%s starts the workflow: %s as %s', async (_, body, contentType) => {
		const run = await runTrigger({ body, contentType, parameters: { events: ['smsReport'] } });
		expectAcknowledged(run);
		expect(run.items?.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				...PUSH,
				...{ event: 'smsReport', smsMessageSid: SID, number: '13800000000', delivered: true },
				sentAt: '2026-01-02T09:30:00+08:00',
			}),
		]);
	});

	it('a reply starts the workflow', async () => {
		const body = xml({ ...PUSH, smsType: '0', content: 'Y' });
		const run = await runTrigger({ body, parameters: { events: ['smsReply'] } });
		expectAcknowledged(run);
		expect(run.items?.[0].json).toMatchObject({ event: 'smsReply', text: 'Y' });
	});
});

describe('which call events start the workflow', () => {
	const isStarted = async (fields: object, parameters: INodeParameters) => {
		const run = await runTrigger({ body: xml(fields), parameters, contentType: 'text/plain' });
		expectAcknowledged(run);
		if (run.items !== undefined) expect(run.items).toHaveLength(1);
		return run.items !== undefined;
	};

	it.each<[string, INodeParameters, { code: boolean; notification: boolean; other: boolean }]>([
		['at first', {}, { code: true, notification: true, other: false }],
		['other', { events: ['other'] }, { code: false, notification: false, other: true }],
		['all', EVERYTHING, { code: true, notification: true, other: true }],
	])('events %s', async (_, parameters, want) => {
		expect(await isStarted(CODE_CALL, parameters)).toBe(want.code);
		expect(await isStarted(ANSWERED, parameters)).toBe(want.notification);
		expect(await isStarted({ action: 'Hangup' }, parameters)).toBe(want.other);
	});

	it('those of the chosen outcomes', async () => {
		const parameters = { ...EVERYTHING, options: { outcomes: ['failed', 'noAnswer'] } };
		const states = ['0', '1', '2', '9'];
		const started = states.map(
			async (state) => await isStarted({ ...ANSWERED, state }, parameters),
		);
		expect(await Promise.all(started)).toEqual([false, true, true, false]);
	});
});

describe('what is refused and starts nothing', () => {
	it.each<[string, string | Buffer]>([
		['a question whether a call may start', xml({ ...ANSWERED, action: ' CallAuth\n' })],
		['such a question in other letters', xml({ ...ANSWERED, action: 'CALLAUTH' })],
		['such a question as root', xml(ANSWERED).replace(/request>/g, 'CallAuth>')],
		['nothing', ''],
		['text', 'hello'],
		['bytes that are no text', Buffer.from([0x3c, 0xff, 0xfe, 0x80])],
	])('%s', async (_, body) => {
		for (const contentType of ['text/plain', undefined]) {
			const run = await runTrigger({ body, contentType, parameters: EVERYTHING });
			expect(run.answer).toMatchObject({ status: 400, count: 1 });
			expect(run.answer.body).not.toContain('000000');
			expect(run.items).toBeUndefined();
		}
	});
});

describe('with Require Signed URL', () => {
	const ADDRESS = '/webhook/4f9c/call-result';
	const credential = {
		accountSid: 'made-up',
		authToken: 'made-up-token',
		baseUrl: 'https://localhost:8883',
	};
	const signed = signUrl(ADDRESS, credential.authToken, Date.now() + 60 * 60_000);
	const delivered = async (test: Partial<TriggerTest>) =>
		await runTrigger({
			body: xml(ANSWERED),
			parameters: { ...EVERYTHING, options: { requireSignedUrl: true } },
			credential,
			...test,
		});

	it('a result at a signed address starts the workflow', async () => {
		const run = await delivered({ url: signed });
		expectAcknowledged(run);
		expect(run.items).toHaveLength(1);
	});

	it.each<[string, Partial<TriggerTest>]>([
		['without a signature', { url: ADDRESS }],
		['that is signed, where the trigger has no usable credential', { url: signed, credential: {} }],
	])('an address %s is refused', async (_, test) => {
		const run = await delivered(test);
		expect(run.answer).toMatchObject({ status: 403, count: 1 });
		expect(run.items).toBeUndefined();
	});
});
