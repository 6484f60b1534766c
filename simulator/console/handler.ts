import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from '../accounts';
import { NUMBER_TABLE, type CallResultOverrides, type PlannedResult } from '../callResults';
import type { SimulatorControl } from '../control';
import { getMessage } from '../errors';
import type { FaultRule } from '../faults';
import type { SentNotification } from '../record';
import type { Settings } from '../settings';
import { CONSOLE_PAGE, PAGE_POLICY } from './page';

/** Answers requests to the console. @returns whether this was one */
export type ConsoleHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	body: Buffer,
) => boolean;

type Members = Readonly<Record<string, unknown>>;

/** What a request asks with: its query, and the JSON object that is its body. */
type Answer = (query: URLSearchParams, body: Members) => object | Promise<object>;

const JSON_TYPE = 'application/json; charset=utf-8';

function sendJson(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' });
	response.end(text);
}

function sendPage(response: ServerResponse): void {
	response.writeHead(200, {
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': PAGE_POLICY,
		'Cache-Control': 'no-store',
	});
	response.end(CONSOLE_PAGE);
}

const FAULT_KINDS: ReadonlyArray<FaultRule['kind']> = ['statusCode', 'http', 'reset', 'silence'];

/** @throws Error that names the members that are not among the known ones */
function refuseUnknown(what: string, given: Members, known: readonly string[]): void {
	const unknown = Object.keys(given).filter((name) => !known.includes(name));
	if (unknown.length === 0) return;
	throw new Error(`There is no ${what} ${unknown.join(', ')}. There are: ${known.join(', ')}`);
}

/** @throws Error without a text of this name */
function readText(body: Members, name: string): string {
	const value = body[name];
	if (typeof value !== 'string') throw new Error(`"${name}" must be a text`);
	return value;
}

const createRoutes = (simulator: SimulatorControl): Readonly<Record<string, Answer>> => ({
	'GET /_simulator/record': (query) => ({
		...simulator.changesSince(Number(query.get('after') ?? 0)),
		violations: simulator.violations(),
	}),
	'GET /_simulator/numbers': () =>
		NUMBER_TABLE.map(({ lastDigit, words }) => ({ lastDigit, words })),
	'POST /_simulator/reset': () => {
		simulator.reset();
		return { reset: true };
	},
	'GET /_simulator/idle': async () => {
		await simulator.idle();
		return { idle: true };
	},
	...createStateRoutes(simulator),
	...createFaultRoutes(simulator),
	...createSendRoutes(simulator),
});

/** What the service is like: its settings, its account, its sub-accounts. */
const createStateRoutes = (simulator: SimulatorControl): Readonly<Record<string, Answer>> => ({
	'GET /_simulator/settings': () => simulator.settings(),
	'POST /_simulator/settings': (_query, body) => {
		refuseUnknown('setting', body, Object.keys(simulator.settings()));
		simulator.configure(body as Partial<Settings>);
		return simulator.settings();
	},
	'GET /_simulator/account': () => simulator.account(),
	'POST /_simulator/account': (_query, body) => {
		refuseUnknown('member of the account', body, Object.keys(simulator.account()));
		simulator.changeAccount(body as Partial<Account>);
		return simulator.account();
	},
	'POST /_simulator/sub-accounts': (_query, { count }) => {
		if (!Number.isInteger(count)) throw new Error('"count" must be a whole number');
		return { subAccountSids: simulator.seedSubAccounts(count as number) };
	},
});

const createFaultRoutes = (simulator: SimulatorControl): Readonly<Record<string, Answer>> => ({
	'POST /_simulator/fail': (_query, body) => {
		const rule = body as unknown as FaultRule;
		if (!FAULT_KINDS.includes(rule.kind)) {
			throw new Error(`"kind" must be one of ${FAULT_KINDS.join(', ')}`);
		}
		return { id: simulator.fail(rule).id };
	},
	'GET /_simulator/faults': () =>
		simulator.faults().map(({ id, rule, hits }) => ({ id, hits: hits(), rule })),
	'DELETE /_simulator/faults': (query) => {
		const wanted = query.get('id');
		const gone = simulator.faults().filter(({ id }) => wanted === null || String(id) === wanted);
		for (const fault of gone) fault.remove();
		return { removed: gone.map(({ id }) => id) };
	},
});

/** What goes out from the service: results of calls, and pushes about SMS. */
const createSendRoutes = (simulator: SimulatorControl): Readonly<Record<string, Answer>> => ({
	'POST /_simulator/plan-calls': (_query, body) => {
		const results = body.results as readonly PlannedResult[] | undefined;
		simulator.planCalls(readText(body, 'number'), results);
		return { planned: results?.length ?? 0 };
	},
	'POST /_simulator/call-result': (_query, { callSid, ...overrides }) =>
		push(
			simulator.sendCallResult(readText({ callSid }, 'callSid'), overrides as CallResultOverrides),
		),
	'POST /_simulator/sms-report': (query) =>
		push(simulator.sendSmsReport(query.get('smsMessageSid') ?? '', readOverrides(query))),
	'POST /_simulator/sms-reply': (query) => {
		const reply = {
			number: query.get('number') ?? '',
			text: query.get('text') ?? '',
			appendCode: query.get('appendCode') ?? '',
		};
		return push(simulator.sendSmsReply(reply, readOverrides(query)));
	},
});

/** What a query changes of a push: the number and status of a report, and the form of both. */
function readOverrides(query: URLSearchParams) {
	const [number, status] = ['number', 'status'].map((name) => query.get(name));
	const format = query.get('format') === 'xml' ? ('xml' as const) : ('json' as const);
	return {
		format,
		...(number !== null && { number }),
		...(status !== null && { fields: { status } }),
	};
}

/** What came of a push: the receiver's answer, or why there was none. */
const push = async (sent: Promise<SentNotification>): Promise<object> => {
	try {
		const { url, body, answer, error } = await sent;
		return { url, body, answer, error };
	} catch (error) {
		return { error: getMessage(error) };
	}
};

/**
 * The members of a body that is one JSON object; an empty body has none.
 * @throws Error for any other body
 */
function parseMembers(body: Buffer): Members {
	if (body.length === 0) return {};
	const value: unknown = JSON.parse(body.toString('utf8'));
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Error('The body must be one JSON object');
	}
	return value as Members;
}

/**
 * The page at `/` and the JSON under `/_simulator/`, which does what TypeScript can do. They never
 * show the account's token.
 */
export function createConsole(simulator: SimulatorControl): ConsoleHandler {
	const routes = createRoutes(simulator);

	const answer = async (
		route: Answer,
		query: URLSearchParams,
		response: ServerResponse,
		body: Buffer,
	) => {
		const hideToken = (text: string): string =>
			text.replaceAll(simulator.account().authToken, '[token]');
		try {
			const result = await route(query, parseMembers(body));
			sendJson(response, 200, hideToken(JSON.stringify(result)));
		} catch (error) {
			sendJson(response, 400, hideToken(JSON.stringify({ error: getMessage(error) })));
		}
	};

	return (request, response, body) => {
		const { method = '', url: target = '' } = request;
		const [path, query] = target.split('?');
		const route = routes[`${method} ${path}`];
		if (path === '/' && method === 'GET') sendPage(response);
		else if (!path.startsWith('/_simulator/')) return false;
		else if (!route) sendJson(response, 404, '{"error":"the simulator has no such address"}');
		else void answer(route, new URLSearchParams(query), response, body);
		return true;
	};
}
