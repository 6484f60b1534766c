import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { NUMBER_TABLE } from '../callResults';
import { messageOf } from '../errors';
import type { SimulatorControl } from '../simulator';
import { readCallResult, readCount, readFault, readPlan, readSettings } from './input';
import { CONSOLE_PAGE, PAGE_POLICY } from './page';

/** Answers requests to the console. @returns whether this was one */
export type ConsoleHandler = (
	request: IncomingMessage,
	response: ServerResponse,
	body: Buffer,
) => boolean;

type Answer = (input: unknown, query: URLSearchParams) => unknown;

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

const explain = (error: unknown): string => {
	if (error instanceof z.ZodError) {
		return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
	}
	return messageOf(error);
};

/** JSON has no Infinity; null stands for "no limit", here and in `input.ts`. */
const finiteSettings = (simulator: SimulatorControl) => {
	const settings = simulator.settings();
	const { recordLimit } = settings;
	return { ...settings, recordLimit: Number.isFinite(recordLimit) ? recordLimit : null };
};

const createRoutes = (simulator: SimulatorControl): Readonly<Record<string, Answer>> => ({
	'GET /_simulator/record': (_input, query) => ({
		...simulator.changesSince(Number(query.get('after') ?? 0)),
		violations: simulator.violations(),
	}),
	'GET /_simulator/settings': () => finiteSettings(simulator),
	'GET /_simulator/numbers': () =>
		NUMBER_TABLE.map(({ lastDigit, words }) => ({ lastDigit, words })),
	'POST /_simulator/settings': (input) => {
		simulator.configure(readSettings(input));
		return finiteSettings(simulator);
	},
	'POST /_simulator/reset': () => {
		simulator.reset();
		return { reset: true };
	},
	'POST /_simulator/call-results': async (input) => {
		const { callSid, overrides } = readCallResult(input);
		return await simulator.sendCallResult(callSid, overrides);
	},
	'POST /_simulator/plans': (input) => {
		const { number, results } = readPlan(input);
		simulator.planCalls(number, results);
		return { planned: true };
	},
	'POST /_simulator/faults': (input) => {
		simulator.fail(readFault(input));
		return { added: true };
	},
	'POST /_simulator/sub-accounts': (input) => {
		simulator.seedSubAccounts(readCount(input));
		return { added: true };
	},
});

/**
 * The page at `/` and the JSON interface under `/_simulator/`. They never show an account's token.
 */
export function createConsole(simulator: SimulatorControl): ConsoleHandler {
	const routes = createRoutes(simulator);
	const tokens = [...simulator.accounts.values()].map(({ authToken }) => authToken);
	const hideTokens = (text: string): string =>
		tokens.reduce((hidden, token) => hidden.replaceAll(token, '[token]'), text);

	const answer = async (
		route: Answer,
		body: Buffer,
		query: URLSearchParams,
		response: ServerResponse,
	): Promise<void> => {
		try {
			const input: unknown = body.length > 0 ? JSON.parse(body.toString('utf8')) : {};
			const output = await route(input, query);
			sendJson(response, 200, hideTokens(JSON.stringify(output)));
		} catch (error) {
			sendJson(response, 400, JSON.stringify({ error: explain(error) }));
		}
	};

	return (request, response, body) => {
		const { method = '', url: target = '' } = request;
		const [path, query] = target.split('?');
		if (path === '/' && method === 'GET') sendPage(response);
		else if (path.startsWith('/_simulator/')) {
			const route = routes[`${method} ${path}`];
			if (route) void answer(route, body, new URLSearchParams(query), response);
			else sendJson(response, 404, JSON.stringify({ error: 'the simulator has no such address' }));
		} else return false;
		return true;
	};
}
