import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { hostileBodies, resultOf } from '../reliability/hostile';
import type { AcceptedCall } from '../simulator';
import type { StoredWorkflow } from './harness/n8nRest';
import { until } from './harness/until';
import { Calls, SILENT } from './support/calls';
import { chain, hook, Startable, tell, waitingCall } from './support/waiting';
import { triggerWorkflow } from './support/workflows';
import { describeOnEachN8n } from './support/world';

/** `FLOOD=10000` takes some minutes a version. */
const FLOOD = Number(process.env.FLOOD ?? 1_000);
const FLOOD_LIMIT_MS = 10 * 60_000;
const AT_ONCE = 50;
const HEALTH_EVERY_MS = 250;
/** Longer than n8n takes to start an execution after it has answered. */
const QUIET_MS = 3_000;
const MEGABYTE = 1024 * 1024;
/** Of the package, and of n8n itself where it has too much to do or is busy with the execution. */
const ANSWERS = [200, 400, 409, 503];
/** What n8n may need more after a flood than before it, in megabytes. */
const MOST_GROWTH = 500;

const LABELS: Array<Record<string, string>> = [
	{ 'content-type': 'text/plain' },
	{ 'content-type': 'application/octet-stream' },
	{},
];

describeOnEachN8n(
	'What an enemy delivers',
	(world) => {
		const calls = new Calls(world);
		let workflow: StoredWorkflow;
		let call: AcceptedCall;
		/** The trigger's address, and that of a waiting call with its signature. */
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

		/** What n8n answers, on a connection of its own; status 0 where it closes that instead. */
		async function exchanged(
			url: string,
			body: string | Buffer,
			{ method = 'POST', headers = {} as Record<string, string> } = {},
		): Promise<{ status: number; text: string }> {
			const outgoing = request(url, { method, headers, agent: false });
			outgoing.on('error', () => undefined);
			outgoing.end(body);
			try {
				const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
				const chunks: Buffer[] = [];
				for await (const chunk of response) chunks.push(chunk as Buffer);
				return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
			} catch {
				return { status: 0, text: '' };
			}
		}

		const statusOf = async (...what: Parameters<typeof exchanged>): Promise<number> =>
			(await exchanged(...what)).status;

		const got = async (path: string) =>
			await exchanged(`${world().n8n.url}${path}`, '', { method: 'GET' });

		async function expectNothingStarted(): Promise<void> {
			await sleep(QUIET_MS);
			expect(await world().n8n.rest.executionsOf(workflow)).toEqual([]);
			await calls.areParked(call);
			expect((await got('/healthz')).status).toBe(200);
		}

		test('unknown kinds, methods other than POST and tricks with headers neither', async () => {
			const good = JSON.stringify(resultOf(call.callSid));
			const [trigger] = addresses;
			const forged = addresses[1].replace(/ytSignature=../, 'ytSignature=00');
			for (const action of ['Hangup', 'sellingcall', 'SellingCall2', '__proto__', 'SMSArrived']) {
				const body = JSON.stringify({ ...resultOf(call.callSid), action });
				for (const url of addresses) expect(await statusOf(url, body)).toBe(200);
			}
			for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND']) {
				for (const url of addresses) {
					const status = await statusOf(url, method === 'GET' ? '' : good, { method });
					expect([method, status >= 400]).toEqual([method, true]);
				}
			}
			for (const headers of [
				{ 'x-http-method-override': 'POST' },
				{ 'content-encoding': 'gzip' },
				{ 'content-type': 'multipart/form-data; boundary=x' },
				{ 'content-type': 'application/json;charset=utf-7' },
				{ host: 'elsewhere.example.com', 'x-forwarded-host': 'elsewhere.example.com' },
			] as Array<Record<string, string>>) {
				expect(await statusOf(forged, good, { headers })).toBeGreaterThanOrEqual(400);
				const status = await statusOf(trigger, 'hello', { headers });
				expect(status).toBeGreaterThanOrEqual(400);
			}
			await expectNothingStarted();
		}, 120_000);

		test('large bodies, and small ones that unfold to large ones, neither', async () => {
			const good = JSON.stringify(resultOf(call.callSid));
			const padded = (bytes: number) => Buffer.from(good.padEnd(bytes, ' '));
			const unfolding = gzipSync(Buffer.alloc(256 * MEGABYTE, ' '));
			for (const url of addresses) {
				for (const headers of LABELS) {
					expect(await statusOf(url, padded(16 * MEGABYTE), { headers })).toBe(400);
				}
				// n8n ends the connection, or answers, as soon as it is too much.
				expect([0, 400, 413, 500]).toContain(await statusOf(url, padded(17 * MEGABYTE)));
				const headers = { 'content-encoding': 'gzip' };
				expect([0, 400, 413, 500]).toContain(await statusOf(url, unfolding, { headers }));
			}
			await expectNothingStarted();
		}, 180_000);

		/** Megabytes in use by n8n's process. */
		async function memory(): Promise<number> {
			const { text: metrics } = await got('/metrics');
			const [, bytes] = /^n8n_process_resident_memory_bytes (\S+)/m.exec(metrics) ?? [];
			return Number(bytes) / MEGABYTE;
		}

		test(
			`a flood of ${FLOOD} starts nothing, and n8n answers others meanwhile`,
			async () => {
				const bodies = Object.values(hostileBodies(call.callSid)).filter(
					(body) => body.length < 64 * 1024,
				);
				bodies.push(JSON.stringify({ ...resultOf('1'), action: 'Hangup' }));
				const before = await memory();
				const health: number[] = [];
				let isOver = false;
				const watch = (async () => {
					while (!isOver) {
						const start = Date.now();
						expect((await got('/healthz')).status).toBe(200);
						health.push(Date.now() - start);
						await sleep(HEALTH_EVERY_MS);
					}
				})();
				const statuses = new Map<number, number>();
				const start = Date.now();
				let next = 0;
				await Promise.all(
					Array.from({ length: AT_ONCE }, async () => {
						while (next < FLOOD) {
							const number = next++;
							// One in five is for the waiting call, for which n8n reads its database.
							const url = addresses[number % 5 === 0 ? 1 : 0];
							const status = await statusOf(url, bodies[number % bodies.length]);
							statuses.set(status, (statuses.get(status) ?? 0) + 1);
						}
					}),
				);
				const seconds = (Date.now() - start) / 1000;
				isOver = true;
				await watch;
				const growth = (await memory()) - before;
				const { version } = world().n8n.n8n;
				console.log(
					`n8n ${version}: ${FLOOD} hostile deliveries in ${seconds.toFixed(0)} s ` +
						`(${Math.round((FLOOD / seconds) * 60)} a minute), answers ${JSON.stringify([...statuses])}, ` +
						`health asked ${health.length} times, slowest ${Math.max(...health)} ms, ` +
						`memory ${Math.round(before)} MB before, ${Math.round(growth)} MB more after`,
				);
				expect([...statuses.keys()].filter((status) => !ANSWERS.includes(status))).toEqual([]);
				expect(health.length).toBeGreaterThan(0);
				expect(growth).toBeLessThan(MOST_GROWTH);
				await expectNothingStarted();
			},
			FLOOD_LIMIT_MS,
		);

		test('the honest results still do', async () => {
			const [trigger] = addresses;
			expect(await statusOf(trigger, JSON.stringify(resultOf('an honest one')))).toBe(200);
			await until('an execution', async () => {
				const started = await world().n8n.rest.executionsOf(workflow);
				return started.length === 1 || undefined;
			});
			expect(await calls.statusOf(call)).toBe(200);
			expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		}, 120_000);
	},
	{ N8N_METRICS: 'true' },
);
