import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import type { Simulator } from '../index';

/** The moment at which every test happens: 2026-01-02 11:04:05 in UTC+8. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
export const TIMESTAMP = '20260102110405';

/** A request in parts, so that a test can break each. */
export interface RawRequest {
	method: string;
	path: string;
	query: string;
	headers: Array<[string, string]>;
	body: string | Buffer;
}

export interface RawAnswer {
	status: number;
	body: string;
}

export type Fields = Record<string, unknown>;

const PATHS: Record<string, string> = {
	VoiceVerify: 'Calls/VoiceVerify',
	LandingCalls: 'Calls/LandingCalls',
	TemplateSMS: 'SMS/TemplateSMS',
	QuerySMSTemplate: 'SMS/QuerySMSTemplate',
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex').toUpperCase();

type Sender = { accountSid: string; authToken: string };

/** A request that keeps every rule; the body is JSON, or XML if it is a text. */
export function request(
	{ accountSid, authToken }: Sender,
	operation: string,
	body: Fields | string | undefined,
	timestamp = TIMESTAMP,
): RawRequest {
	const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
	const format = typeof body === 'string' ? 'xml' : 'json';
	return {
		method: body === undefined ? 'GET' : 'POST',
		path: `/2013-12-26/Accounts/${accountSid}/${PATHS[operation] ?? operation}`,
		query: `sig=${md5(accountSid + authToken + timestamp)}`,
		headers: [
			['Accept', `application/${format}`],
			['Content-Type', `application/${format};charset=utf-8`],
			['Content-Length', String(Buffer.byteLength(text))],
			['Authorization', Buffer.from(`${accountSid}:${timestamp}`).toString('base64')],
		],
		body: text,
	};
}

/** The request with another body and its length. */
export const withBody = (raw: RawRequest, body: string | Buffer): RawRequest =>
	withHeader({ ...raw, body }, 'Content-Length', String(Buffer.byteLength(body)));

/** The request with another value of a header, or without the header. */
export const withHeader = (raw: RawRequest, name: string, value?: string): RawRequest => ({
	...raw,
	headers: [
		...raw.headers.filter(([one]) => one !== name),
		...(value === undefined ? [] : [[name, value] as [string, string]]),
	],
});

/** Sends bytes over TLS and returns the HTTP answer: its status and its body. */
export async function sendBytes(simulator: Simulator, bytes: string | Buffer): Promise<RawAnswer> {
	const socket = connect({
		port: Number(new URL(simulator.url).port),
		host: '127.0.0.1',
		servername: 'localhost',
		ca: readFileSync(simulator.caFile),
	});
	const chunks: Buffer[] = [];
	socket.on('data', (chunk: Buffer) => chunks.push(chunk));
	socket.write(bytes);
	await once(socket, 'end');
	const answer = Buffer.concat(chunks).toString('utf8');
	return { status: Number(answer.split(' ')[1]), body: answer.split('\r\n\r\n')[1] ?? '' };
}

/** Sends a request exactly as it is. */
export async function send(simulator: Simulator, raw: RawRequest): Promise<RawAnswer> {
	const lines = [
		`${raw.method} ${raw.path}${raw.query === '' ? '' : `?${raw.query}`} HTTP/1.1`,
		'Host: localhost',
		'Connection: close',
		...raw.headers.map(([name, value]) => `${name}: ${value}`),
	];
	const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
	return await sendBytes(simulator, Buffer.concat([head, Buffer.from(raw.body)]));
}

/** The fields of requests that keep every rule, by operation. */
export const goodFields = (appId: string): Record<string, Fields> => ({
	VoiceVerify: { appId, to: '13800000000', verifyCode: '1234' },
	LandingCalls: { appId, to: '13800000000', mediaTxt: '你好' },
	TemplateSMS: { appId, to: '13800000000', templateId: '100002', datas: ['1', '2'] },
	SubAccounts: { appId, friendlyName: 'support' },
	QuerySubAccountByName: { appId, friendlyName: 'support' },
	GetSubAccounts: { appId, startNo: '0', offset: '100' },
	QuerySMSTemplate: { appId, templateId: '' },
});

/** Resolves once something is so. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** The value of `statusCode` in an answer, XML or JSON. */
export const readStatusCode = ({ body }: RawAnswer): string =>
	/"statusCode":"(\d+)"|<statusCode>(\d+)</.exec(body)?.slice(1).find(Boolean) ?? '';
