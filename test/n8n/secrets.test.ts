import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault, FaultRule, Simulator } from '../../simulator/index';
import { EXAMPLE_FORMS } from '../support/exampleForms';
import { issueCode } from '../support/verificationTokens';
import { request, send, signedAt } from '../../simulator/test/client';
import type { WorkflowDefinition } from '../harness/n8nRest';
import { until } from '../harness/until';
import { Calls } from '../harness/callResults';
import { findSecrets, collectTraces, type Secret } from './support/secretSearch';
import {
	beside,
	CALL,
	chain,
	hook,
	ours,
	resultTrigger,
	Startable,
	tell,
	waitingCall,
} from '../harness/waitWorkflows';
import { actionWorkflow, httpRequestNode, node, START } from '../harness/workflows';
import {
	credentialData,
	CREDENTIAL_TYPE,
	describeOnEachN8n,
	storeXmlCredential,
} from '../harness/world';
import './support/retry';

const DRIVE_LIMIT_MS = 10 * 60_000;
/** Milliseconds until a request gives up; the service stays silent for longer. */
const TIMEOUT = 2000;

const NUMBER = '13800000005';
// So long that no ID and no date holds such a code by chance.
const CODE = { resource: 'verificationCode', operation: 'send', to: NUMBER, codeLength: 8 };
const OPERATIONS = [
	...EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map((form) => ({
		resource: form.resource,
		operation: form.operation,
		...form.parameters,
		...(form.resource === CODE.resource && CODE),
	})),
	{ ...CODE, channel: 'sms', templateId: '100002' },
];
const ENDPOINTS = new Set(EXAMPLE_FORMS.flatMap(({ endpoint }) => endpoint ?? []));

/** How requests end badly; each once for the operations of {@link ENDING_BADLY}. */
const ENDS: Array<{ end: string; fault: FaultRule; onError?: 'continueRegularOutput' }> = [
	{ end: 'a refusal', fault: { kind: 'statusCode', statusCode: '111109' } },
	{
		end: 'an answer of somebody else',
		fault: { kind: 'http', status: 503, body: '<html>503</html>', contentType: 'text/html' },
		onError: 'continueRegularOutput',
	},
	{ end: 'silence', fault: { kind: 'silence' } },
	{
		end: 'an answer that nobody can read',
		fault: { kind: 'http', body: '{"statusCode":"0000', contentType: 'application/json' },
		onError: 'continueRegularOutput',
	},
];

/** One that calls, one whose answer holds secrets, and one whose request does. All share one client. */
const ENDING_BADLY = new Set(['call.notify', 'subAccount.create', 'verificationCode.send']);

/** Sub-accounts' secrets in what the service answers to one request of ours. */
async function subAccountSecrets(simulator: Simulator): Promise<Secret[]> {
	const { appId } = simulator.credentials;
	const timestamp = new Date(Date.now() + 8 * 3_600_000).toISOString().replace(/\D/g, '');
	const raw = request(simulator.credentials, 'GetSubAccounts', {
		appId,
		startNo: '0',
		offset: '100',
	});
	const signed = signedAt(raw, simulator.credentials, timestamp.slice(0, 14));
	const { body } = await send(simulator, signed);
	return [...body.matchAll(/"(subToken|voipPwd)":"([^"]+)"/g)].map(([, name, value]) => ({
		name,
		value,
	}));
}

const WRONG_TOKEN = randomBytes(16).toString('hex');

describeOnEachN8n(
	'Secrets',
	(world) => {
		const calls = new Calls(world);
		const executions: string[] = [];
		let elsewhere: Server;
		let visits = 0;
		let secrets: Secret[] = [];

		async function run(definition: WorkflowDefinition) {
			const { rest } = world().n8n;
			const execution = await rest.runToEnd(await rest.createWorkflow(definition), START);
			executions.push(execution.id);
			return execution;
		}

		const action = (
			parameters: Record<string, unknown>,
			onError?: 'continueRegularOutput',
			credential = world().credential,
		) =>
			actionWorkflow(
				credential,
				{ ...parameters, options: { timeout: TIMEOUT, ...omitting(parameters) } },
				{ onError },
			);

		const omitting = ({ resource, operation }: Record<string, unknown>) =>
			resource === 'subAccount' && operation !== 'close' ? { omitSecrets: true } : {};

		/** Faults that no request has met would hit a later one. */
		async function withFault(rule: FaultRule, work: () => Promise<unknown>): Promise<Fault> {
			const fault = world().simulator.fail(rule);
			await work();
			fault.remove();
			return fault;
		}

		async function driveOperations(): Promise<void> {
			const inXml = await storeXmlCredential(world());
			for (const parameters of OPERATIONS) {
				await run(action(parameters));
				await run(action(parameters, undefined, inXml));
				const name = `${parameters.resource}.${parameters.operation}`;
				for (const { fault, onError } of ENDING_BADLY.has(name) ? ENDS : []) {
					const { hits } = await withFault(
						fault,
						async () => await run(action(parameters, onError)),
					);
					expect([parameters.operation, fault.kind, hits()]).toEqual([
						parameters.operation,
						fault.kind,
						1,
					]);
				}
			}
		}

		/** Sends a code once more, by both channels, also where the service echoes it or is silent. */
		async function driveResends(): Promise<void> {
			const { token, code } = issueCode(world().simulator.credentials, NUMBER, 8);
			const echo = {
				kind: 'statusCode',
				statusCode: '160040',
				statusMsg: `验证码${code}`,
			} as const;
			const again = (parameters: Record<string, unknown>) =>
				actionWorkflow(world().credential, {
					...CODE,
					...parameters,
					options: { resendToken: token, timeout: TIMEOUT },
				});
			for (const parameters of [{}, { channel: 'sms', templateId: '100002' }]) {
				await run(again(parameters));
				for (const fault of [echo, { kind: 'silence' } as const]) {
					await withFault(fault, async () => await run(again(parameters)));
				}
			}
		}

		async function driveResults(): Promise<void> {
			const { n8n, credential } = world();
			const trigger = resultTrigger(credential);
			const call = ours(CALL, credential, {
				...OPERATIONS[0],
				resultDelivery: 'trigger',
				options: { userData: 'reported' },
			});
			const reports = await n8n.rest.createWorkflow(
				beside(chain('Reports', node(START, 'n8n-nodes-base.manualTrigger'), call), trigger),
			);
			await n8n.rest.activate(reports);
			executions.push((await n8n.rest.runToEnd(reports, START)).id);
			const reported = await calls.named('reported');
			expect(await calls.deliver(reported)).toBe(200);
			expect(
				await calls.deliver(reported, { url: reported.respUrl?.replace(/.....$/, 'xxxxx') }),
			).toBe(403);

			const waits = await Startable.activate(
				world(),
				chain('Waits', hook(), waitingCall(credential), tell(credential)),
			);
			await waits.start({ to: NUMBER, userData: 'waited' });
			const waited = await calls.parked('waited');
			expect(await calls.deliver(waited)).toBe(200);
			await calls.ended(waited);
			executions.push(calls.executionId(waited));
		}

		async function driveCredential(): Promise<void> {
			const { n8n, simulator } = world();
			for (const changes of [{}, { authToken: WRONG_TOKEN }]) {
				const data = credentialData(simulator, changes);
				const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
				const { status } = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
				expect(status).toBe('authToken' in changes ? 'Error' : 'OK');
			}
		}

		/** Sends each operation and the credential test to another host, by a redirect. */
		async function driveRedirects(): Promise<void> {
			const { n8n, simulator } = world();
			const { port } = elsewhere.address() as AddressInfo;
			const location = `http://127.0.0.1:${port}/`;
			for (const status of [301, 302, 303, 307, 308]) {
				const rule: FaultRule = { kind: 'http', status, body: '', headers: { location } };
				for (const parameters of status === 307 ? OPERATIONS : OPERATIONS.slice(0, 1)) {
					const { hits } = await withFault(rule, async () => await run(action(parameters)));
					expect(hits()).toBe(1);
				}
				const data = credentialData(simulator);
				const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, 'Redirected', data);
				await withFault(rule, async () => {
					const tested = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, 'Redirected', data);
					expect(tested.status).toBe('Error');
				});
			}
		}

		/** n8n's own HTTP Request node, with our credential, to another host. */
		async function driveForeignHost(): Promise<void> {
			const { port } = elsewhere.address() as AddressInfo;
			const http = {
				...httpRequestNode(`http://127.0.0.1:${port}/`, {}),
				credentials: { [CREDENTIAL_TYPE]: world().credential },
			};
			const start = node(START, 'n8n-nodes-base.manualTrigger');
			expect((await run(chain('Elsewhere', start, http))).status).toBe('error');
		}

		beforeAll(async () => {
			elsewhere = createServer((_request, response) => {
				visits++;
				response.end();
			});
			await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
			const { simulator } = world();
			simulator.configure({ checkAcknowledgements: false });
			simulator.seedSubAccounts(3);
			await driveOperations();
			await driveResends();
			await driveResults();
			await driveCredential();
			await driveRedirects();
			await driveForeignHost();

			const { requests } = simulator.record;
			secrets = [
				{ name: 'the token', value: simulator.credentials.authToken },
				{ name: 'a wrong token', value: WRONG_TOKEN },
				...requests.flatMap(({ sequence, fields }): Secret[] => {
					const code = String(fields.verifyCode ?? fields.datas?.[0]);
					return /^\d{8}$/.test(code) ? [{ name: `code ${sequence}`, value: code }] : [];
				}),
				...requests.flatMap(({ sequence, query, headers }): Secret[] => {
					const authorization = String(headers.authorization);
					return [
						{ name: `sig ${sequence}`, value: new URLSearchParams(query).get('sig') ?? '' },
						{ name: `Authorization ${sequence}`, value: authorization },
						{
							name: `Authorization ${sequence}, decoded`,
							value: Buffer.from(authorization, 'base64').toString(),
						},
					];
				}),
				...(await subAccountSecrets(simulator)),
			];
		}, DRIVE_LIMIT_MS);

		afterAll(() => elsewhere.close());

		test('secrets to look for come from every endpoint, and none is empty', () => {
			const { requests } = world().simulator.record;
			expect(new Set(requests.map(({ operation }) => operation)).size).toBe(ENDPOINTS.size);
			expect(secrets.filter(({ name }) => name.startsWith('code ')).length).toBeGreaterThan(8);
			expect(secrets.filter(({ value }) => value.length < 8)).toEqual([]);
			expect(secrets.filter(({ name }) => name === 'subToken').length).toBeGreaterThan(3);
			expect(secrets.filter(({ name }) => name === 'voipPwd').length).toBeGreaterThan(3);
			expect(secrets.length).toBeGreaterThan(3 * 60);
		});

		test('are in nothing that n8n stored, logged or printed', async () => {
			const traces = await collectTraces(world().n8n, executions);
			const places = [...traces.keys()];
			expect(places.filter((place) => /database\.sqlite/.test(place))).not.toEqual([]);
			expect(places.filter((place) => /\.log$/.test(place))).not.toEqual([]);
			expect(findSecrets(traces, secrets)).toEqual([]);
		});

		test('went to no other host', () => {
			expect(visits).toBe(0);
		});

		test('are found where they are: in the database, an execution, and both logs', async () => {
			const { n8n } = world();
			const planted: Secret = { name: 'planted', value: randomBytes(16).toString('hex') };
			await fetch(`${n8n.url}/webhook/${planted.value}`, { method: 'POST' });
			await run({
				...actionWorkflow(world().credential, OPERATIONS[3], { items: [{ note: planted.value }] }),
				name: 'Planted',
			});
			const places = [
				/^planted in .*database\.sqlite/,
				/^planted in execution /,
				/^planted in output$/,
				/^planted in .*\.log$/,
			];
			let findings: string[] = [];
			// What n8n prints and logs takes a moment to arrive.
			await until('the planted secret in all places', async () => {
				findings = findSecrets(await collectTraces(n8n, executions), [planted]);
				return places.every((place) => findings.some((each) => place.test(each))) || undefined;
			}).catch(() => undefined);
			for (const place of places) expect(findings).toContainEqual(expect.stringMatching(place));
		});
	},
	{ N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' },
);
