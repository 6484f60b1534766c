import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { WrittenAnswer } from './answers';
import type { Format } from './envelope';
import type { Alteration, HttpFault } from './faults';
import type { Tasks } from './pendingTasks';

const BLANKS = Buffer.alloc(64 * 1024, ' ');
const MEGABYTE = 1024 * 1024;

/** What can happen to a real answer on its way, by name. */
const ALTERATIONS: Record<Alteration, (body: string, format: Format) => string | Buffer> = {
	compressed: (body: string) => gzipSync(body),
	half: (body: string) => body.slice(0, body.length / 2),
	/** Only the status code, without the result of the operation. */
	statusAlone: (body: string, format: Format) => {
		const [code] = /(?<=statusCode[">:]+)\d+/.exec(body) ?? [''];
		return format === 'json'
			? `{"statusCode":"${code}"}`
			: `<Response><statusCode>${code}</statusCode></Response>`;
	},
};

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
function drip(response: ServerResponse, body: Buffer, everyMs: number, tasks: Tasks): void {
	const sendFrom = (index: number): void => {
		if (response.destroyed) return;
		if (index >= body.length) {
			response.end();
			return;
		}
		response.write(body.subarray(index, index + 1));
		tasks.after(everyMs, () => sendFrom(index + 1));
	};
	sendFrom(0);
}

/** Sends a body and blanks behind it, no faster than the client reads. */
function sendPadded(response: ServerResponse, body: Buffer, blanks: number): void {
	let left = blanks;
	const pump = (): void => {
		while (left > 0 && !response.destroyed) {
			const size = Math.min(left, BLANKS.length);
			left -= size;
			if (!response.write(BLANKS.subarray(0, size))) {
				response.once('drain', pump);
				return;
			}
		}
		if (!response.destroyed) response.end();
	};
	response.write(body);
	pump();
}

/** Sends a body as a fault says. */
function sendBody(
	response: ServerResponse,
	fault: HttpFault,
	body: Buffer,
	blanks: number,
	tasks: Tasks,
): void {
	if (fault.cutAfter !== undefined) {
		response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
	} else if (fault.dripMs !== undefined) drip(response, body, fault.dripMs, tasks);
	else if (blanks > 0) sendPadded(response, body, blanks);
	else response.end(body);
}

/**
 * Sends the HTTP answer of a fault.
 * @param real the answer without the fault; empty if the request was not accepted
 * @param format the format that it is in
 */
export function respondWithFault(
	response: ServerResponse,
	fault: HttpFault,
	real: WrittenAnswer,
	format: Format,
	tasks: Tasks,
): void {
	const { status = 200, contentType = real.contentType, megabytes = 0 } = fault;
	const altered = fault.altered && ALTERATIONS[fault.altered](real.body, format);
	const body = Buffer.from(altered ?? fault.body ?? real.body);
	const blanks = Math.max(0, megabytes * MEGABYTE - body.length);
	const mayHaveBody = status !== 204 && status !== 304;
	response.writeHead(status, {
		...(contentType !== '' && { 'Content-Type': contentType }),
		...(mayHaveBody && !fault.chunked && { 'Content-Length': body.length + blanks }),
		...fault.headers,
	});
	sendBody(response, fault, mayHaveBody ? body : Buffer.alloc(0), blanks, tasks);
}
