import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { WrittenAnswer } from './answers';
import type { HttpFault } from './faults';

/** Sends an ordinary answer. */
export function respond(
	response: ServerResponse,
	httpStatus: number,
	{ contentType, body }: WrittenAnswer,
): void {
	const bytes = Buffer.from(body);
	response.writeHead(httpStatus, {
		'Content-Type': contentType,
		'Content-Length': bytes.length,
	});
	response.end(bytes);
}

/** Sends a body one byte at a time, until it is sent or the client is gone. */
function drip(response: ServerResponse, body: Buffer, everyMs: number): void {
	let sent = 0;
	const timer = setInterval(() => {
		if (sent < body.length) response.write(body.subarray(sent, sent + 1));
		else response.end();
		sent += 1;
	}, everyMs);
	response.on('close', () => clearInterval(timer));
}

/**
 * Sends the HTTP answer of a fault.
 * @param real the answer without the fault; empty if the request was not accepted
 */
export function respondWithFault(
	response: ServerResponse,
	fault: HttpFault,
	real: WrittenAnswer,
): void {
	const { status = 200, contentType = real.contentType, cutAfter, dripMs } = fault;
	const text = fault.body ?? real.body;
	const body = fault.compressed ? gzipSync(text) : Buffer.from(text);
	response.writeHead(status, {
		...(contentType !== '' && { 'Content-Type': contentType }),
		...(!fault.chunked && { 'Content-Length': body.length }),
		...fault.headers,
	});
	if (cutAfter !== undefined) {
		response.write(body.subarray(0, cutAfter), () => response.destroy());
	} else if (dripMs !== undefined) drip(response, body, dripMs);
	else response.end(body);
}
