import type { ServiceAccount } from '../../../nodes/Yuntongxun/service/account';
import { serviceClient } from '../../../nodes/Yuntongxun/service/client';
import type { Answer, Endpoint } from '../../../nodes/Yuntongxun/service/client';
import { ServiceFailure } from '../../../nodes/Yuntongxun/service/failure';
import type { FailureFacts } from '../../../nodes/Yuntongxun/service/failure';
import { meaningOf } from '../../../nodes/Yuntongxun/service/statusCodes';
import type { Fields, WireFormat } from '../../../nodes/Yuntongxun/service/wireFormat';
import { answering, failing, fakeHttp } from '../support/http';
import type { FakeHttp } from '../support/http';

const ACCOUNT: ServiceAccount = {
	accountSid: 'sid-of-the-test',
	authToken: 'made-up-token',
	appId: '',
	baseUrl: new URL('https://service.example.com:8883/gate/'),
	softVersion: '2013-12-26',
};

/** Reaches somebody. */
const CALLING: Endpoint = {
	name: 'VoiceVerify',
	method: 'POST',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	member: 'VoiceVerify',
	essential: 'callSid',
	changes: true,
};
/** Only reads, without a body. */
const READING: Endpoint = {
	name: 'AccountInfo',
	method: 'GET',
	path: 'AccountInfo',
	member: 'Account',
	essential: 'friendlyName',
	changes: false,
};
/** Only reads, and its answer lists. */
const LISTING: Endpoint = {
	name: 'GetSubAccounts',
	method: 'POST',
	path: 'GetSubAccounts',
	root: 'SubAccount',
	member: 'SubAccount',
	essential: 'totalCount',
	changes: false,
};
/** Its answer holds nothing. */
const CLOSING: Endpoint = {
	name: 'CloseSubAccount',
	method: 'POST',
	path: 'CloseSubAccount',
	root: 'SubAccount',
	changes: true,
};

const ACCEPTED = '{"statusCode":"000000","VoiceVerify":{"callSid":"c1"}}';

async function sent(
	{ http }: FakeHttp,
	endpoint: Endpoint,
	{ format = 'json' as WireFormat, fields = {} as Fields, timeout = 60_000 } = {},
): Promise<Answer> {
	return await serviceClient(ACCOUNT, http, format, timeout)({ endpoint, fields });
}

async function failureOf(fake: FakeHttp, endpoint: Endpoint, timeout?: number) {
	const thrown: unknown = await sent(fake, endpoint, { timeout }).catch((error: unknown) => error);
	if (!(thrown instanceof ServiceFailure)) throw new Error('no ServiceFailure', { cause: thrown });
	return thrown;
}

const factsOf = async (fake: FakeHttp, endpoint: Endpoint, timeout?: number) =>
	(await failureOf(fake, endpoint, timeout)).facts;

describe('the request', () => {
	it('is a POST below the account, with headers that name format and length', async () => {
		const fake = answering(200, ACCEPTED);
		await sent(fake, CALLING, { fields: { userData: '订单' }, timeout: 4321 });
		expect(fake.requests).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: 'https://service.example.com:8883/gate/2013-12-26/Accounts/sid-of-the-test/Calls/VoiceVerify',
				headers: {
					Accept: 'application/json',
					'Content-Type': 'application/json;charset=utf-8',
					'Content-Length': '21',
				},
				body: '{"userData":"订单"}',
				timeout: 4321,
			}),
		]);
	});

	it('is XML where that is the format', async () => {
		const fake = answering(200, ACCEPTED);
		await sent(fake, CALLING, { format: 'xml', fields: { to: '13800000000' } });
		const body =
			'<?xml version="1.0" encoding="UTF-8"?><VoiceVerify><to>13800000000</to></VoiceVerify>';
		expect(fake.requests[0]).toMatchObject({
			headers: {
				Accept: 'application/xml',
				'Content-Type': 'application/xml;charset=utf-8',
				'Content-Length': String(body.length),
			},
			body,
		});
	});

	it('of a GET has no body', async () => {
		const fake = answering(200, '{"statusCode":"000000","Account":{"friendlyName":"a"}}');
		await sent(fake, READING);
		expect(fake.requests[0]).toMatchObject({
			method: 'GET',
			headers: {
				Accept: 'application/json',
				'Content-Type': 'application/json;charset=utf-8',
				'Content-Length': '0',
			},
			body: undefined,
		});
	});

	it('holds neither token nor signature; the credential signs', async () => {
		const fake = answering(200, ACCEPTED);
		await sent(fake, CALLING);
		expect(JSON.stringify(fake.requests)).not.toMatch(/made-up-token|sig=|Authorization/);
	});
});

describe('a success', () => {
	it.each([
		['JSON', ' {"VoiceVerify":{"dateCreated":"d","callSid":" c1\\n"},"statusCode":" 000000"}'],
		[
			'XML',
			'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Response><statusCode>000000</statusCode><VoiceVerify><callSid> c1</callSid><dateCreated>d</dateCreated></VoiceVerify></Response>',
		],
		['a member in lower case', '{"statusCode":"000000","voiceverify":{"callSid":"c1"}}'],
		['a member with a small letter', '{"statusCode":"000000","voiceVerify":{"callSid":"c1"}}'],
		['a list of one', '{"statusCode":"000000","VoiceVerify":[{"callSid":"c1"}]}'],
		['the id beside the member', '{"statusCode":"000000","VoiceVerify":"","callSid":"c1"}'],
	])('is read from %s, trimmed', async (_what, text) => {
		const answer = await sent(answering(200, text), CALLING);
		expect([answer.statusCode, answer.text('callSid')]).toEqual(['000000', 'c1']);
	});

	it.each([201, 202, 301, 400, 401, 404, 429, 500, 503])(
		'counts with HTTP status %i, too',
		async (status) => {
			const answer = await sent(answering(status, ACCEPTED), CALLING);
			expect(answer.text('callSid')).toBe('c1');
		},
	);

	it.each(['json', 'xml'] as const)(
		'is read in either format, whatever was asked for (%s)',
		async (format) => {
			expect((await sent(answering(200, ACCEPTED), CALLING, { format })).statusCode).toBe('000000');
		},
	);

	it('gives nothing for a field that is not there', async () => {
		const answer = await sent(answering(200, ACCEPTED), CALLING);
		expect([answer.text('orderid'), answer.text('constructor')]).toEqual(['', '']);
	});

	it('needs nothing more where nothing is essential', async () => {
		const answer = await sent(answering(200, '{"statusCode":"000000"}'), CLOSING);
		expect([answer.statusCode, answer.records]).toEqual(['000000', []]);
	});

	it.each([
		['several objects', '[{"a":"1"},{"a":"2"}]', [{ a: '1' }, { a: '2' }]],
		['one object', '{"a":"1"}', [{ a: '1' }]],
		['an empty list', '[]', []],
		['an empty text', '""', []],
		['null', 'null', []],
		['a list with other things in it', '["x",{"a":"1"},[],null]', [{ a: '1' }]],
	])('may hold %s', async (_what, member, records) => {
		const text = `{"statusCode":"000000","totalCount":"9","SubAccount":${member}}`;
		const answer = await sent(answering(200, text), LISTING);
		expect([answer.records, answer.text('totalCount')]).toEqual([records, '9']);
	});

	it('may hold repeated elements of XML', async () => {
		const text =
			'<Response><statusCode>000000</statusCode><totalCount>2</totalCount><SubAccount><a>1</a></SubAccount><SubAccount><a>2</a></SubAccount></Response>';
		const { records } = await sent(answering(200, text), LISTING);
		expect(records).toEqual([{ a: '1' }, { a: '2' }]);
	});
});

describe('a refusal by the service', () => {
	it.each([
		['JSON', 200, '{"statusCode":"160040","statusMsg":" 【短信】上限 "}'],
		[
			'XML',
			200,
			'<Response><statusCode>160040</statusCode><statusMsg>【短信】上限</statusMsg></Response>',
		],
		['JSON with a number', 200, '{"statusCode":160040,"statusMsg":"【短信】上限"}'],
		['HTTP status 400', 400, '{"statusCode":"160040","statusMsg":"【短信】上限"}'],
		['HTTP status 500', 500, '{"statusCode":"160040","statusMsg":"【短信】上限"}'],
	])('is told with its meaning and words (%s)', async (_what, status, text) => {
		const meaning = meaningOf('160040');
		expect(await factsOf(answering(status, text), CALLING)).toEqual({
			...meaning,
			statusCode: '160040',
			statusMsg: '【短信】上限',
			accepted: 'no',
		});
	});

	it('of a code that nobody has described points to its own words', async () => {
		expect(await failureOf(answering(200, '{"statusCode":"199999"}'), CALLING)).toMatchObject({
			message:
				'The service refused the request for a reason this node does not know (code 199999). Its own words stand below; the Yuntongxun support can explain the code.',
			facts: { statusCode: '199999', statusMsg: '', accepted: 'no' },
		});
	});

	it.each(['0', '00000', '0000000', '000001', '200', 'success'])(
		'is any code that is not 000000, such as %s',
		async (statusCode) => {
			const text = JSON.stringify({ statusCode, VoiceVerify: { callSid: 'c1' } });
			expect(await factsOf(answering(200, text), CALLING)).toMatchObject({
				statusCode,
				accepted: 'no',
			});
		},
	);

	it.each(['111109', '111141', '111143'])(
		'names the address in use where sandbox and production may be mixed up (%s)',
		async (statusCode) => {
			const { advice } = await factsOf(answering(200, JSON.stringify({ statusCode })), CALLING);
			expect(advice).toBe(
				`${meaningOf(statusCode)?.advice} The Base URL in use is https://service.example.com:8883.`,
			);
		},
	);

	it('says nothing of acceptance where nothing could be accepted', async () => {
		const facts = await factsOf(answering(200, '{"statusCode":"111100"}'), READING);
		expect(facts).not.toHaveProperty('accepted');
	});

	it('is one sentence with its code, then what to do', async () => {
		const { message, facts } = await failureOf(answering(200, '{"statusCode":"111128"}'), CALLING);
		expect(message).toBe(`${facts.happened} (code 111128). ${facts.advice}`);
	});
});

describe('a success without what is essential', () => {
	it.each([
		['no id', '{"statusCode":"000000"}'],
		['an empty member', '{"statusCode":"000000","VoiceVerify":""}'],
		['an empty id', '{"statusCode":"000000","VoiceVerify":{"callSid":" "}}'],
		['an id that is an object', '{"statusCode":"000000","VoiceVerify":{"callSid":{}}}'],
		['the id in another member', '{"statusCode":"000000","LandingCall":{"callSid":"c1"}}'],
	])('was accepted and must not be sent again (%s)', async (_what, text) => {
		expect(await factsOf(answering(200, text), CALLING)).toEqual({
			happened: 'The service reports success, but its answer lacks callSid',
			advice: 'It was accepted, so do not send it again.',
			statusCode: '000000',
			statusMsg: '',
			accepted: 'yes',
		});
	});

	it.each([
		[READING, 'friendlyName'],
		[LISTING, 'totalCount'],
	])('cannot be used where it only reads', async (endpoint, field) => {
		const facts = await factsOf(answering(200, '{"statusCode":"000000"}'), endpoint);
		expect(facts).toEqual<FailureFacts>({
			happened: `The service reports success, but its answer lacks ${field}`,
			advice: '',
			statusCode: '000000',
			statusMsg: '',
		});
	});
});

describe('a record of a list', () => {
	const EACH = { ...LISTING, essentialOfEach: 'subAccountSid' };
	const listed = (...records: string[]) =>
		answering(200, `{"statusCode":"000000","totalCount":"2","SubAccount":[${records.join()}]}`);

	it('has to have what is essential of each', async () => {
		const good = '{"subAccountSid":"a"}';
		for (const bad of [
			'{}',
			'{"subAccountSid":" "}',
			'{"subAccountSid":"a","subAccountSid":"b"}',
		]) {
			expect((await factsOf(listed(good, bad), EACH)).happened).toBe(
				'The service reports success, but its answer lacks subAccountSid',
			);
		}
		expect((await sent(listed(good, good), EACH)).records).toHaveLength(2);
		expect((await sent(listed(), EACH)).records).toEqual([]);
	});
});

describe('an answer that is none of the service', () => {
	const ELSEWHERE =
		'The answer does not come from the service. Check the Base URL in the credential, and any proxy or firewall on the way.';
	const NOBODY_KNOWS =
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.';
	const UNREADABLE = 'The answer cannot be read';

	it.each([
		[200, 'unknown', UNREADABLE, ELSEWHERE],
		[204, 'unknown', UNREADABLE, ELSEWHERE],
		[299, 'unknown', UNREADABLE, ELSEWHERE],
		[300, 'no', 'The address points to another one (HTTP 300)', ELSEWHERE],
		[302, 'no', 'The address points to another one (HTTP 302)', ELSEWHERE],
		[399, 'no', 'The address points to another one (HTTP 399)', ELSEWHERE],
		[400, 'unknown', UNREADABLE, ELSEWHERE],
		[401, 'no', 'The address asks for another login (HTTP 401)', ELSEWHERE],
		[402, 'unknown', UNREADABLE, ELSEWHERE],
		[403, 'no', 'The address does not let this n8n in (HTTP 403)', ELSEWHERE],
		[404, 'no', 'There is no such service at this address (HTTP 404)', ELSEWHERE],
		[405, 'no', 'There is no such service at this address (HTTP 405)', ELSEWHERE],
		[406, 'unknown', UNREADABLE, ELSEWHERE],
		[428, 'unknown', UNREADABLE, ELSEWHERE],
		[
			429,
			'no',
			'The address takes no more requests right now (HTTP 429)',
			'Nothing was sent on. Wait before you send it again.',
		],
		[430, 'unknown', UNREADABLE, ELSEWHERE],
		[499, 'unknown', UNREADABLE, ELSEWHERE],
		[500, 'unknown', 'The service was not able to answer (HTTP 500)', ''],
		[502, 'unknown', 'The service was not able to answer (HTTP 502)', ''],
		[599, 'unknown', 'The service was not able to answer (HTTP 599)', ''],
		[600, 'unknown', UNREADABLE, ELSEWHERE],
	])('HTTP status %i: accepted %s', async (status, accepted, happened, advice) => {
		const fake = () => answering(status, '<html><body>Hello</body></html>');
		const consequence = accepted === 'unknown' ? [NOBODY_KNOWS] : [];
		const load = status === 429 ? { overload: true } : {};
		expect(await factsOf(fake(), CALLING)).toEqual({
			happened,
			advice: [advice, ...consequence].filter(Boolean).join(' '),
			statusCode: '',
			statusMsg: '',
			accepted,
			...load,
		});
		expect(await factsOf(fake(), READING)).toEqual({
			happened,
			advice,
			statusCode: '',
			statusMsg: '',
			...load,
		});
	});

	it.each([
		['nothing', ''],
		['plain text', 'OK'],
		['a list', '[{"statusCode":"000000"}]'],
		['half an object', '{"statusCode":"000000","VoiceVer'],
		['an object without a code', '{"VoiceVerify":{"callSid":"c1"}}'],
		['an empty code', '{"statusCode":" "}'],
		['a code that is an object', '{"statusCode":{"a":"000000"}}'],
		['a code of another case', '{"statuscode":"000000"}'],
		['an entity', '<!DOCTYPE r [<!ENTITY x "000000">]><r><statusCode>&x;</statusCode></r>'],
	])('%s', async (_what, text) => {
		expect(await factsOf(answering(200, text), CALLING)).toMatchObject({
			happened: UNREADABLE,
			accepted: 'unknown',
		});
	});
});

describe('no answer', () => {
	it('to a request that cannot have left: nothing was accepted', async () => {
		const refused = failing(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
		expect(await factsOf(refused, CALLING)).toEqual({
			happened: 'Nothing answers at the address of the service',
			advice: 'Check the Base URL in the credential, and whether n8n may reach the internet.',
			statusCode: '',
			statusMsg: '',
			accepted: 'no',
		});
	});

	it('to a request that may have arrived: nobody knows', async () => {
		const reset = failing(Object.assign(new Error('no'), { code: 'ECONNRESET' }));
		expect(await factsOf(reset, CALLING)).toEqual({
			happened: 'The connection broke before the answer was complete',
			advice:
				'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
			statusCode: '',
			statusMsg: '',
			accepted: 'unknown',
		});
		expect(await factsOf(reset, READING)).not.toHaveProperty('accepted');
	});

	it('in time: nobody knows', async () => {
		const silent = fakeHttp(async () => await new Promise(() => undefined));
		expect(await factsOf(silent, CALLING, 20)).toMatchObject({
			happened: 'The service did not answer in time',
			accepted: 'unknown',
		});
	});
});

describe('a refusal for load', () => {
	const refused = (statusCode: string) => JSON.stringify({ statusCode, statusMsg: '太多' });

	it.each([200, 429, 503])('is known by its code, with HTTP %i too', async (status) => {
		for (const code of ['111111', '160001', '160010', '160016', '161006']) {
			expect(await factsOf(answering(status, refused(code)), CALLING)).toMatchObject({
				statusCode: code,
				accepted: 'no',
				overload: true,
			});
		}
	});

	it.each([200, 429, 503])('is no other code, with HTTP %i either', async (status) => {
		for (const code of ['160015', '160038', '160011']) {
			expect(await factsOf(answering(status, refused(code)), CALLING)).not.toHaveProperty(
				'overload',
			);
		}
	});
});
