import { request as httpsRequest } from 'node:https';
import { startSimulator, type Alteration, type FaultRule, type Simulator } from '../../simulator';
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
});

describe('what a fault does', () => {
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
});
