import type { IncomingMessage, ServerResponse } from 'node:http';
import { NUMBER_TABLE } from '../callResults';
import { messageOf } from '../errors';
import type { SentNotification } from '../record';
import type { SimulatorControl } from '../startSimulator';
import { CONSOLE_PAGE, PAGE_POLICY } from './page';

/** Answers requests to the console. @returns whether this was one */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

type Answer = (query: URLSearchParams) => object | Promise<object>;

function sendJson(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'Content-Type': 'application/json; charset=utf-8',
		'Cache-Control': 'no-store',
	});
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
		return { error: messageOf(error) };
	}
};

/**
 * The page at `/` and the JSON under `/_simulator/` that it reads. They never show an account's token.
 */
export function createConsole(simulator: SimulatorControl): ConsoleHandler {
	const routes = createRoutes(simulator);
	const tokens = [...simulator.accounts.values()].map(({ authToken }) => authToken);
	const hideTokens = (text: string): string =>
		tokens.reduce((hidden, token) => hidden.replaceAll(token, '[token]'), text);

	return (request, response) => {
		const { method = '', url: target = '' } = request;
		const [path, query] = target.split('?');
		const route = routes[`${method} ${path}`];
		if (path === '/' && method === 'GET') sendPage(response);
		else if (!path.startsWith('/_simulator/')) return false;
		else if (!route) sendJson(response, 404, '{"error":"the simulator has no such address"}');
		else {
			void Promise.resolve(route(new URLSearchParams(query))).then((answer) => {
				sendJson(response, 200, hideTokens(JSON.stringify(answer)));
			});
		}
		return true;
	};
}
