import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { readNotifications } from '../../nodes/Yuntongxun/callbacks/readNotifications';
import { describeShape, type Shape } from './shape';

/** A call to make, and where its result arrives. */
export interface LiveCall {
	readonly to: string;
	/** Public address that leads to `port` of this machine, such as that of a tunnel. */
	readonly resultUrl: string;
	readonly port: number;
}

const RESULT_LIMIT_MS = 5 * 60_000;
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** Answers requests to an address that ends with a mark, and passes the shape of a result on. */
const listenFor =
	(mark: string, arrived: (shape: Shape) => void) =>
	(request: IncomingMessage, response: ServerResponse): void => {
		if (!request.url?.endsWith(mark)) response.writeHead(404).end();
		else if (request.method !== 'POST') response.end(mark);
		else {
			void buffer(request).then((body) => {
				response.writeHead(200, { 'Content-Type': 'application/xml' }).end(ACKNOWLEDGEMENT);
				arrived(describeResult(request.headers['content-type'] ?? 'none', body));
			});
		}
	};

function describeResult(contentType: string, body: Buffer): Shape {
	const text = body.toString('utf8');
	return new Map([
		['(Content-Type)', contentType],
		...describeShape(text, text.trimStart().startsWith('{') ? 'json' : 'xml'),
		['(read by the package as)', describeReading(body)],
	]);
}

/** What an address answers; undefined for none. */
async function readEcho(url: string): Promise<string | undefined> {
	const signal = AbortSignal.timeout(15_000);
	return await fetch(url, { headers: { connection: 'close' }, signal }).then(
		async (answer) => await answer.text(),
		() => undefined,
	);
}

/**
 * Listens for the result of one call, at an address that carries a mark nobody else knows.
 *
 * @param place makes the call, once a request to the address has arrived here; it is given the address
 * @returns the shape of the result, or why there is none
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function resultOfCall(
	{ resultUrl, port }: Pick<LiveCall, 'resultUrl' | 'port'>,
	place: (respUrl: string) => Promise<boolean>,
): Promise<Shape | string> {
	const mark = randomBytes(16).toString('hex');
	const url = `${resultUrl}${resultUrl.includes('?') ? '&' : '?'}live=${mark}`;
	const server = createServer();
	const arrival = new Promise<Shape>((resolve) => server.on('request', listenFor(mark, resolve)));
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	try {
		if ((await readEcho(url)) !== mark) {
			return `No call was made: --result-url does not lead to port ${port}.`;
		}
		if (!(await place(url))) return 'No call was made.';
		return await Promise.race([
			arrival,
			sleep(RESULT_LIMIT_MS, 'No result arrived in time.', { ref: false }),
		]);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

/** The events of the notifications that the package reads in a body. */
function describeReading(body: Buffer): string {
	const notifications = readNotifications(body) ?? [];
	return notifications.map(({ event }) => event).join(', ') || 'not a notification';
}
