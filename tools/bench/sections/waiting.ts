import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/harness/until';
import type {
	StoredWorkflow,
	WorkflowDefinition,
	WorkflowNode,
} from '../../../test/harness/n8nRest';
import { chain, hook, HOOK } from '../../../test/harness/waitWorkflows';
import { node } from '../../../test/harness/workflows';
import { CREDENTIAL_TYPE } from '../../../test/harness/world';
import { LATENCY_MS, listening, type Arena } from '../arena';
import { followPeakMemory } from '../memory';
import { atMost, duration, type Section } from '../report';

const MANY = 500;
const EXECUTIONS = 200;
/** From the acceptance of a call to its result. */
const RESULT_AFTER_MS = 1500;
/** A busy n8n 2 takes long to answer; how long the service waits is not known. */
const PATIENCE_MS = 60_000;
const LIMIT_MS = 5 * 60_000;
const EVERY_MS = 200;

/** What became of the executions of one workflow. */
interface Outcome {
	/** Until half of the calls were placed, in milliseconds. */
	halfPlaced: number;
	lastPlaced: number;
	ended: number;
	missing: number;
	megabytes: number;
}

/** Waiting for many in one execution, and in many executions at once, beside floors. */
export async function waitingSection(arena: Arena): Promise<Section> {
	const none = await measured(arena, buildListWorkflow(arena, 'none'), 1, MANY);
	const wait = await measured(arena, buildListWorkflow(arena, 'wait'), 1, MANY);
	const deliveries = await flood(arena, MANY);
	const ideal = none.ended + RESULT_AFTER_MS;
	const noneAtOnce = await measured(
		arena,
		buildSingleWorkflow(arena, 'none'),
		EXECUTIONS,
		EXECUTIONS,
	);
	const waitAtOnce = await measured(
		arena,
		buildSingleWorkflow(arena, 'wait'),
		EXECUTIONS,
		EXECUTIONS,
	);
	const bare = await barePair(arena, EXECUTIONS);
	const row = (
		what: string,
		{ halfPlaced, lastPlaced, ended, missing, megabytes }: Outcome,
	): string[] => [
		what,
		duration(halfPlaced),
		Number.isNaN(lastPlaced) ? '' : duration(lastPlaced),
		duration(ended),
		String(missing),
		`${megabytes.toFixed(0)} MB`,
	];
	return {
		title: 'Waiting for results',
		method: `Results ${RESULT_AFTER_MS} ms after acceptance, through the trigger of the workflow, sent once by a service that waits ${PATIENCE_MS / 1000} s for an answer. First one execution with ${MANY} calls at the node's usual pace, then ${EXECUTIONS} executions at once with one call each. The ideal is the time without waiting, plus the time of a result. The empty trigger answers ${MANY} deliveries in ${duration(deliveries)}; the bare pair is a node that only parks and a trigger that posts every 300 ms until n8n takes it. Memory is what n8n used on top at its highest point.`,
		head: [
			'What',
			'Half of the calls placed',
			'Last call placed',
			'Over after',
			'Not gone on',
			'Memory',
		],
		rows: [
			row(`${MANY} calls, Do Nothing`, none),
			row(`${MANY} calls, Wait for Result (ideal ${duration(ideal)})`, wait),
			row(`${EXECUTIONS} executions, Do Nothing`, noneAtOnce),
			row(`${EXECUTIONS} executions, Wait for Result`, waitAtOnce),
			row(`${EXECUTIONS} executions of the bare pair`, bare),
		],
		verdicts: [
			atMost(
				`${MANY} in one execution, beside placing and the empty trigger`,
				wait.ended,
				none.ended + deliveries,
				1.3,
			),
			atMost(`${EXECUTIONS} executions, beside the bare pair`, waitAtOnce.ended, bare.ended, 1.2),
			atMost('their memory, beside the bare pair', waitAtOnce.megabytes, bare.megabytes, 1.2),
			{
				aim: 'no execution is left behind',
				seen: String(waitAtOnce.missing + wait.missing),
				met: waitAtOnce.missing + wait.missing === 0,
			},
		],
	};
}

function trigger({ credential }: Arena): WorkflowNode {
	return {
		...node('Trigger', 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
			events: ['voiceNotification'],
			options: {},
		}),
		credentials: { [CREDENTIAL_TYPE]: credential },
		webhookId: randomUUID(),
	};
}

function call({ credential }: Arena, resultDelivery: string, to: string): WorkflowNode {
	return {
		...node('Call', 'n8n-nodes-yuntongxun.yuntongxun', {
			resource: 'call',
			operation: 'notify',
			to,
			content: 'text',
			mediaTxt: 'Hello',
			resultDelivery,
			...(resultDelivery === 'wait' && { waitLimit: 1, waitLimitUnit: 'hours' }),
			options: {},
		}),
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

const nothing = () => node('Nothing', 'n8n-nodes-base.noOp');

function withTrigger(arena: Arena, definition: WorkflowDefinition): WorkflowDefinition {
	return { ...definition, nodes: [...definition.nodes, trigger(arena)] };
}

function buildListWorkflow(arena: Arena, resultDelivery: string): WorkflowDefinition {
	const split = node('Split', 'n8n-nodes-base.splitOut', {
		fieldToSplitOut: 'body.people',
		options: {},
	});
	const made = call(arena, resultDelivery, '={{ $json.to }}');
	return withTrigger(arena, chain('List', hook(), split, made, nothing()));
}

function buildSingleWorkflow(arena: Arena, resultDelivery: string): WorkflowDefinition {
	const made = call(arena, resultDelivery, '={{ $json.body.people[0].to }}');
	return withTrigger(arena, chain('Single', hook(), made, nothing()));
}

/** Numbers whose calls have a result by themselves. */
const people = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ to: String(13_800_000_000 + 10 * at) }));

async function post(url: string, body: object): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: JSON.stringify(body),
	});
	await response.arrayBuffer();
	if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`);
}

/** Waits until all executions have succeeded, or nothing has happened for two minutes. */
async function untilOver({ n8n: { rest } }: Arena, workflow: StoredWorkflow, count: number) {
	let [done, changed] = [0, Date.now()];
	await until(
		'all executions to end',
		async () => {
			const now = await rest.countExecutions(workflow, 'success');
			if (now > done) [done, changed] = [now, Date.now()];
			return done >= count || Date.now() - changed > 120_000 || undefined;
		},
		{ timeoutMs: LIMIT_MS, everyMs: EVERY_MS },
	);
	return { missing: count - done, at: changed };
}

async function measured(
	arena: Arena,
	definition: WorkflowDefinition,
	executions: number,
	calls: number,
): Promise<Outcome> {
	const { n8n, simulator } = arena;
	const workflow = await n8n.rest.createWorkflow(definition);
	await n8n.rest.activate(workflow);
	simulator.reset();
	simulator.configure({
		callResultDelayMs: RESULT_AFTER_MS,
		callResultPatienceMs: PATIENCE_MS,
	});
	const [start] = workflow.nodes.filter(({ name }) => name === HOOK);
	const url = n8n.rest.webhookUrl(start);
	const peak = followPeakMemory(n8n);
	const began = Date.now();
	const each = people(calls);
	await Promise.all(
		Array.from({ length: executions }, async (_, at) =>
			post(url, { people: executions === 1 ? each : [each[at]] }),
		),
	);
	const { missing, at } = await untilOver(arena, workflow, executions);
	const megabytes = peak();
	await n8n.rest.deactivate(workflow);
	const placed = simulator.accepted().map((accepted) => Date.parse(accepted.at) - began);
	if (placed.length !== calls) throw new Error(`${placed.length} of ${calls} calls were placed`);
	return { ...placedAfter(placed), ended: at - began, missing, megabytes };
}

/** When half of the calls, and the last of them, were placed. */
function placedAfter(times: number[]): Pick<Outcome, 'halfPlaced' | 'lastPlaced'> {
	const sorted = times.toSorted((one, other) => one - other);
	return { halfPlaced: sorted[Math.floor(sorted.length / 2)], lastPlaced: sorted.at(-1) ?? NaN };
}

/** How long an empty community trigger takes to answer and start so many deliveries. */
async function flood(arena: Arena, deliveries: number): Promise<number> {
	const { rest } = arena.n8n;
	const bare = { ...node('Bare', 'CUSTOM.bareTrigger'), webhookId: randomUUID() };
	const workflow = await rest.createWorkflow(chain('Bare flood', bare, nothing()));
	await rest.activate(workflow);
	const url = `${arena.n8n.url}/webhook/${bare.webhookId}/bare`;
	await listening(url);
	const began = Date.now();
	let next = 0;
	await Promise.all(
		Array.from({ length: 20 }, async () => {
			while (next++ < deliveries) await post(url, {});
		}),
	);
	const { at } = await untilOver(arena, workflow, deliveries);
	await rest.deactivate(workflow);
	return at - began;
}

async function barePair(arena: Arena, executions: number): Promise<Outcome> {
	const { rest } = arena.n8n;
	const relay = { ...node('Bare', 'CUSTOM.bareTrigger'), webhookId: randomUUID() };
	const relayUrl = `${arena.n8n.url}/webhook/${relay.webhookId}/bare`;
	const placed: number[] = [];
	const service = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { resume } = JSON.parse(text) as { resume: string };
			void sleep(LATENCY_MS).then(async () => {
				placed.push(Date.now());
				response.end('{}');
				await sleep(RESULT_AFTER_MS);
				await post(`${relayUrl}?resume=${encodeURIComponent(resume)}`, {});
			});
		});
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	const { port } = service.address() as AddressInfo;
	const relaying = await rest.createWorkflow(chain('Bare relay', relay, nothing()));
	await rest.activate(relaying);
	await listening(relayUrl);
	const waiting = node('Bare Wait', 'CUSTOM.bareWait', { service: `http://127.0.0.1:${port}/` });
	const workflow = await rest.createWorkflow(chain('Bare waits', hook(), waiting, nothing()));
	await rest.activate(workflow);
	const [start] = workflow.nodes.filter(({ name }) => name === HOOK);
	const url = rest.webhookUrl(start);
	const peak = followPeakMemory(arena.n8n);
	const began = Date.now();
	await Promise.all(Array.from({ length: executions }, async () => await post(url, {})));
	const { missing, at } = await untilOver(arena, workflow, executions);
	const megabytes = peak();
	await rest.deactivate(workflow);
	await rest.deactivate(relaying);
	service.close();
	const after = placedAfter(placed.map((each) => each - began));
	return { ...after, ended: at - began, missing, megabytes };
}
