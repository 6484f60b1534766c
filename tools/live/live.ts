/**
 * Asks the live service, and shows how its answers differ from the simulator's:
 *
 *     npm run live [-- --to <number> --result-url <URL>]
 *
 * With these options it also makes one voice notification call, which costs money, and waits for its
 * result. The credential comes from environment variables: see CONTRIBUTING.md. Nothing that is shown
 * holds a value of an answer. Exit code: 0 if everything is as it is on the simulator, 1 if not.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { readNotifications } from '../../nodes/Yuntongxun/callbacks/readNotifications';
import { ACKNOWLEDGEMENT } from '../../nodes/Yuntongxun/callbacks/webhookExchange';
import { createClient } from '../../nodes/Yuntongxun/client/client';
import type { HttpHelper } from '../../nodes/Yuntongxun/client/client';
import { parseCredential } from '../../nodes/Yuntongxun/client/credential';
import type { Answer } from '../../nodes/Yuntongxun/client/request';
import { signRequest } from '../../nodes/Yuntongxun/client/signing';
import { findOperation } from '../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { startSimulator, type Simulator } from '../../simulator/index';
import { compareShapes, describeShape, type Shape } from './shape';

/** The credential of an account, as a stored credential of n8n holds it. */
type LiveCredential = Record<'accountSid' | 'authToken' | 'appId' | 'baseUrl', string>;

/** A call to make, and where its result arrives. */
interface LiveCall {
	readonly to: string;
	/** Public address that leads to `port` of this machine, such as that of a tunnel. */
	readonly resultUrl: string;
	readonly port: number;
}

/** Compares two shapes, and tells how they differ. */
type Compare = (title: string, live: Shape, simulated: Shape) => void;

/** Where the result of a call has to arrive on this machine. */
const PORT = 8899;
/** Records of a list that are looked at; on the simulator one more exists if there are more. */
const PAGE = 3;
const TIMEOUT_MS = 30_000;
const RESULT_LIMIT_MS = 5 * 60_000;
/** Calls of the simulator to it are answered. */
const ANSWERED_NUMBER = '13800000000';
const READ_AS = '(read by the package as)';

/** What came back for one request of the package; it has an answer only if it succeeded. */
interface Asked {
	readonly shape: Shape;
	readonly answer?: Answer;
}

/** Makes one request with the package's own service client. */
async function ask(
	credential: LiveCredential,
	wireFormat: 'json' | 'xml',
	[resource, operation]: readonly [resource: string, operation: string],
	fields: Record<string, string>,
): Promise<Asked> {
	const stored = { ...credential, softVersion: '2013-12-26', wireFormat };
	let shape: Shape = new Map([['(answer)', 'none']]);
	const exchange: HttpHelper = async (unsigned) => {
		const { url, qs, method, headers, body } = signRequest(stored, unsigned, new Date());
		const target = `${url}?${new URLSearchParams(qs as Record<string, string>)}`;
		const sent = httpsRequest(target, { method, headers: headers as Record<string, string> });
		sent.end(body);
		const [answer] = (await once(sent, 'response')) as [IncomingMessage];
		const bytes = await buffer(answer);
		shape = new Map([
			['(HTTP status)', String(answer.statusCode)],
			['(Content-Type)', answer.headers['content-type'] ?? 'none'],
			...describeShape(bytes.toString('utf8')),
		]);
		return { statusCode: answer.statusCode ?? 0, body: Readable.from([bytes]) };
	};
	const send = createClient(parseCredential(stored), exchange, TIMEOUT_MS);
	const endpoint = findOperation(RESOURCES, resource, operation)?.endpoint;
	if (!endpoint) throw new Error(`The package has no operation ${resource} ${operation}`);
	const isPost = endpoint.root !== undefined;
	try {
		const all = { ...(isPost && { appId: credential.appId }), ...fields };
		const answer = await send({ endpoint, fields: all });
		return { shape: new Map([...shape, [READ_AS, 'success']]), answer };
	} catch (error) {
		return { shape: new Map([...shape, [READ_AS, (error as Error).message]]) };
	}
}

/** Acknowledges the next result of a call. */
async function receiveResult(server: Server): Promise<Shape> {
	const signal = AbortSignal.timeout(RESULT_LIMIT_MS);
	const arrived = await once(server, 'request', { signal });
	const [request, response] = arrived as [IncomingMessage, ServerResponse];
	const body = await buffer(request);
	response.end(ACKNOWLEDGEMENT);
	const events = (readNotifications(body) ?? []).map(({ event }) => event);
	return new Map([
		['(Content-Type)', request.headers['content-type'] ?? 'none'],
		...describeShape(body.toString('utf8')),
		[READ_AS, events.join(', ') || 'no result'],
	]);
}

const getAccount = ({ credentials, url }: Simulator): LiveCredential => ({
	...credentials,
	baseUrl: url,
});

/** What only reads, in both formats. */
async function compareReading(live: LiveCredential, simulator: Simulator, compare: Compare) {
	const page = { startNo: '0', offset: String(PAGE) };
	for (const format of ['json', 'xml'] as const) {
		const account = await ask(live, format, ['account', 'get'], {});
		const simulated = await ask(getAccount(simulator), format, ['account', 'get'], {});
		compare(`The account, ${format.toUpperCase()}`, account.shape, simulated.shape);

		const list = await ask(live, format, ['subAccount', 'getAll'], page);
		// None, one and several sub-accounts look different.
		simulator.seedSubAccounts(Math.min(Number(list.answer?.text('totalCount')) || 0, PAGE + 1));
		const other = await ask(getAccount(simulator), format, ['subAccount', 'getAll'], page);
		compare(`The first sub-accounts, ${format.toUpperCase()}`, list.shape, other.shape);
	}
}

async function compareCalls(
	live: LiveCredential,
	simulator: Simulator,
	{ to, resultUrl, port }: LiveCall,
	compare: Compare,
): Promise<void> {
	const server = createServer().listen(port, '127.0.0.1');
	const place = async (who: LiveCredential, number: string, respUrl: string) => {
		const result = receiveResult(server);
		const mediaTxt = '这是一个测试电话。This is a test call.';
		const fields = { to: number, mediaTxt, respUrl, userData: 'n8n-nodes-yuntongxun' };
		const { shape, answer } = await ask(who, 'json', ['call', 'notify'], fields);
		if (!answer) throw new Error(`The call was not made: ${shape.get(READ_AS)}`);
		return { shape, result: await result };
	};
	const placed = await place(live, to, resultUrl);
	const here = `http://127.0.0.1:${port}/`;
	const other = await place(getAccount(simulator), ANSWERED_NUMBER, here);
	compare('A voice notification call', placed.shape, other.shape);
	compare('The result of the call', placed.result, other.result);
	server.close();
}

/**
 * Asks the live service with the package's own client and the simulator the same, and tells where
 * the shapes of their answers differ.
 *
 * @param tell shows lines
 * @param call to make as well; it costs money
 * @returns whether everything is as it is on the simulator
 */
async function askLive(
	live: LiveCredential,
	simulator: Simulator,
	tell: (text: string) => void,
	call?: LiveCall,
): Promise<boolean> {
	let isSame = true;
	const compare: Compare = (title, ...shapes) => {
		const lines = compareShapes(...shapes);
		const { length } = lines.filter((line) => line.startsWith('≠'));
		isSame &&= length === 0;
		tell([`\n${title}: ${length} differences`, ...lines].join('\n'));
	};
	tell(`Asking ${new URL(live.baseUrl).origin}. Reading changes nothing.`);
	await compareReading(live, simulator, compare);
	if (call) await compareCalls(live, simulator, call, compare);
	return isSame;
}

/** The credential that the environment names. */
function readCredential(): LiveCredential {
	const [accountSid, authToken, appId] = ['ACCOUNT_SID', 'AUTH_TOKEN', 'APP_ID'].map((name) => {
		const value = process.env[`YUNTONGXUN_${name}`]?.trim();
		if (!value) throw new Error(`Not set: YUNTONGXUN_${name}`);
		return value;
	});
	const { YUNTONGXUN_BASE_URL: baseUrl = 'https://app.cloopen.com:8883' } = process.env;
	return { accountSid, authToken, appId, baseUrl };
}

async function main(): Promise<number> {
	const options = { to: { type: 'string' }, 'result-url': { type: 'string' } } as const;
	const { to, 'result-url': resultUrl } = parseArgs({ options }).values;
	if (!to !== !resultUrl) throw new Error('A call needs both --to and --result-url');
	const call = to && resultUrl ? { to, resultUrl, port: PORT } : undefined;
	const credential = readCredential();
	const simulator = await startSimulator({ callResultDelayMs: 0 });
	return (await askLive(credential, simulator, console.log, call)) ? 0 : 1;
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
