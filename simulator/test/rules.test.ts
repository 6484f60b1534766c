import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { PAST_CALL, startSimulator, type Simulator } from '../index';
import {
	goodFields,
	NOW,
	request,
	send,
	sendBytes,
	readStatusCode,
	TIMESTAMP,
	until,
	withBody,
	withHeader,
	type Fields,
	type RawRequest,
} from './client';
import recorded from './clientOf2014.json';

let simulator: Simulator;
let good: Record<string, Fields>;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
	good = goodFields(simulator.credentials.appId);
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const rules = (): string[] => simulator.violations().map(({ rule }) => rule);

const verify = (fields: Fields = {}, timestamp?: string): RawRequest =>
	request(simulator.credentials, 'VoiceVerify', { ...good.VoiceVerify, ...fields }, timestamp);

const verifyXml = (inner: string, root = 'VoiceVerify'): RawRequest =>
	request(simulator.credentials, 'VoiceVerify', `<${root}>${inner}</${root}>`);

const at = (change: (path: string) => string): RawRequest => {
	const raw = verify();
	return { ...raw, path: change(raw.path) };
};

const sig = (change: (query: string) => string): RawRequest => {
	const raw = verify();
	return { ...raw, query: change(raw.query) };
};

const xmlWith = (more: string): RawRequest => verifyXml(`${goodInner()}${more}`);

const numbers = (count: number): string =>
	Array.from({ length: count }, (_, place) => 13_800_000_000 + place).join(',');

const goodInner = (): string =>
	`<appId>${simulator.credentials.appId}</appId><to>13800000000</to><verifyCode>1234</verifyCode>`;

/** Expects a request to break just one rule, and to be refused for it. */
async function expectBroken(raw: RawRequest, rule: string, code: string): Promise<void> {
	const answer = await send(simulator, raw);
	expect({ rules: rules(), code: readStatusCode(answer) }).toEqual({ rules: [rule], code });
	const [violation] = simulator.violations();
	expect(violation.words).toMatch(/^request 1, .*: ./);
	expect(answer.body).toMatch(/【(账号|短信)】/);
	expect(simulator.accepted()).toEqual([]);
}

async function expectKept(raw: RawRequest): Promise<void> {
	const answer = await send(simulator, raw);
	expect(simulator.violations()).toEqual([]);
	expect({ status: answer.status, code: readStatusCode(answer) }).toEqual({
		status: 200,
		code: '000000',
	});
}

describe('a request that keeps every rule', () => {
	it('is accepted with a signature that openssl made', async () => {
		const authorization = 'c2lkZGVmYXVsdDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA6MjAyNjAxMDIxMTA0MDU=';
		await expectKept({
			...withHeader(verify(), 'Authorization', authorization),
			path: '/2013-12-26/Accounts/siddefault0000000000000000000000/Calls/VoiceVerify',
			query: 'sig=4CF044C15702801F8DA757AF5E7AFD1A',
		});
	});

	it('is accepted as XML, with declaration, CDATA, entities and an empty data', async () => {
		const { appId } = simulator.credentials;
		await expectKept(
			request(
				simulator.credentials,
				'TemplateSMS',
				'<?xml version="1.0" encoding="UTF-8"?>\n<TemplateSMS>\n' +
					`<to>13800000000,13800000001</to><appId>${appId}</appId>` +
					'<templateId>100002</templateId>' +
					'<datas><data><![CDATA[a & b]]></data><data></data></datas></TemplateSMS>',
			),
		);
		expect(simulator.record.requests[0].fields.datas).toEqual(['a & b', '']);
	});
});

/** A change of a good request to VoiceVerify, and the rule and the code that it meets. */
type Case = [string, () => RawRequest, string, string?];

const authorized = (text: string): RawRequest =>
	withHeader(verify(), 'Authorization', Buffer.from(text).toString('base64'));
const jsonWith = (first: string): RawRequest => {
	const raw = verify();
	return withBody(raw, raw.body.toString().replace('{', `{${first},`));
};
const xmlBefore = (before: string): RawRequest => {
	const raw = verifyXml(goodInner());
	return withBody(raw, `${before}${raw.body.toString()}`);
};
const sid = (): string => simulator.credentials.accountSid;
const token = (): string => simulator.credentials.authToken;

const ENVELOPE: Case[] = [
	['another version', () => at((path) => path.replace('26', '27')), 'version', '111110'],
	['a slash behind the operation', () => at((path) => `${path}/`), 'path', '111000'],
	['the path in lower case', () => at((path) => path.toLowerCase()), 'path', '111000'],
	['PUT', () => ({ ...verify(), method: 'PUT' }), 'method', '111000'],
	['no sig', () => ({ ...verify(), query: '' }), 'sig', '111108'],
	['sig in lower case', () => sig((query) => query.toLowerCase()), 'sig', '111109'],
	['sig twice', () => sig((query) => `${query}&${query}`), 'sig', '111109'],
	['a sig of another token', () => sig(() => `sig=${'0'.repeat(32)}`), 'signature', '111109'],
	[
		'a sig of another timestamp',
		() => sig(() => verify({}, '20260102110406').query),
		'signature',
		'111109',
	],
	['the token in a field', () => verify({ userData: `x${token()}` }), 'token', '111109'],
	['the token in a header', () => withHeader(verify(), 'X-Note', token()), 'token', '111109'],
	['no Authorization', () => withHeader(verify(), 'Authorization'), 'authorization', '111101'],
	[
		'Authorization that is no Base64',
		() => withHeader(verify(), 'Authorization', 'not base64!'),
		'authorization',
		'111102',
	],
	['no colon', () => authorized(`${sid()}${TIMESTAMP}`), 'authorization', '111103'],
	['no account', () => authorized(`:${TIMESTAMP}`), 'authorization', '111104'],
	['no timestamp', () => authorized(`${sid()}:`), 'authorization', '111105'],
	[
		'another account',
		() => authorized(`x${sid().slice(1)}:${TIMESTAMP}`),
		'authorization',
		'111107',
	],
	['a timestamp of yesterday', () => verify({}, '20260101110404'), 'authorization', '111106'],
	['Accept: */*', () => withHeader(verify(), 'Accept', '*/*'), 'Accept'],
	[
		'a Content-Type without charset',
		() => withHeader(verify(), 'Content-Type', 'application/json'),
		'Content-Type',
	],
	['no Content-Type', () => withHeader(verify(), 'Content-Type'), 'Content-Type'],
];

const BODIES: Case[] = [
	['another root', () => verifyXml(goodInner(), 'voiceVerify'), 'root'],
	['an unknown child', () => xmlWith('<x>1</x>'), 'unknownField'],
	['a child twice', () => xmlWith('<to>13800000001</to>'), 'repeatedField'],
	['a child in a child', () => xmlWith('<lang><b>zh</b></lang>'), 'nested'],
	['an attribute', () => xmlWith('<lang type="1">zh</lang>'), 'attribute'],
	['text between children', () => xmlWith('x'), 'text'],
	['an element that stays open', () => xmlWith('<lang>'), 'xml'],
	['a bare ampersand', () => xmlWith('<userData>a&b</userData>'), 'xml'],
	['a reference to a control character', () => xmlWith('<userData>&#1;</userData>'), 'xml'],
	['a control character', () => xmlWith('<userData>\u0001</userData>'), 'xml'],
	['"]]>" in text', () => xmlWith('<userData>]]></userData>'), 'xml'],
	['a document type', () => xmlBefore('<!DOCTYPE VoiceVerify>'), 'xml'],
	['another encoding', () => xmlBefore('<?xml version="1.0" encoding="GBK"?>'), 'xml'],
	['no JSON', () => withBody(verify(), '{"to":'), 'json'],
	['a JSON list', () => withBody(verify(), '[]'), 'json'],
	['a number', () => verify({ maxCallTime: 60 }), 'notAString'],
	['null', () => verify({ userData: null }), 'notAString'],
	['an object', () => verify({ userData: { a: '1' } }), 'notAString'],
	['a member twice', () => jsonWith('"to":"13800000001"'), 'repeatedField'],
	['a member twice, once in disguise', () => jsonWith('"t\\u006f":"1"'), 'repeatedField'],
	['half a surrogate pair', () => jsonWith('"userData":"\\ud83d"'), 'text'],
];

it.each<Case>([...ENVELOPE, ...BODIES])(
	'the simulator refuses %s',
	async (_, raw, rule, code = '160031') => {
		await expectBroken(raw(), rule, code);
	},
);

describe('fields', () => {
	const fieldRequest = (operation: string, fields: Fields): RawRequest => {
		const all = { ...good[operation], ...fields };
		const given = Object.entries(all).filter(([, value]) => value !== undefined);
		return request(simulator.credentials, operation, Object.fromEntries(given));
	};

	it.each<[string, string, Fields]>([
		[
			'fields at their bounds',
			'VoiceVerify',
			{ playTimes: '3', lang: 'en', maxCallTime: '60', to: '01012345678-123' },
		],
		[
			'audio in place of a code',
			'VoiceVerify',
			{ verifyCode: undefined, playVerifyCode: '1.wav;2.wav' },
		],
		[
			'speech at its bounds',
			'LandingCalls',
			{ txtSpeed: '-500', txtVolume: '20', txtPitch: '500', txtBgsound: '6' },
		],
		['audio, then text', 'LandingCalls', { mediaName: 'a.wav', playMode: '1', txtSpeed: '1' }],
		['a list from its beginning', 'GetSubAccounts', { startNo: undefined, offset: undefined }],
		['no welcome', 'VoiceVerify', { welcomePrompt: '' }],
		['no audio and no caller', 'LandingCalls', { mediaName: '', displayNum: '' }],
		['audio without text', 'LandingCalls', { mediaName: 'a.wav', mediaTxt: '' }],
		['the longest ids', 'TemplateSMS', { reqId: 'a'.repeat(32), subAppend: '0042' }],
		['all templates', 'QuerySMSTemplate', { templateId: '' }],
		['one template', 'QuerySMSTemplate', { templateId: '100002' }],
		['an email address', 'SubAccounts', { friendlyName: 'shop-42@example.com' }],
	])('%s: %s takes %j', async (_what, operation, fields) => {
		await expectKept(fieldRequest(operation, fields));
	});

	it.each<[string, Fields, string, string?]>([
		['VoiceVerify', { appId: '' }, 'required:appId', '111169'],
		['VoiceVerify', { to: undefined }, 'required:to', '160044'],
		['VoiceVerify', { to: '138-0000-0000' }, 'field:to', '160042'],
		['VoiceVerify', { to: '62345678' }, 'field:to', '160042'],
		['VoiceVerify', { verifyCode: undefined }, 'required:verifyCode'],
		['VoiceVerify', { verifyCode: '12_4' }, 'field:verifyCode'],
		['VoiceVerify', { playTimes: '4' }, 'field:playTimes'],
		['VoiceVerify', { playTimes: '02' }, 'field:playTimes'],
		['VoiceVerify', { lang: 'fr' }, 'field:lang'],
		['VoiceVerify', { userData: '' }, 'empty:userData'],
		['VoiceVerify', { displayNum: '' }, 'empty:displayNum'],
		['VoiceVerify', { respUrl: 'ftp://example.com/a' }, 'field:respUrl'],
		['VoiceVerify', { maxCallTime: '0' }, 'field:maxCallTime'],
		['VoiceVerify', { mediaTxt: 'x' }, 'unknownField'],
		['LandingCalls', { mediaTxt: undefined }, 'media'],
		['LandingCalls', { txtSpeed: '501' }, 'field:txtSpeed'],
		['LandingCalls', { txtPitch: '-0' }, 'field:txtPitch'],
		['LandingCalls', { mediaName: 'a.wav', txtSpeed: '1' }, 'ineffective'],
		['LandingCalls', { playMode: '1' }, 'ineffective'],
		['LandingCalls', { mediaNameType: '1' }, 'ineffective'],
		['LandingCalls', { displayNum: '13800000000' }, 'ineffective'],
		['TemplateSMS', { to: '13800000000,' }, 'field:to', '112316'],
		['TemplateSMS', { to: '13800000000,13800000000' }, 'duplicates', '160045'],
		['TemplateSMS', { to: numbers(201) }, 'recipients', '160048'],
		['TemplateSMS', { templateId: 'abc' }, 'field:templateId', '160057'],
		['TemplateSMS', { templateId: '100000' }, 'datas', '160052'],
		['TemplateSMS', { datas: '1,2' }, 'notAnArray'],
		['SubAccounts', { friendlyName: '' }, 'required:friendlyName', '111151'],
		['GetSubAccounts', { offset: '101' }, 'field:offset'],
		['TemplateSMS', { reqId: 'a'.repeat(33) }, 'field:reqId', '160055'],
		['TemplateSMS', { subAppend: '12345' }, 'field:subAppend', '160065'],
		['QuerySMSTemplate', { templateId: 'abc' }, 'field:templateId', '160057'],
		['CloseSubAccount', { subAccountSid: 'a-b' }, 'field:subAccountSid'],
	])('%s does not take %j, by the rule %s', async (operation, fields, rule, code = '160031') => {
		await expectBroken(fieldRequest(operation, fields), rule, code);
	});
});

const landingXml = (media: string): RawRequest => {
	const { appId } = simulator.credentials;
	const inner = `<appId>${appId}</appId><to>13800000000</to>${media}`;
	return request(simulator.credentials, 'LandingCalls', `<LandingCall>${inner}</LandingCall>`);
};

it.each([
	'<mediaName type="1">a.wav</mediaName>',
	'<mediaName>a.wav</mediaName><mediaNameType type="1"/>',
])('the type of an audio file may stand where %s has it', async (media) => {
	await expectKept(landingXml(media));
	expect(simulator.record.requests[0].fields.mediaNameType).toBe('1');
});

it('the type of an audio file is no text of an element', async () => {
	const media = '<mediaName>a.wav</mediaName><mediaNameType>1</mediaNameType>';
	await expectBroken(landingXml(media), 'notAnElement', '160031');
});

describe('CallResult', () => {
	const asking = (query: string): RawRequest => {
		const raw = request(simulator.credentials, 'CallResult', undefined);
		return { ...raw, query: `${raw.query}${query}` };
	};

	it('has the ID of the call in the query', async () => {
		await expectKept(asking(`&callsid=${PAST_CALL}`));
		expect(simulator.record.requests[0].fields).toEqual({ callsid: PAST_CALL });
	});

	it.each([
		['without it', '', 'required:callsid'],
		['with more', `&callsid=${PAST_CALL}&more=1`, 'query'],
		['with another form of it', '&callsid=a-b', 'field:callsid'],
	])('%s breaks a rule', async (_, query, rule) => {
		await expectBroken(asking(query), rule, '160031');
	});
});

/*
 * What the npm package `yuntongxun` of 2014 sends: its author never saw this simulator, so this
 * compares two readings of the specification. Bytes as they were recorded, with the moment of their
 * signature.
 */
describe('the client of 2014', () => {
	const RECORDED_AT = Date.UTC(2026, 10, 28, 2, 44, 28);
	const HEADERS = ['Content-Type'];

	it.each([
		['SubAccounts', HEADERS],
		['AccountInfo', ['query', ...HEADERS, 'contentLength']],
		['QuerySubAccountByName', HEADERS],
		['GetSubAccounts', HEADERS],
		['CloseSubAccount', [...HEADERS, 'unknownField']],
		['TemplateSMS', HEADERS],
		['LandingCalls', HEADERS],
		['VoiceVerify', HEADERS],
		['VoiceVerify, with audio', HEADERS],
	])('%s breaks no other rules than these: %j', async (name, broken) => {
		const bytes = recorded[name as keyof typeof recorded];
		const service = await startSimulator({ now: () => RECORDED_AT });
		await sendBytes(service, recorded.SubAccounts.replace('utf-8;', 'utf-8'));
		await sendBytes(service, bytes);
		const [, { violations, operation }] = service.record.requests;
		expect([operation, violations.map(({ rule }) => rule)]).toEqual([name.split(',')[0], broken]);
		if (broken === HEADERS && name !== 'SubAccounts') {
			// Its Content-Type ends in a semicolon; all else is taken.
			const answer = await sendBytes(service, bytes.replace('utf-8;', 'utf-8'));
			expect(readStatusCode(answer)).toBe('000000');
		}
		await service.stop();
	});
});

it('a result and a reply arrive, and a receiver that does not acknowledge is told of', async () => {
	const received: string[] = [];
	const receiver = createServer((incoming, response) => {
		void text(incoming).then((body) => received.push(body));
		response.end('thanks');
	}).listen(0, '127.0.0.1');
	await once(receiver, 'listening');
	const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
	await send(simulator, verify({ respUrl: url, userData: '<Y>' }));
	await until(() => received.length > 0);
	await simulator.sendSmsReply({ number: '13800000001', text: '<Y>' }, { url });
	receiver.close();
	expect(received).toEqual([
		expect.stringMatching(/^<\?xml .*\n<Request><action>VoiceCode<.*<userData>&lt;Y&gt;</),
		expect.stringContaining('"content":"<Y>"'),
	]);
	expect(new Set(rules())).toEqual(new Set(['acknowledgement']));
});
