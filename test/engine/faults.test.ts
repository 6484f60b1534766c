import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSimulator, type FaultRule, type Simulator } from '../../simulator/index';
import { CONTINUE, runNode } from '../support/engine';
import { EXAMPLE_NUMBER, exampleForm, toParameters } from '../support/exampleForms';
import { getJson, readReport } from '../support/expectations';
import { listKeptSecrets } from '../support/secrets';

/*
 * What can go wrong between n8n's own HTTP helper and the service, for a call, an SMS and a request that
 * only reads. What each name of a failure means is decided by unit/client/failureTable, what an answer
 * says by unit/client/answerCorpus, and what is sent again by engine/retry.
 */

/** At an address where no service is, or the service itself misbehaves. */
interface Cause {
	url?: string;
	address?: (socket: Socket) => unknown;
	certificate?: Parameters<typeof startSimulator>[0];
	rule?: FaultRule;
	isSlow?: true;
}

/** What has to come of it: a result, or what the failure says about acceptance. */
type Consequence = 'success' | 'no' | 'unknown';

const OTHER_CA = mkdtempSync(join(tmpdir(), 'other-ca-'));
const CLEAR = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const MEGABYTE = 1024 * 1024;
const OLD_TLS = Buffer.from([0x15, 3, 3, 0, 2, 2, 70]);
const GZIP = { 'Content-Encoding': 'gzip' };
const REDIRECT = { Location: 'https://{elsewhere}/2013-12-26/AccountInfo' };

const accepting = (more: object): Cause => ({ rule: { kind: 'http', accept: true, ...more } });
const afterHello = (end: (socket: Socket) => unknown): Cause => ({
	address: (socket) => socket.once('data', () => end(socket)),
});

const FAULTS: Array<[what: string, then: Consequence, says: RegExp, cause: Cause]> = [
	['nobody listens at the address', 'no', /cannot be reached/, { url: 'https://127.0.0.1:9' }],
	[
		'the name does not exist',
		'no',
		/cannot be reached/,
		{ url: 'https://yuntongxun.invalid:8883' },
	],
	['an expired certificate', 'no', /not valid/, { certificate: { hasExpiredCertificate: true } }],
	['a certificate of nobody known', 'no', /not valid/, { certificate: { caFolder: OTHER_CA } }],
	['another version of TLS', 'no', /encrypted/, afterHello((socket) => socket.end(OLD_TLS))],
	['no encryption', 'no', /encrypted/, { address: (socket) => socket.end(CLEAR) }],
	['closed before it is encrypted', 'no', /encrypted/, afterHello((socket) => socket.end())],
	// It reads like a reset after the request.
	['reset before that', 'unknown', /No complete/, afterHello((socket) => socket.resetAndDestroy())],
	['a reset, though accepted', 'unknown', /No complete/, { rule: { kind: 'reset', accept: true } }],
	[
		'no answer, though accepted',
		'unknown',
		/in time/,
		{ rule: { kind: 'silence', accept: true }, isSlow: true },
	],
	[
		'an answer byte by byte',
		'unknown',
		/in time/,
		{ ...accepting({ dripMs: 1000 }), isSlow: true },
	],
	[
		'a redirect to another host',
		'no',
		/in front of the service .*\(HTTP 307\)/,
		{ rule: { kind: 'http', status: 307, body: 'Sorry', headers: REDIRECT } },
	],
	['HTTP 500 with the answer of a success', 'success', /./, accepting({ status: 500 })],
	['an answer in chunks', 'success', /./, accepting({ chunked: true })],
	['the connection ends in the body', 'unknown', /No complete|read/, accepting({ cutAfter: 20 })],
	['compressed', 'success', /./, accepting({ compressed: true, headers: GZIP })],
	['labelled so, but plain', 'unknown', /No complete|read/, accepting({ headers: GZIP })],
	[
		'a body that is too long',
		'unknown',
		/No complete/,
		accepting({ body: ' '.repeat(5 * MEGABYTE) }),
	],
];

const SEVERAL = [EXAMPLE_NUMBER, '13900000005', '13700000005'].join(',');
const OPERATIONS = [
	{ resource: 'call', name: 'notify', to: EXAMPLE_NUMBER, id: 'callSid', wireFormat: 'json' },
	{ resource: 'sms', name: 'send', to: SEVERAL, id: 'smsMessageSid', wireFormat: 'xml' },
	{ resource: 'account', name: 'get', to: '', id: 'friendlyName', wireFormat: 'json' },
];

let visits = 0;
const servers: Server[] = [];
const simulators: Simulator[] = [];

async function listen(meet: (socket: Socket) => unknown): Promise<string> {
	const server = createServer((socket) => meet(socket.on('error', () => undefined)));
	servers.push(server.listen(0, '127.0.0.1'));
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The service as a fault has it, and the address to send to. */
async function prepare({ certificate, rule, url, address }: Cause) {
	const simulator = await startSimulator(certificate);
	simulators.push(simulator);
	const elsewhere = await listen((socket) => {
		visits++;
		socket.destroy();
	});
	if (rule) {
		const text = JSON.stringify(rule).replace('{elsewhere}', elsewhere);
		simulator.fail({ ...(JSON.parse(text) as FaultRule), times: Infinity });
	}
	const baseUrl = url ?? (address ? `https://${await listen(address)}` : simulator.url);
	return { simulator, baseUrl };
}

/** Runs the three operations at the same moment, and tells all that is not as it has to be. */
async function findDeviations(then: Consequence, says: RegExp, cause: Cause): Promise<string[]> {
	const { simulator, baseUrl } = await prepare(cause);
	const runs = OPERATIONS.map(async ({ resource, name, to, id, wireFormat }) => {
		const { options, ...form } = toParameters(exampleForm(resource, name));
		const timeout = cause.isSlow ? 5000 : 120_000;
		const run = await runNode({
			parameters: { ...form, ...(to && { to }), options: { ...(options as object), timeout } },
			settings: CONTINUE,
			credential: { ...simulator.credentials, baseUrl, softVersion: '2013-12-26', wireFormat },
		});
		const [json, ...more] = getJson(run);
		const requests = simulator.record.requests.filter(({ fields }) => (fields.to ?? '') === to);
		const found: Array<[isWrong: boolean, words: string]> = [
			[more.length > 0, 'several items'],
			[requests.length !== (cause.rule ? 1 : 0), `${requests.length} requests`],
			[requests.some(({ violations }) => violations.length > 0), 'the request breaks a rule'],
			[listKeptSecrets(run, simulator).length > 0, 'a secret is in it'],
		];
		if (then === 'success') found.push([!json[id], `no result: ${JSON.stringify(json)}`]);
		else {
			const report = readReport(json);
			const isAccepted = requests.some(({ accepted }) => accepted);
			found.push(
				[!says.test(report.message), `it says: ${report.message}`],
				[report.to !== (to || undefined), `to: ${report.to}`],
				[report.accepted !== (to ? then : undefined), `accepted: ${report.accepted}`],
				// Whatever this table says, the service's own record is the witness.
				[report.accepted === 'no' && isAccepted, 'it was accepted'],
			);
		}
		return found.filter(([isWrong]) => isWrong).map(([, words]) => `${name}: ${words}`);
	});
	return (await Promise.all(runs)).flat();
}

const deviations = new Map<string, Promise<string[]>>();
beforeAll(() => {
	const [quick, slow] = [undefined, true].map((kind) =>
		FAULTS.filter(([, , , { isSlow }]) => isSlow === kind),
	);
	for (const [what, ...fault] of quick) deviations.set(what, findDeviations(...fault));
	// What reaches the service late, because others keep this process busy, spoils the count.
	const over = Promise.allSettled([...deviations.values()]);
	for (const [what, ...fault] of slow) {
		deviations.set(
			what,
			over.then(async () => await findDeviations(...fault)),
		);
	}
});
afterAll(async () => {
	for (const server of servers) server.close();
	await Promise.all(simulators.map(async (simulator) => await simulator.stop()));
	rmSync(OTHER_CA, { recursive: true });
});

it.each(FAULTS)('a failure tells the truth: %s', async (what) => {
	expect(await deviations.get(what)).toEqual([]);
});

it('a request goes to the service and to nobody else', async () => {
	await Promise.all(deviations.values());
	expect(visits).toBe(0);
});
