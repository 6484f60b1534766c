import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { get } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { startSimulator, type Alteration, type FaultRule, type Simulator } from '../../simulator';
import { altered } from '../../simulator/alterations';
import {
	goodFields,
	NOW,
	request,
	send,
	statusCodeOf,
	withHeader,
	type RawAnswer,
	type RawRequest,
} from './client';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const call = (to = '13800000000'): RawRequest => {
	const fields = { ...goodFields(simulator.credentials.appId).LandingCalls, to };
	return request(simulator.credentials, 'LandingCalls', fields);
};
const message = (to: string): RawRequest => {
	const fields = { ...goodFields(simulator.credentials.appId).TemplateSMS, to };
	return request(simulator.credentials, 'TemplateSMS', fields);
};
const code = async (raw: RawRequest): Promise<string> => statusCodeOf(await send(simulator, raw));
/** The body of a real answer. */
const REAL = expect.stringContaining('"statusCode":"000000"') as string;
const busy: FaultRule = { kind: 'statusCode', statusCode: '160016' };

/** Resolves once something is so. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** An ordinary client, strict about HTTP. */
async function fetchLikeAnybody(raw: RawRequest): Promise<string> {
	const outgoing = httpsRequest(`${simulator.url}${raw.path}?${raw.query}`, {
		method: raw.method,
		headers: Object.fromEntries(raw.headers),
		ca: simulator.ca,
		agent: false,
	});
	outgoing.end(raw.body);
	return await new Promise((resolve, reject) => {
		outgoing.on('error', reject);
		outgoing.on('response', (response) => {
			let body = '';
			response.on('data', (chunk: Buffer) => (body += chunk.toString()));
			response.on('end', () => resolve(body));
			response.on('error', reject);
		});
	});
}

describe('which requests a fault hits', () => {
	test.each<[string, Partial<FaultRule>, string[]]>([
		['the next one, once', {}, ['160016', '000000', '000000', '000000']],
		[
			'those of one operation',
			{ operation: 'TemplateSMS', times: 2 },
			['000000', '000000', '160016', '160016'],
		],
		[
			'those to one number, called or among recipients',
			{ number: '13800000001', times: Infinity },
			['000000', '160016', '160016', '000000'],
		],
		['the third and the fourth', { nth: 3, times: 2 }, ['000000', '000000', '160016', '160016']],
	])('%s', async (_name, match, expected) => {
		const fault = simulator.fail({ ...busy, ...match } as FaultRule);
		expect([
			await code(call()),
			await code(call('13800000001')),
			await code(message('13800000000,13800000001')),
			await code(message('13800000000,13800000002')),
		]).toEqual(expected);
		expect(fault.hits()).toBe(expected.filter((each) => each !== '000000').length);
	});

	test('none after it is removed', async () => {
		simulator.fail(busy).remove();
		expect(await code(call())).toBe('000000');
	});
});

describe('whether the request was accepted first', () => {
	test.each<[FaultRule, string]>([
		[busy, 'answered'],
		[{ kind: 'http', status: 502, body: 'Bad Gateway' }, 'answered'],
		[{ kind: 'reset' }, 'reset'],
		[{ kind: 'silence' }, 'silence'],
	])('depends on the fault: %j', async (fault, end) => {
		for (const accept of [false, true]) {
			simulator.reset();
			simulator.fail({ ...fault, accept });
			const sent = send(simulator, call()).catch(() => undefined);
			await until(() => simulator.record.requests.some((one) => one.end === end));
			if (end !== 'silence') await sent;
			expect(simulator.accepted()).toHaveLength(accept ? 1 : 0);
			expect(simulator.record.requests).toMatchObject([
				{ accepted: accept, end, fault: expect.stringContaining(accept ? 'after' : 'without') },
			]);
			expect(simulator.violations()).toEqual([]);
		}
	});

	test('a request that breaks a rule is never accepted', async () => {
		simulator.fail({ ...busy, accept: true });
		await send(simulator, call('nobody'));
		expect(simulator.accepted()).toEqual([]);
	});
});

describe('what a fault does', () => {
	test('a code of the service with its own words, in the format that the client accepts', async () => {
		simulator.fail({ ...busy, statusMsg: '慢一点' });
		const answer = await send(simulator, call());
		expect(answer.headers['content-type']).toBe('application/json;charset=utf-8');
		expect(JSON.parse(answer.body)).toEqual({ statusCode: '160016', statusMsg: '慢一点' });
		expect(simulator.record.requests[0].answer).toEqual({
			httpStatus: 200,
			statusCode: '160016',
			statusMsg: '慢一点',
		});
	});

	test.each<[string, Partial<FaultRule>, Partial<RawAnswer>, string?]>([
		[
			'HTML with HTTP 502',
			{ status: 502, body: '<html/>', contentType: 'text/html' },
			{ status: 502, body: '<html/>', headers: { 'content-type': 'text/html' } },
		],
		[
			'a redirect to another host',
			{ status: 302, headers: { Location: 'https://elsewhere.example/' } },
			{ status: 302, body: '', headers: { location: 'https://elsewhere.example/' } },
		],
		['an empty answer', {}, { status: 200, body: '', headers: { 'content-length': '0' } }],
		['HTTP 204, which has no body', { status: 204 }, { status: 204, body: '' }, 'content-length'],
		[
			'the real answer under a wrong label',
			{ contentType: 'text/html', accept: true },
			{ body: REAL, headers: { 'content-type': 'text/html' } },
		],
		[
			'the real answer without a label',
			{ contentType: '', accept: true },
			{ body: REAL },
			'content-type',
		],
		[
			'the real answer in chunks of unknown length',
			{ chunked: true, accept: true },
			{ body: REAL, headers: { 'transfer-encoding': 'chunked' } },
			'content-length',
		],
		[
			'arbitrary bytes',
			{ body: Buffer.from([0xff, 0xfe, 0x00]) },
			{ headers: { 'content-length': '3' } },
		],
	])('%s', async (_name, fault, expected, absent = 'nothing') => {
		simulator.fail({ ...fault, kind: 'http' } as FaultRule);
		const answer = await send(simulator, call());
		expect(answer).toMatchObject(expected);
		expect(answer.headers).not.toHaveProperty([absent]);
		const { answer: recorded } = simulator.record.requests[0];
		expect(recorded).toEqual({ httpStatus: answer.status });
	});

	test('an answer cut short', async () => {
		simulator.fail({ kind: 'http', cutAfter: 10, accept: true });
		simulator.fail({ kind: 'http', cutAfter: 10, accept: true });
		const answer = await send(simulator, call());
		expect(answer.body).toHaveLength(10);
		expect(Number(answer.headers['content-length'])).toBeGreaterThan(10);
		await expect(fetchLikeAnybody(call())).rejects.toThrow('aborted');
	});

	test('an answer of three megabytes, still readable', async () => {
		simulator.fail({ kind: 'http', megabytes: 3, accept: true });
		const body = await fetchLikeAnybody(call());
		expect(body).toHaveLength(3 * 1024 * 1024);
		expect(JSON.parse(body)).toMatchObject({ statusCode: '000000' });
	});

	test.each<[Alteration, 'json' | 'xml', RegExp]>([
		['byteOrderMark', 'json', /^\ufeff\{.*\}$/],
		['crossed', 'json', /[^,],\}$/],
		['crossed', 'xml', /^<\?xml[^>]*><Response>.*<\/response>$/],
		['deep', 'json', /,"deep":\[{100}\]{100}\}$/],
		['deep', 'xml', /(?:<deep>){100}(?:<\/deep>){100}<\/Response>$/],
		['fieldsTwice', 'json', /"callSid":"\d{32}","callSid":"0"/],
		['fieldsTwice', 'xml', /<callSid>\d{32}<\/callSid><callSid>0<\/callSid>/],
		['inAList', 'json', /^\[\{.*\}\]$/],
		['inAList', 'xml', /^<list><Response>.*<\/Response><\/list>$/],
		['inPrototype', 'json', /^\{"__proto__":\{.*\}\}$/],
		['inPrototype', 'xml', /^<Response><__proto__><Response>.*<\/__proto__><\/Response>$/],
		['prototypeKeys', 'json', /,"__proto__":\{.*"constructor":\{/],
		['prototypeKeys', 'xml', /<__proto__>.*<constructor>/],
		['statusAlone', 'json', /^\{"statusCode":"000000"\}$/],
		['statusAlone', 'xml', /^<Response><statusCode>000000<\/statusCode><\/Response>$/],
		['statusInside', 'json', /"statusCode":\{"value":"000000"\}/],
		['statusInside', 'xml', /<statusCode><value>000000<\/value><\/statusCode>/],
		['statusTwice', 'json', /^\{"statusCode":"160040",.*"statusCode":"000000"/],
		['statusTwice', 'xml', /<Response><statusCode>160040<.*<statusCode>000000</],
		['statusTwiceLast', 'json', /"statusCode":"000000".*,"statusCode":"160040"\}$/],
		[
			'statusTwiceLast',
			'xml',
			/<statusCode>000000<.*<statusCode>160040<\/statusCode><\/Response>$/,
		],
		['trailing', 'json', /\}\{\}$/],
		['trailing', 'xml', /<\/Response><more\/>$/],
		['withoutValues', 'json', /"callSid":" "/],
		['withoutValues', 'xml', /<callSid> <\/callSid>/],
	])('the real answer after %s, in %s', async (name, format, pattern) => {
		simulator.configure({ memberOrder: 'specification' });
		simulator.fail({ kind: 'http', altered: name, accept: true });
		const raw = withHeader(call(), 'Accept', `application/${format}`);
		expect(await fetchLikeAnybody(raw)).toMatch(pattern);
		expect(simulator.accepted()).toHaveLength(1);
	});

	test('the real answer in other bytes', async () => {
		const real = { contentType: 'application/json', body: '{"statusCode":"000000"}' };
		expect(gunzipSync(altered(real, 'json', 'compressed')).toString()).toBe(real.body);
		expect(altered(real, 'json', 'utf16').toString('utf16le')).toBe(`\ufeff${real.body}`);
		expect(altered(real, 'json', 'half').toString()).toBe('{"statusCod');
		expect(isUtf8(altered(real, 'json', 'foreignBytes'))).toBe(false);
		expect(altered(real, 'json', 'veryDeep')).toHaveLength(200_000 + 31);
	});

	test('an answer byte by byte', async () => {
		simulator.fail({ kind: 'http', body: 'slowly', dripMs: 1 });
		const raw = call();
		const outgoing = httpsRequest(`${simulator.url}${raw.path}?${raw.query}`, {
			method: raw.method,
			headers: Object.fromEntries(raw.headers),
			ca: simulator.ca,
			agent: false,
		});
		outgoing.end(raw.body);
		const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
		const chunks: string[] = [];
		for await (const chunk of response) chunks.push(chunk.toString());
		expect(chunks).toEqual(['s', 'l', 'o', 'w', 'l', 'y']);
	});

	test('a connection reset', async () => {
		simulator.fail({ kind: 'reset' });
		// A mere end without an answer would be a "socket hang up" with the same code.
		await expect(fetchLikeAnybody(call())).rejects.toThrow('read ECONNRESET');
	});

	test('a call whose answer is lost still has its result', async () => {
		simulator.configure({ callResultDelayMs: 0 });
		simulator.fail({ kind: 'reset', accept: true });
		const fields = {
			...goodFields(simulator.credentials.appId).LandingCalls,
			respUrl: 'http://127.0.0.1:1/',
		};
		await expect(
			fetchLikeAnybody(request(simulator.credentials, 'LandingCalls', fields)),
		).rejects.toThrow();
		await simulator.idle();
		expect(simulator.record.notifications).toHaveLength(1);
	});
});

test('requests in progress are counted, and a client that leaves is recorded', async () => {
	const own = await startSimulator({ now: () => NOW });
	const info = request(own.credentials, 'AccountInfo', undefined);
	own.fail({ kind: 'silence', times: 2 });
	const silent: Array<Promise<unknown>> = [];
	for (const count of [1, 2]) {
		silent.push(send(own, info).catch(() => undefined));
		await until(() => own.record.requests.length === count);
	}
	await send(own, info);
	await send(own, info);
	expect(own.record.requests.map(({ inProgress }) => inProgress)).toEqual([1, 2, 3, 3]);

	own.setLatency(60_000);
	const outgoing = httpsRequest(`${own.url}${info.path}?${info.query}`, {
		headers: Object.fromEntries(info.headers),
		ca: own.ca,
		agent: false,
	});
	outgoing.on('error', () => undefined);
	outgoing.end();
	await until(() => own.record.requests.length === 5);
	expect(own.record.requests[4].end).toBe('pending');
	outgoing.destroy();
	await until(() => own.record.requests[4].end === 'clientGone');

	await own.stop();
	await Promise.all(silent);
});

test('a body cut short and plain HTTP are recorded', async () => {
	const raw = call();
	const outgoing = httpsRequest(`${simulator.url}${raw.path}?${raw.query}`, {
		method: 'POST',
		headers: Object.fromEntries(raw.headers),
		ca: simulator.ca,
		agent: false,
	});
	outgoing.on('error', () => undefined);
	outgoing.write('{', () => outgoing.destroy());
	await until(() => simulator.violations().length === 1);
	await once(get(simulator.url.replace('https', 'http')), 'error');
	await until(() => simulator.violations().length === 2);
	expect(simulator.violations().map(({ rule }) => rule)).toEqual(['cutBody', 'https']);
	expect(simulator.accepted()).toEqual([]);
});

test('latency delays the answer, not the acceptance', async () => {
	simulator.setLatency(60_000);
	void send(simulator, call()).catch(() => undefined);
	await until(() => simulator.accepted().length === 1);
	expect(simulator.record.requests[0].end).toBe('pending');
});
