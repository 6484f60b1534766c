import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ApiCredential } from '../../../nodes/Yuntongxun/client/credential';
import { createClient } from '../../../nodes/Yuntongxun/client/client';
import type { Answer, Endpoint } from '../../../nodes/Yuntongxun/client/request';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import type { FailureFacts } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { describeStatusCode } from '../../../nodes/Yuntongxun/client/statusCodes';
import type { Fields, DataFormat } from '../../../nodes/Yuntongxun/client/codec';
import { answering, failing } from '../../support/http';
import type { FakeHttp } from '../../support/http';

const ACCOUNT: ApiCredential = {
	accountSid: 'sid-of-the-test',
	authToken: 'made-up-token',
	appId: '',
	baseUrl: new URL('https://service.example.com:8883/gate/'),
	softVersion: '2013-12-26',
	wireFormat: 'json',
};

/** Reaches somebody. */
const CALLING: Endpoint = {
	name: 'VoiceVerify',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	essential: 'callSid',
	hasSideEffects: true,
};
/** Only reads, without a body. */
const READING: Endpoint = {
	name: 'AccountInfo',
	members: ['Account'],
	essential: 'friendlyName',
	hasSideEffects: false,
};
/** Only reads, and its answer lists. */
const LISTING: Endpoint = {
	name: 'GetSubAccounts',
	root: 'SubAccount',
	essential: 'totalCount',
	hasSideEffects: false,
};
/** Its answer holds nothing. */
const CLOSING: Endpoint = {
	name: 'CloseSubAccount',
	root: 'SubAccount',
	hasSideEffects: true,
};

/**
 * Answers of others than the service, in the shapes that gateways, portals and frameworks document or
 * send, and what looks like a success of the service and is none. A stranger that stands before the
 * service may have passed the request on, unless its HTTP status says by the contract that it did not.
 */
const STRANGE_ANSWERS = readFileSync(join(__dirname, 'strange-answers.tsv'), 'utf8')
	.trimEnd()
	.split('\n')
	.slice(1)
	.map((line) => line.split('\t'))
	.map(([from, status, accepted, body]) => ({
		from,
		status: Number(status),
		accepted,
		body: body.replaceAll('\\n', '\n'),
	}));

const SAFE = 'Nothing was changed, so it is safe to run it again.';
const NOBODY_KNOWS =
	'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.';

const LACKING = 'The service reports success, but its answer lacks the result';

const ACCEPTED = '{"statusCode":"000000","VoiceVerify":{"callSid":"c1"}}';

async function sent(
	{ http }: FakeHttp,
	endpoint: Endpoint,
	{ format = 'json' as DataFormat, fields = {} as Fields, timeout = 60_000 } = {},
): Promise<Answer> {
	return await createClient(
		{ ...ACCOUNT, wireFormat: format },
		http,
		timeout,
	)({ endpoint, fields });
}

async function sendAndFail(fake: FakeHttp, endpoint: Endpoint) {
	const thrown: unknown = await sent(fake, endpoint).catch((error: unknown) => error);
	if (!(thrown instanceof ServiceFailure)) throw new Error('no ServiceFailure', { cause: thrown });
	return thrown;
}

const sendAndGetFacts = async (fake: FakeHttp, endpoint: Endpoint) =>
	(await sendAndFail(fake, endpoint)).facts;

it('an answer of 256 KB is read, and a longer one is not, unless its endpoint says so', async () => {
	const long = (bytes: number) => answering(200, ACCEPTED.padEnd(bytes));
	const read = { statusCode: '000000' };
	expect(await sent(long(256 * 1024), CALLING)).toMatchObject(read);
	expect((await sendAndFail(long(256 * 1024 + 1), CALLING)).message).toMatch(/No complete answer/);
	const patient = { ...CALLING, maxAnswerBytes: 2 * 1024 * 1024 };
	expect(await sent(long(2 * 1024 * 1024), patient)).toMatchObject(read);
});

describe('the request', () => {
	it('is a POST with headers for format and length', async () => {
		const fake = answering(200, ACCEPTED);
		await sent(fake, CALLING, { fields: { userData: '订单' }, timeout: 4321 });
		expect(fake.requests).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: 'https://service.example.com:8883/gate/2013-12-26/Accounts/sid-of-the-test/Calls/VoiceVerify',
				qs: {},
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
});

it('the request of an endpoint without a body is a GET with its fields in the query', async () => {
	const fake = answering(200, '{"statusCode":"000000","Account":{"friendlyName":"f"}}');
	await sent(fake, READING, { format: 'xml', fields: { a: '1' } });
	expect(fake.requests).toEqual([
		expect.objectContaining({
			method: 'GET',
			qs: { a: '1' },
			headers: {
				Accept: 'application/xml',
				'Content-Type': 'application/xml;charset=utf-8',
				'Content-Length': '0',
			},
			body: undefined,
		}),
	]);
});

describe('a success', () => {
	it.each([
		[
			'a member beside its code',
			' {"VoiceVerify":{"dateCreated":"d","callSid":" c1\\n"},"statusCode":" 000000"}',
		],
		[
			'a status code of the member itself',
			'{"statusCode":"000000","VoiceVerify":{"callSid":"c1","statusCode":"160040"}}',
		],
		['the id beside the member', '{"statusCode":"000000","VoiceVerify":"","callSid":"c1"}'],
	])('is read from %s, trimmed', async (_what, text) => {
		const answer = await sent(answering(200, text), CALLING);
		expect([answer.text('statusCode'), answer.text('callSid')]).toEqual(['000000', 'c1']);
	});
});

describe('a rejection by the service', () => {
	it('is a failure with its meaning and the words of the service', async () => {
		const text = '{"statusCode":"112323","statusMsg":" 【语音】内容 "}';
		const failure = await sendAndFail(answering(200, text), CALLING);
		const { remedy } = describeStatusCode('112323') ?? {};
		const summary = 'The template, or what is to be played, is not valid for the application';
		expect(failure.message).toBe(`${summary} (code 112323). ${remedy}`);
		expect(failure.facts).toEqual({
			summary,
			remedy,
			statusCode: '112323',
			statusMsg: '【语音】内容',
			accepted: 'no',
		});
	});

	it('shows neither the token nor a secret of the request in the words of the service', async () => {
		const text = '{"statusCode":"160040","statusMsg":"made-up-token, 码384512x"}';
		const { http } = answering(200, text);
		const request = { endpoint: CALLING, fields: {}, secrets: ['384512'] };
		const failing = createClient(ACCOUNT, http, 1000)(request);
		await expect(failing).rejects.toMatchObject({ facts: { statusMsg: '***, 码***x' } });
	});

	it('is read even if a secret of the request equals its code', async () => {
		const { http } = answering(200, '{"statusCode":"160040"}');
		const request = { endpoint: CALLING, fields: {}, secrets: ['160040'] };
		const failing = createClient(ACCOUNT, http, 1000)(request);
		await expect(failing).rejects.toMatchObject({ facts: { accepted: 'no' } });
	});
});

describe('a status code that is not six digits', () => {
	const WORDS = 'The status code is not one the service uses';
	const OWN = 'Ask whoever runs what stands at the Base URL in the credential.';

	it('is shown with the words of the service, and may have been accepted', async () => {
		const said = { statusCode: '000000\n111111', statusMsg: '系统繁忙' };
		const text = JSON.stringify({ ...said, VoiceVerify: { callSid: 'c1' } });
		for (const status of [200, 404, 429, 500]) {
			const facts = { ...said, summary: WORDS };
			const called = { ...facts, remedy: `${OWN} ${NOBODY_KNOWS}`, accepted: 'unknown' };
			expect(await sendAndGetFacts(answering(status, text), CALLING)).toEqual(called);
			const read = { ...facts, remedy: `${OWN} ${SAFE}` };
			expect(await sendAndGetFacts(answering(status, text), READING)).toEqual(read);
		}
	});

	it('shows at most 1,000 characters of its words', async () => {
		const text = JSON.stringify({ statusCode: '160040', statusMsg: '上'.repeat(5000) });
		expect((await sendAndGetFacts(answering(200, text), CALLING)).statusMsg).toBe(
			'上'.repeat(1000),
		);
	});

	it('shows no token, and at most 1,000 characters', async () => {
		const statusCode = `made-up-token${'x'.repeat(2000)}`;
		const facts = await sendAndGetFacts(answering(200, JSON.stringify({ statusCode })), CALLING);
		expect(facts.statusCode).toBe(`***${'x'.repeat(997)}`);
	});

	it.each(['000001made-up-token', 'made-up-token000001'])(
		'shows no token beside six digits: %s',
		async (statusCode) => {
			const text = JSON.stringify({ statusCode });
			const facts = await sendAndGetFacts(answering(200, text), CALLING);
			expect(facts.statusCode).toBe(statusCode.replace('made-up-token', '***'));
		},
	);
});

describe('a success without its essential field', () => {
	it.each([
		['no id', '{"statusCode":"000000"}'],
		['an empty member', '{"statusCode":"000000","VoiceVerify":""}'],
		['an empty id', '{"statusCode":"000000","VoiceVerify":{"callSid":" "}}'],
		['an id that is an object', '{"statusCode":"000000","VoiceVerify":{"callSid":{}}}'],
		['the id in another member', '{"statusCode":"000000","LandingCall":{"callSid":"c1"}}'],
	])('was accepted and must not be sent again (%s)', async (_what, text) => {
		expect(await sendAndGetFacts(answering(200, text), CALLING)).toEqual({
			summary: LACKING,
			remedy: 'It was accepted, so do not send it again.',
			statusCode: '000000',
			statusMsg: '',
			accepted: 'yes',
		});
	});

	it('cannot be used if the operation only reads', async () => {
		const facts = await sendAndGetFacts(answering(200, '{"statusCode":"000000"}'), READING);
		expect(facts).toEqual<FailureFacts>({
			summary: LACKING,
			remedy: SAFE,
			statusCode: '000000',
			statusMsg: '',
		});
	});
});

describe('a field of a given shape', () => {
	const COUNTED = { ...LISTING, essentialShape: /^\d+$/ };
	const counted = (total: string) =>
		answering(200, `{"statusCode":"000000","totalCount":${total},"SubAccount":[]}`);

	it.each(['"many"', '""', '"-1"', '1.5', '"1 2"', '"１"', 'true', '[1]'])(
		'counts as missing if it is %s',
		async (total) => {
			expect((await sendAndGetFacts(counted(total), COUNTED)).summary).toBe(LACKING);
		},
	);

	it.each(['0', '"12"', '" 7 "'])('counts as there if it is %s', async (total) => {
		expect((await sent(counted(total), COUNTED)).statusCode).toBe('000000');
	});
});

describe('an unreadable answer', () => {
	it.each([
		[404, false],
		[500, true],
	])('HTTP status %i: says that it is safe to run again: %s', async (status, isSaid) => {
		const { remedy } = await sendAndGetFacts(answering(status, '<html></html>'), READING);
		expect(remedy.includes(SAFE)).toBe(isSaid);
	});

	it.each(STRANGE_ANSWERS)('$from, HTTP $status: accepted $accepted', async (row) => {
		const { status, accepted, body } = row;
		for (const endpoint of [CALLING, CLOSING]) {
			const { summary, ...facts } = await sendAndGetFacts(answering(status, body), endpoint);
			expect(summary).toMatch(new RegExp(`\\(HTTP ${status}\\)$`));
			expect(facts).toMatchObject({ statusCode: '', statusMsg: '', accepted });
			expect(facts.overload).toBe(status === 429 ? true : undefined);
		}
		for (const endpoint of [READING, LISTING]) {
			const facts = await sendAndGetFacts(answering(status, body), endpoint);
			expect(facts.accepted).toBeUndefined();
		}
	});
});

it('a failure without an answer never shows what was sent', async () => {
	const url = 'https://service.example.com?sig=ABCDEF';
	const thrown = Object.assign(new Error(`connect ECONNREFUSED ${url}`), {
		config: { url, headers: { Authorization: 'made-up' } },
	});
	const failure = await sendAndFail(failing(thrown), CALLING);
	expect(failure.message).toBe(
		'The service cannot be reached from here. Check the Base URL in the credential, and whether n8n, and any proxy on the way, may reach its host and port.',
	);
	expect(failure.facts).toMatchObject({ statusCode: '', statusMsg: '', accepted: 'no' });
	expect(JSON.stringify(failure)).not.toMatch(/ABCDEF|made-up|example/);
});
