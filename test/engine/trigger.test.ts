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
	events: ['voiceVerification', 'voiceNotification', 'other'],
};

const xml = (fields: object, root = 'request') =>
	`${DECLARATION}\n<${root}>${Object.entries(fields)
		.map(([name, value]) => `<${name}>${String(value)}</${name}>`)
		.join('')}</${root}>`;

const without = (fields: Record<string, unknown>, ...names: string[]) =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

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

/** The one item that a call event starts an execution with, its time of arrival checked. */
async function started(test: TriggerTest) {
	const run = await runTrigger(test);
	expectAcknowledged(run);
	const [only, ...more] = run.items ?? [];
	expect(more).toEqual([]);
	if (only === undefined) throw new Error('Nothing was started');
	const { receivedAt, ...json } = only.json;
	expect(isRecent(receivedAt)).toBe(true);
	return json;
}

const ITEM = {
	event: 'voiceNotification',
	...ANSWERED,
	outcome: 'completed',
	answered: true,
	durationSeconds: 30,
};

describe('what the service really sends', () => {
	it.each<[string, TriggerTest]>([
		['as documented', { body: xml(ANSWERED), contentType: 'text/plain' }],
		['with a character set', { body: xml(ANSWERED), contentType: 'text/plain; charset=utf-8' }],
		['its root in the other case', { body: xml(ANSWERED, 'Request'), contentType: 'text/plain' }],
		['its root all in capitals', { body: xml(ANSWERED, 'REQUEST'), contentType: 'text/plain' }],
		[
			'its fields in the other order',
			{
				body: xml(Object.fromEntries(Object.entries(ANSWERED).reverse())),
				contentType: 'text/plain',
			},
		],
		[
			'laid out over several lines, with blanks around values',
			{
				body: `\r\n${xml({
					...ANSWERED,
					action: ' SellingCall\n',
					callSid: `\n\t${SID}`,
					number: ' 13800000000 ',
					state: ' 0',
					duration: '30 ',
				}).replaceAll('><', '>\r\n\t<')}\n`,
				contentType: 'text/plain',
			},
		],
		['labelled application/xml', { body: xml(ANSWERED), contentType: 'application/xml' }],
		['labelled text/xml', { body: xml(ANSWERED), contentType: 'text/xml' }],
		['labelled as nothing', { body: xml(ANSWERED) }],
		['labelled as nothing, not yet read', { body: xml(ANSWERED), isUnread: true }],
		[
			'labelled as something unknown, not yet read',
			{ body: xml(ANSWERED), contentType: 'application/octet-stream', isUnread: true },
		],
		['labelled as JSON', { body: xml(ANSWERED), contentType: 'application/json' }],
		['after a byte order mark', { body: `\ufeff${xml(ANSWERED)}`, contentType: 'text/plain' }],
		[
			'without a declaration',
			{ body: xml(ANSWERED).replace(DECLARATION, ''), contentType: 'text/plain' },
		],
		[
			'with comments and CDATA',
			{
				body: xml(ANSWERED)
					.replace('order-42', '<![CDATA[order-42]]>')
					.replace('<action>', '<!-- what --><action>'),
				contentType: 'text/plain',
			},
		],
		['as JSON', { body: JSON.stringify(ANSWERED), contentType: 'application/json' }],
		[
			'as JSON, wrapped',
			{ body: JSON.stringify({ Request: ANSWERED }), contentType: 'application/json' },
		],
		[
			'as JSON, wrapped in the other case',
			{ body: JSON.stringify({ request: ANSWERED }), contentType: 'text/plain' },
		],
		[
			'as JSON after a byte order mark and blanks',
			{ body: `\ufeff\r\n ${JSON.stringify({ REQUEST: ANSWERED })}\n`, isUnread: true },
		],
		[
			'as JSON with numbers, however long',
			{
				body: `{"action":"SellingCall","callSid":${SID},"number":13800000000,"state":0,"starttime":20150602155026,"endtime":20150602155056,"duration":30,"userData":"order-42"}`,
				contentType: 'application/json',
			},
		],
	])('%s', async (_, test) => {
		expect(await started(test)).toEqual(ITEM);
	});

	it.each(['Request', 'request'])('a code call, in <%s>', async (root) => {
		const fields = without(CODE_CALL, 'starttime', 'endtime', 'userData');
		expect(await started({ body: xml(fields, root), contentType: 'text/plain' })).toEqual({
			event: 'voiceVerification',
			...fields,
			outcome: 'completed',
			answered: true,
			durationSeconds: 30,
		});
	});

	it.each([
		['0', '30', 'completed', true, 30],
		['0', '1', 'completed', true, 1],
		['0', '0', 'completed', false, 0],
		['1', '0', 'noAnswer', false, 0],
		['1', '30', 'noAnswer', false, 30],
		['2', '0', 'failed', false, 0],
		['3', '30', 'unknown', false, 30],
		['9', '30', 'unknown', false, 30],
		['', '30', 'unknown', false, 30],
		['00', '30', 'unknown', false, 30],
		['1', '', 'noAnswer', false, null],
		['1', 'long', 'noAnswer', false, null],
		['1', '-1', 'noAnswer', false, null],
	])('state %j after %j seconds: %s', async (state, duration, outcome, answered, seconds) => {
		for (const body of [
			xml({ ...ANSWERED, state, duration }),
			JSON.stringify({ ...ANSWERED, state, duration }),
		]) {
			expect(await started({ body })).toMatchObject({
				state,
				duration,
				outcome,
				answered,
				durationSeconds: seconds,
			});
		}
	});

	it('fields that were not delivered are empty, user data is not there', async () => {
		const json = await started({ body: xml({ action: 'SellingCall', callSid: SID }) });
		expect(json).toMatchObject({ number: '', state: '', duration: '', outcome: 'unknown' });
		expect(json).not.toHaveProperty('userData');
		expect(json).not.toHaveProperty('userDataParsed');
	});
});

describe('user data', () => {
	it.each<[string, unknown]>([
		['{"order":42,"名":["a"]}', { order: 42, 名: ['a'] }],
		['[1,{"a":null}]', [1, { a: null }]],
		[' {"order":42} ', { order: 42 }],
		['{}', {}],
		['[]', []],
		['order-42', undefined],
		['42', undefined],
		['"text"', undefined],
		['null', undefined],
		['true', undefined],
		['{"order":', undefined],
		['{order:42}', undefined],
		['', undefined],
		['  two  blanks  ', undefined],
	])('%j is untouched, and its value is %j', async (userData, parsed) => {
		const escaped = userData.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		for (const body of [
			xml({ ...ANSWERED, userData: escaped }),
			JSON.stringify({ ...ANSWERED, userData }),
		]) {
			const json = await started({ body });
			expect(json.userData).toBe(userData);
			expect(json.userDataParsed).toEqual(parsed);
			expect('userDataParsed' in json).toBe(parsed !== undefined);
		}
	});

	it.each([
		['&lt;b&gt; &amp;amp; &quot;x&quot; &#25105;&#x6211;', '<b> &amp; "x" 我我'],
		['\u{1f4de} 订单', '\u{1f4de} 订单'],
	])('%s arrives as it was meant', async (written, meant) => {
		expect((await started({ body: xml({ ...ANSWERED, userData: written }) })).userData).toBe(meant);
	});
});

describe('whatever else is delivered', () => {
	it('comes under its own name', async () => {
		const fields = { ...ANSWERED, subAccountSid: 'abc', byeType: '3', 新: '值' };
		expect(await started({ body: xml(fields) })).toEqual({ ...ITEM, ...fields });
		expect(await started({ body: JSON.stringify(fields) })).toEqual({ ...ITEM, ...fields });
	});

	it('never takes the place of what the trigger itself says', async () => {
		const forged = {
			event: 'voiceVerification',
			outcome: 'failed',
			answered: 'false',
			durationSeconds: '1',
			receivedAt: 'yesterday',
			userDataParsed: 'forged',
		};
		for (const body of [
			xml({ ...forged, ...ANSWERED }),
			xml({ ...ANSWERED, ...forged }),
			JSON.stringify({ ...forged, ...ANSWERED, ...forged }),
		]) {
			expect(await started({ body })).toEqual(ITEM);
		}
		const userData = '{"a":1}';
		const json = await started({ body: xml({ ...ANSWERED, ...forged, userData }) });
		expect(json.userDataParsed).toEqual({ a: 1 });
	});

	it('pollutes nothing', async () => {
		const body = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(ANSWERED).slice(1)}`;
		const json = await started({ body });
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		expect(json.polluted).toBeUndefined();
		expect(json).toMatchObject(ITEM);
	});
});

describe('which call events start the workflow', () => {
	const OTHERS = ['CallEstablish', 'Hangup', 'SMSArrived', 'sellingcall'];
	const isStarted = async (fields: object, parameters: INodeParameters) => {
		const run = await runTrigger({ body: xml(fields), parameters, contentType: 'text/plain' });
		expectAcknowledged(run);
		if (run.items !== undefined) expect(run.items).toHaveLength(1);
		return run.items !== undefined;
	};

	it.each<[string, INodeParameters, { code: boolean; notification: boolean; other: boolean }]>([
		['at first', {}, { code: true, notification: true, other: false }],
		[
			'voiceVerification',
			{ events: ['voiceVerification'] },
			{ code: true, notification: false, other: false },
		],
		[
			'voiceNotification',
			{ events: ['voiceNotification'] },
			{ code: false, notification: true, other: false },
		],
		['other', { events: ['other'] }, { code: false, notification: false, other: true }],
		['all', EVERYTHING, { code: true, notification: true, other: true }],
	])('events %s', async (_, parameters, want) => {
		expect(await isStarted(CODE_CALL, parameters)).toBe(want.code);
		expect(await isStarted(ANSWERED, parameters)).toBe(want.notification);
		for (const action of OTHERS) {
			expect(await isStarted({ ...ANSWERED, action }, parameters)).toBe(want.other);
			expect(await isStarted({ action }, parameters)).toBe(want.other);
		}
	});

	it.each<[string[], string[]]>([
		[[], ['0', '1', '2', '9']],
		[['completed'], ['0']],
		[['noAnswer'], ['1']],
		[['failed'], ['2']],
		[['unknown'], ['9']],
		[
			['failed', 'noAnswer'],
			['1', '2'],
		],
	])('outcomes %j', async (outcomes, states) => {
		const parameters = { ...EVERYTHING, options: { outcomes } };
		for (const state of ['0', '1', '2', '9']) {
			for (const fields of [ANSWERED, CODE_CALL]) {
				expect(await isStarted({ ...fields, state }, parameters)).toBe(states.includes(state));
			}
			expect(await isStarted({ ...ANSWERED, action: 'Hangup', state }, parameters)).toBe(true);
		}
	});

	it('another kind is called so, with what it brought', async () => {
		const fields = { action: 'Hangup', byetype: '3' };
		expect(await started({ body: xml(fields), parameters: EVERYTHING })).toMatchObject({
			event: 'other',
			...fields,
			callSid: '',
			outcome: 'unknown',
			answered: false,
			durationSeconds: null,
		});
	});
});

describe('what is refused and starts nothing', () => {
	const wrapped = (depth: number): string => (depth === 0 ? '1' : `<a>${wrapped(depth - 1)}</a>`);
	it.each<[string, string | Buffer]>([
		['a question whether a call may start', xml({ ...ANSWERED, action: 'CallAuth' })],
		['the same with blanks', xml({ ...ANSWERED, action: ' CallAuth\n' })],
		['the same in JSON', JSON.stringify({ Request: { ...ANSWERED, action: 'CallAuth' } })],
		['nothing', ''],
		['blanks', ' \n'],
		['text', 'hello'],
		['a form', 'action=SellingCall&callSid=1'],
		['a page', '<!DOCTYPE html><html><body><action>SellingCall</action></body></html>'],
		['null', 'null'],
		['a number', '42'],
		['a text in JSON', '"SellingCall"'],
		['a list', JSON.stringify([ANSWERED])],
		['a wrapped list', JSON.stringify({ Request: [ANSWERED, ANSWERED] })],
		['an empty object', '{}'],
		['an empty element', '<request/>'],
		['JSON cut short', JSON.stringify(ANSWERED).slice(0, -2)],
		['JSON with more behind it', `${JSON.stringify(ANSWERED)}{}`],
		['XML cut short', xml(ANSWERED).slice(0, -4)],
		['XML with more behind it', `${xml(ANSWERED)}<request/>`],
		['XML with text behind it', `${xml(ANSWERED)}text`],
		['crossed elements', '<request><action>SellingCall<callSid></action>1</callSid></request>'],
		['no action', xml(without(ANSWERED, 'action'))],
		['an empty action', xml({ ...ANSWERED, action: ' ' })],
		['an action that is an object', JSON.stringify({ ...ANSWERED, action: { a: 'SellingCall' } })],
		['a result without a call', xml(without(ANSWERED, 'callSid'))],
		['a result with an empty call', xml({ ...CODE_CALL, callSid: ' ' })],
		['bytes that are no text', Buffer.from([0x3c, 0xff, 0xfe, 0x80])],
		[
			'entities of its own',
			`<!DOCTYPE r [<!ENTITY a "SellingCall">]><request><action>&a;</action><callSid>1</callSid></request>`,
		],
		[
			'a file of the machine',
			`<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]><request><action>X</action><callSid>&a;</callSid></request>`,
		],
		['a hundred nested elements', `<request><action>X</action>${wrapped(100)}</request>`],
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
		[
			'signed for another account',
			{ url: signUrl(ADDRESS, 'another token', Date.now() + 60 * 60_000) },
		],
		['whose signature has expired', { url: signUrl(ADDRESS, credential.authToken, 0) }],
		['that is altered', { url: `${signed}&more=1` }],
		['that is signed, where the trigger has no usable credential', { url: signed, credential: {} }],
		['without a signature, where it has none either', { url: ADDRESS, credential: {} }],
	])('an address %s is refused', async (_, test) => {
		const run = await delivered(test);
		expect(run.answer).toMatchObject({ status: 403, count: 1 });
		expect(run.items).toBeUndefined();
	});
});
