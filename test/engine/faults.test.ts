import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSimulator, type FaultRule, type Simulator } from '../../simulator/index';
import { CONTINUE, runNode } from '../support/engine';
import { getJson, readReport } from '../support/expectations';
import { listKeptSecrets } from '../support/secrets';
import { EXAMPLE_NUMBER, exampleForm, toParameters } from '../support/exampleForms';

/*
 * What can go wrong between n8n's own HTTP helper and the service, for a call, an SMS and a request that
 * only reads. What each name of a failure means is decided by unit/client/failureTable, what an answer
 * says by unit/client/decode, and what is sent again by engine/retry.
 */

/** What has to come of it: a result, or what the failure says about acceptance. */
type Consequence = 'success' | 'no' | 'unknown' | 'yes';

interface Fault {
	/** At an address where no service is; otherwise the service itself misbehaves. */
	address?: (socket: Socket) => unknown;
	certificate?: Parameters<typeof startSimulator>[0];
	url?: string;
	rule?: FaultRule;
	then: Consequence;
	says?: RegExp;
	isSlow?: true;
}

const UNREADABLE = /could not be read/;
const CERTIFICATE = /certificate is not valid/;
const INCOMPLETE = /No complete answer/;
const OTHER_CA = mkdtempSync(join(tmpdir(), 'other-ca-'));
const MEGABYTES = 5;

const page = (status: number, more: object = {}): FaultRule => ({
	kind: 'http',
	status,
	body: `<html><title>${status}</title>Sorry<br></html>`,
	contentType: 'text/html',
	...more,
});
const http = (more: object): FaultRule => ({ kind: 'http', accept: true, ...more });
const CLEAR = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const ELSEWHERE = 'https://{elsewhere}/2013-12-26/AccountInfo';

const FAULTS: Record<string, Fault> = {
	'nobody listens at the address': {
		url: 'https://127.0.0.1:9',
		then: 'no',
		says: /cannot be reached/,
	},
	'the name of the address does not exist': {
		url: 'https://yuntongxun.invalid:8883',
		then: 'no',
		says: /not known/,
	},
	'the certificate has expired': {
		certificate: { certificateDefect: 'expired' },
		then: 'no',
		says: CERTIFICATE,
	},
	'the certificate is for another host': {
		certificate: { certificateDefect: 'otherHost' },
		then: 'no',
		says: CERTIFICATE,
	},
	'the certificate is from an unknown issuer': {
		certificate: { caFolder: OTHER_CA },
		then: 'no',
		says: CERTIFICATE,
	},
	'the service takes no version of TLS that this n8n speaks': {
		address: (socket) =>
			socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 70]))),
		then: 'no',
		says: /encrypted connection/,
	},
	'the address speaks without encryption': {
		address: (socket) => socket.end(CLEAR),
		then: 'no',
		says: /encrypted connection/,
	},
	'the connection is closed before it is encrypted': {
		address: (socket) => socket.once('data', () => socket.end()),
		then: 'no',
		says: /encrypted connection/,
	},
	'the connection is reset before it is encrypted, which reads like a reset after the request': {
		address: (socket) => socket.once('data', () => socket.resetAndDestroy()),
		then: 'unknown',
		says: /No complete/,
	},
	'a reset, and nothing was accepted': { rule: { kind: 'reset' }, then: 'unknown', says: INCOMPLETE },
	'a reset, though it was accepted': {
		rule: { kind: 'reset', accept: true },
		then: 'unknown',
		says: INCOMPLETE,
	},
	'no answer, though it was accepted': {
		rule: { kind: 'silence', accept: true },
		then: 'unknown',
		says: /in time/,
		isSlow: true,
	},
	'an answer byte by byte that does not end in time': {
		rule: http({ dripMs: 1000 }),
		then: 'unknown',
		says: /in time/,
		isSlow: true,
	},
	'a redirect to another host': {
		rule: page(307, { headers: { Location: ELSEWHERE } }),
		then: 'no',
		says: /redirects to another one \(HTTP 307\)/,
	},
	'HTTP 204': { rule: http({ status: 204 }), then: 'unknown', says: UNREADABLE },
	'HTTP 403 with a page': { rule: page(403), then: 'no', says: /\(HTTP 403\)/ },
	'HTTP 404 with a page': { rule: page(404), then: 'no', says: /\(HTTP 404\)/ },
	'HTTP 502 with a page': {
		rule: page(502, { accept: true }),
		then: 'unknown',
		says: /\(HTTP 502\)/,
	},
	'HTTP 500 with the answer of a success': { rule: http({ status: 500 }), then: 'success' },
	'an answer in chunks': { rule: http({ chunked: true }), then: 'success' },
	'an empty body': { rule: http({ body: '' }), then: 'unknown', says: UNREADABLE },
	'the connection ends in the body': {
		rule: http({ cutAfter: 20 }),
		then: 'unknown',
		says: /No complete|read/,
	},
	'half of a body': {
		rule: http({ body: '{"statusCode":"0000', contentType: 'application/json' }),
		then: 'unknown',
		says: UNREADABLE,
	},
	'an answer labelled as a picture': { rule: http({ contentType: 'image/png' }), then: 'success' },
	'compressed, and labelled so': {
		rule: http({ compressed: true, headers: { 'Content-Encoding': 'gzip' } }),
		then: 'success',
	},
	'labelled as compressed, but plain': {
		rule: http({ headers: { 'Content-Encoding': 'gzip' } }),
		then: 'unknown',
		says: /No complete|read/,
	},
	'000000 without a result': {
		rule: http({ body: '{"statusCode":"000000"}', contentType: 'application/json' }),
		then: 'yes',
		says: /its answer lacks/,
	},
	'a body that is too long': {
		rule: http({ body: ' '.repeat(MEGABYTES * 1024 * 1024) }),
		then: 'unknown',
		says: /too long/,
	},
	'a code of the service': {
		rule: { kind: 'statusCode', statusCode: '112349' },
		then: 'no',
		says: /\(code 112349\)\. \S/,
	},
};

const SEVERAL = [EXAMPLE_NUMBER, '13900000005', '13700000005'].join(',');
const OPERATIONS = [
	{ resource: 'call', name: 'notify', to: EXAMPLE_NUMBER, id: 'callSid', wireFormat: 'json' },
	{ resource: 'sms', name: 'send', to: SEVERAL, id: 'smsMessageSid', wireFormat: 'xml' },
	{ resource: 'account', name: 'get', id: 'friendlyName', wireFormat: 'json' },
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

/** Runs the three operations at the same moment, and tells all that is not as it has to be. */
async function findDeviations(fault: Fault): Promise<string[]> {
	const simulator = await startSimulator(fault.certificate);
	simulators.push(simulator);
	const elsewhere = await listen((socket) => {
		visits++;
		socket.destroy();
	});
	if (fault.rule) {
		const rule = JSON.parse(
			JSON.stringify(fault.rule).replace('{elsewhere}', elsewhere),
		) as FaultRule;
		simulator.fail({ ...rule, times: Infinity });
	}
	const baseUrl =
		fault.url ?? (fault.address ? `https://${await listen(fault.address)}` : simulator.url);
	const isReached = fault.rule !== undefined;
	const runs = OPERATIONS.map(async ({ resource, name, to = '', id, wireFormat }) => {
		const { options, ...form } = toParameters(exampleForm(resource, name));
		const run = await runNode({
			parameters: {
				...form,
				...(to && { to }),
				options: { ...(options as object), timeout: fault.isSlow ? 5000 : 120_000 },
			},
			settings: CONTINUE,
			credential: { ...simulator.credentials, baseUrl, softVersion: '2013-12-26', wireFormat },
		});
		const items = getJson(run);
		const requests = simulator.record.requests.filter(({ fields }) => (fields.to ?? '') === to);
		const found = [
			[items.length !== 1, `${items.length} items`],
			[requests.length !== Number(isReached), `${requests.length} requests`],
			[requests.some(({ violations }) => violations.length > 0), 'the request breaks a rule'],
			[listKeptSecrets(run, simulator).length > 0, 'a secret is in it'],
		];
		if (items[0].error === undefined) {
			const wrong = fault.then !== 'success' || !items[0][id];
			return [...found, [wrong, `a result: ${JSON.stringify(items)}`]];
		}
		const report = readReport(items[0]);
		const changes = to !== '';
		return [
			...found,
			[fault.then === 'success', `a failure: ${report.message}`],
			[!fault.says?.test(report.message), `it says: ${report.message}`],
			[report.to !== (to || undefined), `to: ${report.to}`],
			[report.accepted !== (changes ? fault.then : undefined), `accepted: ${report.accepted}`],
			// Whatever this table says, the service's own record is the witness.
			[report.accepted === 'no' && requests.some(({ accepted }) => accepted), 'it was accepted'],
		];
	});
	const checks = (await Promise.all(runs)).map((found, index) =>
		found
			.filter(([isWrong]) => isWrong)
			.map(([, words]) => `${OPERATIONS[index].name}: ${String(words)}`),
	);
	return checks.flat();
}

let deviations: Record<string, Promise<string[]>> = {};
beforeAll(() => {
	const run = ([name, fault]: [string, Fault]) => [name, findDeviations(fault)] as const;
	const faults = Object.entries(FAULTS);
	deviations = Object.fromEntries(faults.filter(([, { isSlow }]) => !isSlow).map(run));
	// What reaches the service late, because others keep this process busy, spoils the count.
	const over = Promise.allSettled(Object.values(deviations));
	for (const [name, fault] of faults.filter(([, { isSlow }]) => isSlow)) {
		deviations[name] = over.then(async () => await findDeviations(fault));
	}
});
afterAll(async () => {
	for (const server of servers) server.close();
	await Promise.all(simulators.map(async (simulator) => await simulator.stop()));
	rmSync(OTHER_CA, { recursive: true });
});

it.each(Object.keys(FAULTS))('a failure tells the truth: %s', async (name) => {
	expect(await deviations[name]).toEqual([]);
});

it('nobody but the service hears of a request', async () => {
	await Promise.all(Object.values(deviations));
	expect(visits).toBe(0);
});
