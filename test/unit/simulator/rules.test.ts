import { startSimulator, type Simulator } from '../../simulator';
import {
	goodFields,
	NOW,
	request,
	send,
	signedAt,
	statusCodeOf,
	TIMESTAMP,
	withBody,
	withHeader,
	type Fields,
	type RawRequest,
} from './client';

let simulator: Simulator;
let good: Record<string, Fields>;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
	good = goodFields(simulator.credentials.appId);
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const rules = (): string[] => simulator.violations().map(({ rule }) => rule);

const verify = (fields: Fields = {}): RawRequest =>
	request(simulator.credentials, 'VoiceVerify', { ...good.VoiceVerify, ...fields });

const verifyXml = (inner: string, root = 'VoiceVerify'): RawRequest =>
	request(simulator.credentials, 'VoiceVerify', `<${root}>${inner}</${root}>`);

const goodInner = (): string =>
	`<appId>${simulator.credentials.appId}</appId><to>13800000000</to><verifyCode>1234</verifyCode>`;

const CARRIED_OUT = '000000';

/** Expects a request to break just one rule, and to be refused for it or carried out all the same. */
async function expectBroken(raw: RawRequest, rule: string, code: string): Promise<void> {
	const answer = await send(simulator, raw);
	expect({ rules: rules(), code: statusCodeOf(answer) }).toEqual({ rules: [rule], code });
	const [violation] = simulator.violations();
	expect(violation.words).toMatch(/^request 1, .*: ./);
	expect(violation.isRefused).toBe(code !== CARRIED_OUT);
	if (!violation.isRefused) return;
	expect(answer.body).toMatch(/【(账号|短信)】/);
	expect(simulator.accepted()).toEqual([]);
}

async function expectKept(raw: RawRequest): Promise<void> {
	const answer = await send(simulator, raw);
	expect(simulator.violations()).toEqual([]);
	expect({ status: answer.status, code: statusCodeOf(answer) }).toEqual({
		status: 200,
		code: '000000',
	});
}

describe('a request that keeps every rule', () => {
	test.each(['VoiceVerify', 'LandingCalls', 'TemplateSMS', 'SubAccounts', 'GetSubAccounts'])(
		'is accepted by %s',
		async (operation) => {
			await expectKept(request(simulator.credentials, operation, good[operation]));
		},
	);

	test('is accepted with a signature that openssl made', async () => {
		const authorization = 'c2lkZGVmYXVsdDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA6MjAyNjAxMDIxMTA0MDU=';
		await expectKept({
			...withHeader(verify(), 'Authorization', authorization),
			path: '/2013-12-26/Accounts/siddefault0000000000000000000000/Calls/VoiceVerify',
			query: 'sig=4CF044C15702801F8DA757AF5E7AFD1A',
		});
	});

	test('is accepted as XML, with declaration, CDATA, entities and an empty data', async () => {
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

describe('address and method', () => {
	const at = (path: string): RawRequest => ({ ...verify(), path });
	const account = () => `/2013-12-26/Accounts/${simulator.credentials.accountSid}`;

	test.each<[string, () => RawRequest, string, string]>([
		['another version', () => at(verify().path.replace('26', '27')), 'version', '111110'],
		['the operation in lower case', () => at(`${account()}/Calls/voiceVerify`), 'path', '111000'],
		['a slash behind VoiceVerify', () => at(`${account()}/Calls/VoiceVerify/`), 'path', '111000'],
		['"accounts" in lower case', () => at(verify().path.replace('A', 'a')), 'path', '111000'],
		['a doubled slash', () => at(verify().path.replace('/Calls', '//Calls')), 'path', '111000'],
		['GET for a POST', () => ({ ...verify(), method: 'PUT' }), 'method', '111000'],
	])('%s', async (_name, raw, rule, code) => {
		await expectBroken(raw(), rule, code);
	});
});

describe('sig', () => {
	test.each<[string, (query: string) => string, string]>([
		['missing', () => '', '111108'],
		['empty', () => 'sig=', '111108'],
		['as SIG', (query) => query.replace('sig', 'SIG'), '111108'],
		['twice', (query) => `${query}&${query}`, '111109'],
		['lower case', (query) => query.toLowerCase(), '111109'],
		['too short', (query) => query.slice(0, -1), '111109'],
	])('%s', async (_name, change, code) => {
		await expectBroken({ ...verify(), query: change(verify().query) }, 'sig', code);
	});

	test('made with another timestamp than Authorization', async () => {
		const other = signedAt(verify(), simulator.credentials, '20260102110406');
		await expectBroken({ ...verify(), query: other.query }, 'signature', '111109');
	});

	test('made with another token', async () => {
		const query = `sig=${'0'.repeat(32)}`;
		await expectBroken({ ...verify(), query }, 'signature', '111109');
	});

	test('the token itself must not be sent', async () => {
		const { authToken } = simulator.credentials;
		await expectBroken(verify({ userData: `x${authToken}` }), 'token', '111109');
		simulator.reset();
		await expectBroken(withHeader(verify(), 'X-Note', authToken), 'token', '111109');
	});
});

describe('Authorization', () => {
	const encoded = (text: string): string => Buffer.from(text).toString('base64');
	const sid = (): string => simulator.credentials.accountSid;

	test.each<[string, () => string | undefined, string]>([
		['missing', () => undefined, '111101'],
		['unpadded', () => encoded(`${sid()}:${TIMESTAMP}`).replace('=', ''), '111102'],
		['not Base64', () => 'not base64!', '111102'],
		['with a scheme', () => `Basic ${encoded(`${sid()}:${TIMESTAMP}`)}`, '111102'],
		['no colon', () => encoded(`${sid()}${TIMESTAMP}`), '111103'],
		['two colons', () => encoded(`${sid()}:${TIMESTAMP}:`), '111103'],
		['no account id', () => encoded(`:${TIMESTAMP}`), '111104'],
		['no timestamp', () => encoded(`${sid()}:`), '111105'],
		['of another account', () => encoded(`x${sid().slice(1)}:${TIMESTAMP}`), '111107'],
	])('%s', async (_name, value, code) => {
		await expectBroken(withHeader(verify(), 'Authorization', value()), 'authorization', code);
	});

	test('a narrower limit shows a clock that is not in UTC+8', async () => {
		simulator.configure({ maxClockSkewMs: 60_000 });
		await expectKept(signedAt(verify(), simulator.credentials, '20260102110305'));
		simulator.reset();
		simulator.configure({ maxClockSkewMs: 60_000 });
		const inUtc = signedAt(verify(), simulator.credentials, '20260102030405');
		await expectBroken(inUtc, 'authorization', '111106');
	});
});

describe('headers', () => {
	test.each<[string, string | undefined, string, string]>([
		['Accept', undefined, 'Accept', CARRIED_OUT],
		['Accept', '*/*', 'Accept', CARRIED_OUT],
		['Accept', 'text/html', 'Accept', CARRIED_OUT],
		['Accept', 'application/json, application/xml', 'Accept', CARRIED_OUT],
		['Content-Type', 'application/json', 'Content-Type', CARRIED_OUT],
		['Content-Type', 'application/json;charset=utf-8;', 'Content-Type', CARRIED_OUT],
		['Content-Type', 'Application/JSON; charset="UTF-8"', 'Content-Type', CARRIED_OUT],
		['Content-Type', undefined, 'bodyFormat', '160031'],
		['Content-Type', 'text/plain', 'bodyFormat', '160031'],
		['Content-Type', 'application/json;charset=gbk', 'bodyFormat', '160031'],
	])('%s must not be %s', async (name, value, rule, code) => {
		await expectBroken(withHeader(verify(), name, value), rule, code);
	});
});

describe('XML bodies', () => {
	test.each<[string, (inner: string) => RawRequest, string, string?]>([
		['another root', (inner) => verifyXml(inner, 'LandingCall'), 'root'],
		['the root in lower case', (inner) => verifyXml(inner, 'voiceVerify'), 'root'],
		['an unknown child', (inner) => verifyXml(`${inner}<x>1</x>`), 'unknownField', CARRIED_OUT],
		['a child twice', (inner) => verifyXml(`${inner}<to>13800000001</to>`), 'repeatedField'],
		['a child in a child', (inner) => verifyXml(`${inner}<lang><b>zh</b></lang>`), 'nested'],
		[
			'an attribute',
			(inner) => verifyXml(`${inner}<lang type="1">zh</lang>`),
			'attribute',
			CARRIED_OUT,
		],
		['text between children', (inner) => verifyXml(`${inner}x`), 'text'],
		['an open element', (inner) => verifyXml(`${inner}<lang>`), 'xml'],
		['a bare ampersand', (inner) => verifyXml(`${inner}<userData>a&b</userData>`), 'xml'],
		['an unknown entity', (inner) => verifyXml(`${inner}<userData>&x;</userData>`), 'xml'],
		['a control character', (inner) => verifyXml(`${inner}<userData>\u0001</userData>`), 'xml'],
		['a reference to one', (inner) => verifyXml(`${inner}<userData>&#1;</userData>`), 'xml'],
		['"]]>" in text', (inner) => verifyXml(`${inner}<userData>]]></userData>`), 'xml'],
		[
			'a document type',
			(inner) => {
				const raw = verifyXml(inner);
				return withBody(raw, `<!DOCTYPE VoiceVerify>${raw.body.toString()}`);
			},
			'xml',
		],
		[
			'another encoding',
			(inner) => {
				const raw = verifyXml(inner);
				return withBody(raw, `<?xml version="1.0" encoding="GBK"?>${raw.body.toString()}`);
			},
			'xml',
		],
	])('%s', async (_name, raw, rule, code = '160031') => {
		await expectBroken(raw(goodInner()), rule, code);
	});
});

describe('JSON bodies', () => {
	const jsonWith = (change: (json: string) => string): RawRequest => {
		const raw = verify();
		return withBody(raw, change(raw.body.toString()));
	};

	test.each<[string, () => RawRequest, string, string?]>([
		['not JSON', () => jsonWith((json) => json.slice(0, -1)), 'json'],
		['an array', () => jsonWith((json) => `[${json}]`), 'json'],
		['a number', () => verify({ maxCallTime: 60 }), 'notQuoted', CARRIED_OUT],
		['a boolean', () => verify({ userData: true }), 'notQuoted', CARRIED_OUT],
		['a number too long to be exact', () => verify({ userData: 1e15 }), 'notAString'],
		['null', () => verify({ userData: null }), 'notAString'],
		['an object', () => verify({ userData: { a: '1' } }), 'notAString'],
		['an unknown member', () => verify({ subject: 'x' }), 'unknownField', CARRIED_OUT],
		[
			'a member twice',
			() => jsonWith((json) => json.replace('{', '{"to":"13800000001",')),
			'repeatedField',
		],
		[
			'a member twice, once in disguise',
			() => jsonWith((json) => json.replace('{', '{"t\\u006f":"13800000001",')),
			'repeatedField',
		],
		[
			'half a surrogate pair',
			() => jsonWith((json) => json.replace('{', '{"userData":"\\ud83d",')),
			'text',
		],
		['datas where there is none', () => verify({ datas: ['1'] }), 'unknownField', CARRIED_OUT],
	])('%s', async (_name, raw, rule, code = '160031') => {
		await expectBroken(raw(), rule, code);
	});

	test.each<[string, Fields, string, string]>([
		['datas as text', { datas: '1,2' }, 'notAnArray', '160031'],
		['datas with a number', { datas: ['1', 2] }, 'notQuoted', CARRIED_OUT],
		['datas with null', { datas: ['1', null] }, 'notAString', '160031'],
		['datas without content', { templateId: '100000', datas: [] }, 'empty:datas', CARRIED_OUT],
	])('%s', async (_name, fields, rule, code) => {
		await expectBroken(
			request(simulator.credentials, 'TemplateSMS', { ...good.TemplateSMS, ...fields }),
			rule,
			code,
		);
	});
});

describe('fields', () => {
	const fieldRequest = (operation: string, fields: Fields): RawRequest => {
		const all = { ...good[operation], ...fields };
		const given = Object.entries(all).filter(([, value]) => value !== undefined);
		return request(simulator.credentials, operation, Object.fromEntries(given));
	};

	test.each<[string, Fields]>([
		['VoiceVerify', { verifyCode: 'aB12' }],
		['VoiceVerify', { verifyCode: 'abcdEFGH' }],
		['VoiceVerify', { verifyCode: undefined, playVerifyCode: '1.wav;2.wav' }],
		['VoiceVerify', { playTimes: '1', lang: 'en', maxCallTime: '60', displayNum: '01000000000' }],
		['VoiceVerify', { playTimes: '3', lang: 'zh', welcomePrompt: 'w.wav', userData: ' x ' }],
		['VoiceVerify', { respUrl: 'http://example.com/a?b=c' }],
		['VoiceVerify', { respUrl: 'http://ß.example.com/a' }],
		['VoiceVerify', { to: '01012345678-123' }],
		['VoiceVerify', { to: '+85212345678' }],
		['VoiceVerify', { to: '95588' }],
		['LandingCalls', { txtSpeed: '-500', txtVolume: '20', txtPitch: '500', txtBgsound: '6' }],
		['LandingCalls', { txtSpeed: '0', txtVolume: '-20', txtPitch: '-500', txtBgsound: '0' }],
		['LandingCalls', { mediaTxt: undefined, mediaName: 'a.wav', mediaNameType: '0' }],
		['LandingCalls', { mediaName: 'a.wav', playMode: '1', txtSpeed: '1' }],
		['LandingCalls', { displayNum: '13800000000' }],
		['GetSubAccounts', { startNo: undefined, offset: undefined }],
		['GetSubAccounts', { startNo: '12', offset: '1' }],
	])('%s accepts %j', async (operation, fields) => {
		await expectKept(fieldRequest(operation, fields));
	});

	test.each<[string, Fields, string, string]>([
		['VoiceVerify', { appId: undefined }, 'required:appId', '111169'],
		['VoiceVerify', { appId: '' }, 'required:appId', '111169'],
		['VoiceVerify', { to: undefined }, 'required:to', '160044'],
		['VoiceVerify', { to: '' }, 'required:to', '160044'],
		['VoiceVerify', { to: '138 0000 0000' }, 'field:to', '160042'],
		['VoiceVerify', { to: '138-0000-0000' }, 'field:to', '160042'],
		['VoiceVerify', { to: '010-12345678' }, 'field:to', '160042'],
		['VoiceVerify', { to: '62345678' }, 'field:to', '160042'],
		['VoiceVerify', { to: '13800000000,13800000001' }, 'field:to', '160042'],
		['VoiceVerify', { to: '1.38E+10' }, 'field:to', '160042'],
		['VoiceVerify', { verifyCode: undefined }, 'required:verifyCode', '160031'],
		['VoiceVerify', { verifyCode: '123' }, 'field:verifyCode', '160031'],
		['VoiceVerify', { verifyCode: '123456789' }, 'field:verifyCode', '160031'],
		['VoiceVerify', { verifyCode: '12_4' }, 'field:verifyCode', '160031'],
		['VoiceVerify', { playTimes: '0' }, 'field:playTimes', '160031'],
		['VoiceVerify', { playTimes: '4' }, 'field:playTimes', '160031'],
		['VoiceVerify', { playTimes: '2.0' }, 'field:playTimes', '160031'],
		['VoiceVerify', { playTimes: '02' }, 'field:playTimes', '160031'],
		['VoiceVerify', { lang: 'fr' }, 'field:lang', '160031'],
		['VoiceVerify', { lang: '' }, 'empty:lang', CARRIED_OUT],
		['VoiceVerify', { displayNum: '' }, 'empty:displayNum', CARRIED_OUT],
		['VoiceVerify', { userData: '' }, 'empty:userData', CARRIED_OUT],
		['VoiceVerify', { respUrl: 'example.com/a' }, 'field:respUrl', '160031'],
		['VoiceVerify', { respUrl: 'ftp://example.com/a' }, 'field:respUrl', '160031'],
		['VoiceVerify', { respUrl: 'https:///a' }, 'field:respUrl', '160031'],
		['VoiceVerify', { respUrl: 'https://example.com/a\b' }, 'field:respUrl', '160031'],
		['VoiceVerify', { respUrl: 'https://example.com/a b' }, 'field:respUrl', '160031'],
		['VoiceVerify', { playVerifyCode: '1.wav;;2.wav' }, 'field:playVerifyCode', '160031'],
		['VoiceVerify', { welcomePrompt: '1.wav;2.wav' }, 'field:welcomePrompt', '160031'],
		['VoiceVerify', { maxCallTime: '0' }, 'field:maxCallTime', '160031'],
		['VoiceVerify', { maxCallTime: '1.5' }, 'field:maxCallTime', '160031'],
		['VoiceVerify', { mediaTxt: 'x' }, 'unknownField', CARRIED_OUT],
		['LandingCalls', { mediaTxt: undefined }, 'media', '160031'],
		['LandingCalls', { txtSpeed: '501' }, 'field:txtSpeed', '160031'],
		['LandingCalls', { txtSpeed: '-501' }, 'field:txtSpeed', '160031'],
		['LandingCalls', { txtVolume: '21' }, 'field:txtVolume', '160031'],
		['LandingCalls', { txtPitch: '-501' }, 'field:txtPitch', '160031'],
		['LandingCalls', { txtPitch: '-0' }, 'field:txtPitch', '160031'],
		['LandingCalls', { txtBgsound: '7' }, 'field:txtBgsound', '160031'],
		['LandingCalls', { playMode: '2' }, 'field:playMode', '160031'],
		['LandingCalls', { mediaName: 'a.wav', mediaNameType: '2' }, 'field:mediaNameType', '160031'],
		['LandingCalls', { mediaName: 'a.wav', txtSpeed: '1' }, 'ineffective', CARRIED_OUT],
		[
			'LandingCalls',
			{ mediaTxt: undefined, mediaName: 'a.wav', txtVolume: '1' },
			'ineffective',
			CARRIED_OUT,
		],
		['LandingCalls', { verifyCode: '1234' }, 'unknownField', CARRIED_OUT],
		['TemplateSMS', { to: '' }, 'required:to', '112306'],
		['TemplateSMS', { to: '1380000x000' }, 'field:to', '160042'],
		['TemplateSMS', { to: '13800000000,' }, 'field:to', '112316'],
		['TemplateSMS', { to: '13800000000, 13800000001' }, 'field:to', '112316'],
		['TemplateSMS', { to: '13800000000;13800000001' }, 'field:to', '160042'],
		['TemplateSMS', { to: '13800000000,13800000000' }, 'duplicates', '160045'],
		['TemplateSMS', { templateId: undefined }, 'required:templateId', '112307'],
		['TemplateSMS', { templateId: 'abc' }, 'field:templateId', '160057'],
		['TemplateSMS', { templateId: '100000' }, 'datas', '160052'],
		['SubAccounts', { friendlyName: '' }, 'required:friendlyName', '111151'],
		['SubAccounts', { friendlyName: undefined }, 'required:friendlyName', '111151'],
		['GetSubAccounts', { offset: '0' }, 'field:offset', '160031'],
		['GetSubAccounts', { offset: '101' }, 'field:offset', '160031'],
		['GetSubAccounts', { startNo: '-1' }, 'field:startNo', '160031'],
		['GetSubAccounts', { startNo: '' }, 'empty:startNo', CARRIED_OUT],
		['CloseSubAccount', { subAccountSid: 'a-b' }, 'field:subAccountSid', '160031'],
		['CloseSubAccount', { subAccountSid: '' }, 'required:subAccountSid', '111144'],
	])('%s with %j', async (operation, fields, rule, code) => {
		await expectBroken(fieldRequest(operation, fields), rule, code);
	});

	const numbers = (count: number): string =>
		Array.from({ length: count }, (_value, index) => 13800000000 + index).join(',');

	test('200 recipients are accepted, 201 are not', async () => {
		await expectKept(fieldRequest('TemplateSMS', { to: numbers(200) }));
		simulator.reset();
		await expectBroken(fieldRequest('TemplateSMS', { to: numbers(201) }), 'recipients', '160048');
	});
});
