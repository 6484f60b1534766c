import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies, buildCallResult } from '../support/hostile';
import type { AcceptedCall } from '../../simulator/index';
import type { StoredWorkflow } from '../harness/n8nRest';
import { until } from '../harness/until';
import { Calls, SILENT } from '../harness/callResults';
import { chain, hook, Startable, tell, waitingCall } from '../harness/waitWorkflows';
import { triggerWorkflow } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

/** `FLOOD=10000` takes some minutes a version. */
const FLOOD = Number(process.env.FLOOD ?? 300);
const FLOOD_LIMIT_MS = 10 * 60_000;
const AT_ONCE = 50;
const HEALTH_EVERY_MS = 250;
/** Longer than n8n takes to start an execution after it has answered. */
const QUIET_MS = 3_000;
/** Of the package, and of n8n itself where it has too much to do or is busy with the execution. */
const ANSWERS = [200, 400, 409, 503];

describeOnEachN8n('Hostile notifications', (world) => {
	const calls = new Calls(world);
	let workflow: StoredWorkflow;
	let call: AcceptedCall;
	/** The trigger's address, and that of a waiting call with its secret. */
	let addresses: string[];

	beforeAll(async () => {
		const { n8n, simulator, credential } = world();
		simulator.configure({ checkAcknowledgements: false });
		workflow = await n8n.rest.createWorkflow(triggerWorkflow());
		await n8n.rest.activate(workflow);
		const trigger = n8n.rest.triggerUrl((await n8n.rest.workflow(workflow.id)).nodes[0]);
		const waiting = await Startable.activate(
			world(),
			chain('Wait', hook(), waitingCall(credential), tell(credential)),
		);
		const userData = calls.nextName();
		await waiting.start({ to: SILENT, userData });
		call = await calls.parked(userData);
		addresses = [trigger, call.respUrl ?? ''];
	}, 120_000);

	/** The status that n8n answers with, on a connection of its own; 0 where it closes that instead. */
	async function post(
		url: string,
		body: string | Buffer,
		{ method = 'POST', headers = {} as Record<string, string> } = {},
	): Promise<number> {
		const outgoing = request(url, { method, headers, agent: false });
		outgoing.on('error', () => undefined);
		outgoing.end(body);
		try {
			const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
			await text(response);
			return response.statusCode ?? 0;
		} catch {
			return 0;
		}
	}

	const health = async () => await post(`${world().n8n.url}/healthz`, '', { method: 'GET' });

	async function expectNothingStarted(): Promise<void> {
		await sleep(QUIET_MS);
		expect(await world().n8n.rest.listExecutions(workflow)).toEqual([]);
		await calls.areParked(call);
		expect(await health()).toBe(200);
	}

	test(
		`start nothing as a flood of ${FLOOD}, and n8n still answers others`,
		async () => {
			const bodies = Object.values(hostileBodies(call.callSid)).filter(
				(body) => body.length < 64 * 1024,
			);
			bodies.push(JSON.stringify({ ...buildCallResult('1'), action: 'Hangup' }));
			const statuses = new Set<number>();
			let next = 0;
			const flood = Array.from({ length: AT_ONCE }, async () => {
				while (next < FLOOD) {
					const number = next++;
					// One in five is for the waiting call, for which n8n reads its database.
					const url = addresses[number % 5 === 0 ? 1 : 0];
					statuses.add(await post(url, bodies[number % bodies.length]));
				}
			});
			while (next < FLOOD) {
				expect(await health()).toBe(200);
				await sleep(HEALTH_EVERY_MS);
			}
			await Promise.all(flood);
			expect([...statuses].filter((status) => !ANSWERS.includes(status))).toEqual([]);
			await expectNothingStarted();
		},
		FLOOD_LIMIT_MS,
	);

	test('leave honest results welcome', async () => {
		const [trigger] = addresses;
		expect(await post(trigger, JSON.stringify(buildCallResult('an honest one')))).toBe(200);
		await until('an execution', async () => {
			const started = await world().n8n.rest.listExecutions(workflow);
			return started.length === 1 || undefined;
		});
		expect(await calls.deliver(call)).toBe(200);
		expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
	}, 120_000);
});
