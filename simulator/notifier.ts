import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { DOMParser } from '@xmldom/xmldom';
import type { SentNotification } from './record';
import { broken, shown, type Violation } from './violation';

/** Longest answer of a receiver, bytes. */
const SIZE_LIMIT = 64 * 1024;

/** A POST to a receiver of call results. */
export interface Delivery {
	readonly url: string;
	readonly contentType: string;
	readonly body: string | Buffer;
	/** The simulator's own CA as PEM, trusted besides the usual ones. */
	readonly ca: string;
	readonly signal: AbortSignal;
	/** Longest wait for the receiver's answer, milliseconds. */
	readonly patienceMs: number;
}

type ReceiverAnswer = NonNullable<SentNotification['answer']>;

/**
 * Sends a call result and reads the receiver's answer. Redirects are not followed.
 * @throws Error without an answer: refused, reset, too late, too long, or aborted
 */
export async function deliver(delivery: Delivery): Promise<ReceiverAnswer> {
	const { url, contentType, ca, signal, patienceMs } = delivery;
	const body = Buffer.from(delivery.body);
	const isHttps = new URL(url).protocol === 'https:';
	return await new Promise((resolve, reject) => {
		const request = (isHttps ? httpsRequest : httpRequest)(
			url,
			{
				method: 'POST',
				headers: { 'Content-Type': contentType, 'Content-Length': body.length },
				agent: false,
				signal,
				timeout: patienceMs,
				...(isHttps && { ca: [...rootCertificates, ca] }),
			},
			(response) => {
				const chunks: Buffer[] = [];
				let size = 0;
				response.on('data', (chunk: Buffer) => {
					size += chunk.length;
					if (size > SIZE_LIMIT) request.destroy(new Error('the answer is too long'));
					chunks.push(chunk);
				});
				response.on('error', reject);
				response.on('end', () =>
					resolve({
						httpStatus: response.statusCode ?? 0,
						contentType: response.headers['content-type'] ?? '',
						body: Buffer.concat(chunks).toString('utf8'),
					}),
				);
			},
		);
		request.on('timeout', () => request.destroy(new Error('the receiver did not answer')));
		request.on('error', reject);
		request.end(body);
	});
}

function acknowledgedCode(body: string): string | undefined {
	try {
		const root = new DOMParser({
			locator: false,
			onError: (level, message) => {
				throw new Error(`${level}: ${message}`);
			},
		}).parseFromString(body, 'application/xml').documentElement;
		const [code, ...others] = Array.from(root?.childNodes ?? []);
		const isExpected =
			root?.nodeName === 'Response' && code?.nodeName === 'statuscode' && others.length === 0;
		return isExpected ? (code.textContent ?? '') : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Checks a receiver's answer: HTTP 200 and, in these letters,
 * `<Response><statuscode>000000</statuscode></Response>` (service facts).
 */
export function checkAcknowledgement(answer: ReceiverAnswer): Violation[] {
	const { httpStatus, body } = answer;
	if (httpStatus !== 200) {
		const words = `the receiver must answer HTTP 200, not ${httpStatus}`;
		return [broken('acknowledgement', words)];
	}
	if (acknowledgedCode(body) === '000000') return [];
	const words = `the receiver must acknowledge with <statuscode>000000</statuscode>: ${shown(body)}`;
	return [broken('acknowledgement', words)];
}
