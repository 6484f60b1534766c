import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The result of a call as it arrived. */
export interface Arrived {
	readonly contentType: string;
	readonly body: Buffer;
}

/** One address at which one result is expected. */
export interface Mailbox {
	/** The address, with a mark that nobody else knows. */
	readonly url: string;
	/** Whether a request to the address arrives here. */
	isReachable(): Promise<boolean>;
	/** The result; undefined if none arrives in time. */
	result(waitMs: number): Promise<Arrived | undefined>;
}

/** Receives results of calls. */
export interface Receiver {
	readonly port: number;
	/** @param url that leads to this receiver; one on this machine by default */
	mailbox(url?: string): Mailbox;
	close(): Promise<void>;
}

/** What the service expects of a receiver (service facts). */
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const MARK = 'live';
const CHECK_LIMIT_MS = 15_000;
const BODY_LIMIT = 256 * 1024;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > BODY_LIMIT) throw new Error('The body is too long');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

const close = async (server: Server): Promise<void> => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
};

/**
 * Starts to listen. What does not carry the mark of a mailbox gets HTTP 404, so that a stranger who
 * finds the address is not taken for the service.
 *
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function openReceiver(host: string, port: number): Promise<Receiver> {
	const takers = new Map<string, (arrived: Arrived) => void>();
	const server = createServer((request, response) => {
		const mark = new URL(request.url ?? '', 'http://localhost').searchParams.get(MARK) ?? '';
		const take = takers.get(mark);
		if (!take) response.writeHead(404).end();
		else if (request.method !== 'POST') response.end(mark);
		else {
			bodyOf(request).then(
				(body) => {
					response.writeHead(200, { 'Content-Type': 'application/xml' }).end(ACKNOWLEDGEMENT);
					take({ contentType: request.headers['content-type'] ?? 'none', body });
				},
				() => response.destroy(),
			);
		}
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	const { port: bound } = server.address() as AddressInfo;
	return {
		port: bound,
		mailbox: (base = `http://127.0.0.1:${bound}/`) => {
			const mark = randomBytes(16).toString('hex');
			const url = `${base}${base.includes('?') ? '&' : '?'}${MARK}=${mark}`;
			const arrival = new Promise<Arrived>((resolve) => takers.set(mark, resolve));
			return {
				url,
				isReachable: async () => {
					try {
						const answer = await fetch(url, { signal: AbortSignal.timeout(CHECK_LIMIT_MS) });
						return (await answer.text()) === mark;
					} catch {
						return false;
					}
				},
				result: async (waitMs) => {
					let timer: NodeJS.Timeout | undefined;
					const late = new Promise<undefined>((resolve) => {
						timer = setTimeout(() => resolve(undefined), waitMs);
					});
					return await Promise.race([arrival, late]).finally(() => clearTimeout(timer));
				},
			};
		},
		close: async () => await close(server),
	};
}
