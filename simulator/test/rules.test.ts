import { PAST_CALL, startSimulator, type Simulator } from '../index';
import {
	goodFields,
	NOW,
	request,
	send,
	signedAt,
	readStatusCode,
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

const CARRIED_OUT = '000000';

/** Expects a request to break just one rule, and to be refused for it or carried out all the same. */
async function expectBroken(raw: RawRequest, rule: string, code: string): Promise<void> {
	const answer = await send(simulator, raw);
	expect({ rules: rules(), code: readStatusCode(answer) }).toEqual({ rules: [rule], code });
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
		() => sig(() => signedAt(verify(), simulator.credentials, '20260102110406').query),
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
	['Accept: */*', () => withHeader(verify(), 'Accept', '*/*'), 'Accept', CARRIED_OUT],
	[
		'a Content-Type without charset',
		() => withHeader(verify(), 'Content-Type', 'application/json'),
		'Content-Type',
		CARRIED_OUT,
	],
	['no Content-Type', () => withHeader(verify(), 'Content-Type'), 'bodyFormat', '160031'],
];

const BODIES: Case[] = [
	['another root', () => verifyXml(goodInner(), 'voiceVerify'), 'root'],
	['an unknown child', () => xmlWith('<x>1</x>'), 'unknownField', CARRIED_OUT],
	['a child twice', () => xmlWith('<to>13800000001</to>'), 'repeatedField'],
	['a child in a child', () => xmlWith('<lang><b>zh</b></lang>'), 'nested'],
	['an attribute', () => xmlWith('<lang type="1">zh</lang>'), 'attribute', CARRIED_OUT],
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
	['a number', () => verify({ maxCallTime: 60 }), 'notQuoted', CARRIED_OUT],
	['null', () => verify({ userData: null }), 'notAString'],
	['an object', () => verify({ userData: { a: '1' } }), 'notAString'],
	['a member twice', () => jsonWith('"to":"13800000001"'), 'repeatedField'],
	['a member twice, once in disguise', () => jsonWith('"t\\u006f":"1"'), 'repeatedField'],
	['half a surrogate pair', () => jsonWith('"userData":"\\ud83d"'), 'text'],
];

it.each<Case>([...ENVELOPE, ...BODIES])(
	'the simulator refuses or records %s',
	async (_, raw, rule, code = '160031') => {
		await expectBroken(raw(), rule, code);
	},
);

it('the simulator refuses a clock that is not in UTC+8 if the limit is narrow', async () => {
	simulator.configure({ maxClockSkewMs: 60_000 });
	const inUtc = signedAt(verify(), simulator.credentials, '20260102030405');
	await expectBroken(inUtc, 'authorization', '111106');
});

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

	it.each<[string, Fields, string, string]>([
		['VoiceVerify', { appId: '' }, 'required:appId', '111169'],
		['VoiceVerify', { to: undefined }, 'required:to', '160044'],
		['VoiceVerify', { to: '138-0000-0000' }, 'field:to', '160042'],
		['VoiceVerify', { to: '62345678' }, 'field:to', '160042'],
		['VoiceVerify', { verifyCode: undefined }, 'required:verifyCode', '160031'],
		['VoiceVerify', { verifyCode: '12_4' }, 'field:verifyCode', '160031'],
		['VoiceVerify', { playTimes: '4' }, 'field:playTimes', '160031'],
		['VoiceVerify', { playTimes: '02' }, 'field:playTimes', '160031'],
		['VoiceVerify', { lang: 'fr' }, 'field:lang', '160031'],
		['VoiceVerify', { userData: '' }, 'empty:userData', CARRIED_OUT],
		['VoiceVerify', { displayNum: '' }, 'empty:displayNum', CARRIED_OUT],
		['VoiceVerify', { respUrl: 'ftp://example.com/a' }, 'field:respUrl', '160031'],
		['VoiceVerify', { maxCallTime: '0' }, 'field:maxCallTime', '160031'],
		['VoiceVerify', { mediaTxt: 'x' }, 'unknownField', CARRIED_OUT],
		['LandingCalls', { mediaTxt: undefined }, 'media', '160031'],
		['LandingCalls', { txtSpeed: '501' }, 'field:txtSpeed', '160031'],
		['LandingCalls', { txtPitch: '-0' }, 'field:txtPitch', '160031'],
		['LandingCalls', { mediaName: 'a.wav', txtSpeed: '1' }, 'ineffective', CARRIED_OUT],
		['LandingCalls', { playMode: '1' }, 'ineffective', CARRIED_OUT],
		['LandingCalls', { mediaNameType: '1' }, 'ineffective', CARRIED_OUT],
		['LandingCalls', { displayNum: '13800000000' }, 'ineffective', CARRIED_OUT],
		['TemplateSMS', { to: '13800000000,' }, 'field:to', '112316'],
		['TemplateSMS', { to: '13800000000,13800000000' }, 'duplicates', '160045'],
		['TemplateSMS', { to: numbers(201) }, 'recipients', '160048'],
		['TemplateSMS', { templateId: 'abc' }, 'field:templateId', '160057'],
		['TemplateSMS', { templateId: '100000' }, 'datas', '160052'],
		['TemplateSMS', { datas: '1,2' }, 'notAnArray', '160031'],
		['SubAccounts', { friendlyName: '' }, 'required:friendlyName', '111151'],
		['GetSubAccounts', { offset: '101' }, 'field:offset', '160031'],
		['SubAccounts', { friendlyName: '客服' }, 'friendlyName', CARRIED_OUT],
		['TemplateSMS', { reqId: 'a'.repeat(33) }, 'field:reqId', '160055'],
		['TemplateSMS', { subAppend: '12345' }, 'field:subAppend', '160065'],
		['QuerySMSTemplate', { templateId: 'abc' }, 'field:templateId', '160057'],
		['CloseSubAccount', { subAccountSid: 'a-b' }, 'field:subAccountSid', '160031'],
	])('%s does not take %j, by the rule %s', async (operation, fields, rule, code) => {
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

it.each([
	['0', '111138'],
	['2', '111139'],
	['3', '111140'],
])('an account of status %s is refused with %s', async (status, code) => {
	simulator.changeAccount({ status });
	expect(readStatusCode(await send(simulator, verify()))).toBe(code);
	simulator.reset();
	expect(readStatusCode(await send(simulator, verify()))).toBe(CARRIED_OUT);
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
		['without it', '', 'required:callsid', '160031'],
		['with more', `&callsid=${PAST_CALL}&more=1`, 'query', CARRIED_OUT],
		['with another form of it', '&callsid=a-b', 'field:callsid', '160031'],
	])('%s breaks a rule', async (_, query, rule, code) => {
		await expectBroken(asking(query), rule, code);
	});
});

describe("a sub-account's own credentials", () => {
	it('reach no operation, and a closed one nothing at all', async () => {
		await send(simulator, request(simulator.credentials, 'SubAccounts', good.SubAccounts));
		const [accepted] = simulator.accepted();
		const subAccountSid = accepted.kind === 'subAccount' ? accepted.subAccountSid : '';
		const { body } = await send(
			simulator,
			request(simulator.credentials, 'GetSubAccounts', good.GetSubAccounts),
		);
		const [, authToken = ''] = /"subToken":"(\w+)"/.exec(body) ?? [];
		const own = { accountSid: subAccountSid, authToken };
		const call = async () =>
			readStatusCode(await send(simulator, request(own, 'VoiceVerify', good.VoiceVerify)));

		expect(await call()).toBe('111141');
		// Specification 1.6: who stops the main account stops its sub-accounts.
		simulator.changeAccount({ status: '2' });
		expect(await call()).toBe('111139');
		simulator.changeAccount({ status: '1' });
		await send(simulator, request(simulator.credentials, 'CloseSubAccount', { subAccountSid }));
		expect(await call()).toBe('111156');
		expect(rules()).toEqual(['mainAccount', 'mainAccount', 'mainAccount']);
	});
});

it('the simulator takes an ID of the user for one SMS a day', async () => {
	const text = async (reqId: string) =>
		readStatusCode(
			await send(
				simulator,
				request(simulator.credentials, 'TemplateSMS', { ...good.TemplateSMS, reqId }),
			),
		);
	expect([await text('a1'), await text('a1'), await text('a2')]).toEqual([
		'000000',
		'160054',
		'000000',
	]);
	expect(rules()).toEqual([]);
});
