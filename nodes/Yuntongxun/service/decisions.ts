import type { Accepted } from './failure';

/** What came back from one request that did not succeed. */
export type Reply =
	/** Nothing that could be read to its end. `sent`: whether the request can have left. */
	| { sent: 'no' | 'unknown' }
	/** An answer of the service. */
	| { statusCode: string }
	/** An answer of somebody else: none of the service's, so far as can be seen. */
	| { httpStatus: number };

/** What follows from a reply. */
export interface Decision {
	/** Whether the service took what it was asked to do. */
	accepted: Accepted;
	/** Whether it was certainly refused, for too much at once, so that it goes out again. */
	again: boolean;
}

/** One row of the table of decisions. */
export interface Row extends Decision {
	/** What came back, in words. */
	reply: string;
	fits(reply: Reply): boolean;
}

/** What the service calls success. Specification section 5. */
export const SUCCESS = '000000';

/** Codes with which the service refuses because too much comes at once. Specification section 7. */
export const LOAD_CODES: ReadonlySet<string> = new Set([
	'111111',
	...['160001', '160002', '160003', '160004', '160005'],
	...['160006', '160007', '160008', '160009', '160010'],
	...['160016', '161006'],
]);

const isCode = (test: (code: string) => boolean) => (reply: Reply) =>
	'statusCode' in reply && test(reply.statusCode);

const isHttp =
	(from: number, to = from) =>
	(reply: Reply) =>
		'httpStatus' in reply && from <= reply.httpStatus && reply.httpStatus <= to;

/**
 * Whether a request was accepted, and whether it goes out again. The first row that fits counts.
 * An answer of the service counts whatever its HTTP status. What may have been accepted never goes
 * out again. Specification section 7.
 */
export const DECISIONS: readonly Row[] = [
	{
		reply: 'nothing, and the connection failed before the request had left',
		fits: (reply) => 'sent' in reply && reply.sent === 'no',
		accepted: 'no',
		again: false,
	},
	{
		reply: 'nothing in time, or the connection broke after the request had left',
		fits: (reply) => 'sent' in reply,
		accepted: 'unknown',
		again: false,
	},
	{
		reply: 'success without what makes it one',
		fits: isCode((code) => code === SUCCESS),
		accepted: 'yes',
		again: false,
	},
	{
		reply: 'a code of the service for load',
		fits: isCode((code) => LOAD_CODES.has(code)),
		accepted: 'no',
		again: true,
	},
	{
		reply: 'any other code of the service',
		fits: isCode(() => true),
		accepted: 'no',
		again: false,
	},
	{ reply: 'HTTP 429', fits: isHttp(429), accepted: 'no', again: true },
	{ reply: 'HTTP 3xx', fits: isHttp(300, 399), accepted: 'no', again: false },
	{ reply: 'HTTP 401', fits: isHttp(401), accepted: 'no', again: false },
	{ reply: 'HTTP 403 to 405', fits: isHttp(403, 405), accepted: 'no', again: false },
	{
		reply: 'any other HTTP answer, all of 5xx among them',
		fits: (reply) => 'httpStatus' in reply,
		accepted: 'unknown',
		again: false,
	},
];

/** What follows from what came back. */
export function decide(reply: Reply): Decision {
	const row = DECISIONS.find(({ fits }) => fits(reply));
	return { accepted: row?.accepted ?? 'unknown', again: row?.again ?? false };
}
