import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { KeyedCertificate } from './certificate';
import { broken, type Violation } from './violation';

/** Handles a request whose body is complete. */
export type CompleteRequestListener = (
	request: IncomingMessage,
	response: ServerResponse,
	body: Buffer,
) => void;

/** Keep-alive connections of idle clients stay open this long, milliseconds. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Turns a listener for complete requests into one for Node's servers.
 * @param onCut called if the client leaves before the body is complete
 */
const collectBody =
	(onComplete: CompleteRequestListener, onCut: (request: IncomingMessage) => void) =>
	(request: IncomingMessage, response: ServerResponse): void => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => onComplete(request, response, Buffer.concat(chunks)));
		// A reset after the whole body cuts nothing: the client only did not wait for the answer.
		request.on('error', () => {
			if (!request.complete) onCut(request);
		});
	};

/** The TLS server of the service, and control over its connections. */
export interface ServiceServer {
	readonly server: Server;
	/** Resets the connection that a request came on (TCP RST). */
	reset(request: IncomingMessage): void;
	/** Stops listening and ends every connection. */
	close(): Promise<void>;
}

/** What clients do wrong that no request shows (specification 1, rule 1, and 4). */
const CONNECTION_RULES: ReadonlyArray<{ code: RegExp; violation: (code: string) => Violation }> = [
	{
		code: /^ERR_SSL_HTTP_REQUEST$/,
		violation: () => broken('https', 'a request came over plain HTTP: only HTTPS is allowed'),
	},
	{
		// The request itself reports an end in the middle of its body.
		code: /^HPE_(?!INVALID_EOF_STATE)/,
		violation: (code) => broken('http', `this is not a correct HTTP request (${code})`),
	},
];

/**
 * A TLS server that does not listen yet.
 * @param onViolation called for violations below the level of requests
 */
export function createServiceServer(
	{ certificate, key }: KeyedCertificate,
	onRequest: CompleteRequestListener,
	onViolation: (violation: Violation) => void,
): ServiceServer {
	// Only the socket below the encrypted one can be reset; its port identifies it.
	const rawSockets = new Map<number | undefined, Socket>();
	const listener: RequestListener = collectBody(onRequest, ({ method, url }) =>
		onViolation(broken('cutBody', `${method} ${url} ended before its Content-Length`)),
	);
	const server = createServer(
		{ cert: certificate, key, keepAliveTimeout: KEEP_ALIVE_MS },
		listener,
	);
	// Node reports failed handshakes here as well.
	server.on('clientError', (error, socket) => {
		const { code = '' } = error as NodeJS.ErrnoException;
		const rule = CONNECTION_RULES.find((one) => one.code.test(code));
		if (rule) onViolation(rule.violation(code));
		if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
		else socket.destroy();
	});
	server.on('connection', (socket: Socket) => {
		const { remotePort } = socket;
		rawSockets.set(remotePort, socket);
		socket.on('close', () => {
			if (rawSockets.get(remotePort) === socket) rawSockets.delete(remotePort);
		});
	});
	return {
		server,
		reset: ({ socket }) => {
			rawSockets.get(socket.remotePort)?.resetAndDestroy();
			socket.destroy();
		},
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of rawSockets.values()) socket.destroy();
			await closed;
		},
	};
}

/**
 * Starts to listen.
 * @returns the port
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function listen(server: Server, port: number): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});
	return (server.address() as AddressInfo).port;
}
