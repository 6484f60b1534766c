import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { KeyedCertificate } from './certificate';
import { broken, type Violation } from './violation';

/** A request whose body is complete. */
export interface CompleteRequest {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly body: Buffer;
	/** Resets the connection that it came on (TCP RST). */
	readonly reset: () => void;
}

/** Keep-alive connections of idle clients stay open this long, milliseconds. */
const KEEP_ALIVE_MS = 60_000;

/** What is wrong with a connection that carries no request (specification 1, rule 1, and 4). */
function judgeConnection(code: string): Violation | undefined {
	if (code === 'ERR_SSL_HTTP_REQUEST') {
		return broken('https', 'a request came over plain HTTP: only HTTPS is allowed');
	}
	// The request itself reports an end in the middle of its body.
	return /^HPE_(?!INVALID_EOF_STATE)/.test(code)
		? broken('http', `this is not a correct HTTP request (${code})`)
		: undefined;
}

/** The sockets below the encrypted ones, which alone can be reset, by the client's port. */
function trackSockets(server: Server): ReadonlyMap<number | undefined, Socket> {
	const sockets = new Map<number | undefined, Socket>();
	server.on('connection', (socket: Socket) => {
		const { remotePort } = socket;
		sockets.set(remotePort, socket);
		socket.on('close', () => sockets.delete(remotePort));
	});
	return sockets;
}

/**
 * A TLS server that does not listen yet.
 * @param onViolation called for violations below the level of requests
 */
export function createServiceServer(
	{ certificate, key }: KeyedCertificate,
	onRequest: (request: CompleteRequest) => void,
	onViolation: (violation: Violation) => void,
) {
	const server = createServer({ cert: certificate, key, keepAliveTimeout: KEEP_ALIVE_MS });
	const rawSockets = trackSockets(server);
	server.on('request', (request: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		const reset = (): void => {
			rawSockets.get(request.socket.remotePort)?.resetAndDestroy();
			request.socket.destroy();
		};
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => onRequest({ request, response, body: Buffer.concat(chunks), reset }));
		request.on('error', () => {
			// A reset after the whole body cuts nothing: the client only did not wait for the answer.
			if (request.complete) return;
			const words = `${request.method} ${request.url} ended before its Content-Length`;
			onViolation(broken('cutBody', words));
		});
	});
	// Node reports failed handshakes here as well.
	server.on('clientError', (error, socket) => {
		const violation = judgeConnection((error as NodeJS.ErrnoException).code ?? '');
		if (violation) onViolation(violation);
		if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
		else socket.destroy();
	});
	return {
		/** Starts to listen; 0 takes any free port. @returns the port @throws Error if it is taken */
		listen: async (port: number) => {
			server.listen(port, '127.0.0.1');
			await once(server, 'listening');
			return (server.address() as AddressInfo).port;
		},
		/** Stops listening and ends every connection. */
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of rawSockets.values()) socket.destroy();
			await closed;
		},
	};
}
