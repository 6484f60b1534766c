import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	ExecutionSummary,
	StoredWorkflow,
	WorkflowDefinition,
	WorkflowNode,
} from '../harness/n8nRest';
import { until } from '../harness/until';
import { Calls, numberEnding } from '../harness/callResults';
import { AFTER, node, START, to, TRIGGER, triggerWorkflow } from '../harness/workflows';
import {
	CALL,
	chain,
	findTrigger,
	ours,
	resultTrigger,
	TELL,
	tell,
} from '../harness/waitWorkflows';
import { signedUrl } from '../support/signing';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** Longer than n8n takes to start an execution after it has answered. */
const QUIET_MS = 2_000;

let calls = 0;
const nextCallSid = (): string => String(++calls).padStart(32, '0');

const buildFields = (callSid: string): string =>
	`<action>SellingCall</action><callSid>${callSid}</callSid><number>13800000001</number>` +
	'<state>1</state><starttime>20150602155026</starttime><endtime>20150602155056</endtime>' +
	'<duration>0</duration><userData>order-42</userData>';

const xml = (root: string, callSid: string): string =>
	`<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${buildFields(callSid)}</${root}>`;

const jsonFields = (callSid: string): Record<string, string> => ({
	action: 'SellingCall',
	callSid,
	number: '13800000001',
	state: '1',
	duration: '0',
	userData: 'order-42',
});

/** What n8n reads in different ways before the trigger sees it. */
const SHAPES: Array<[string, string | undefined, (callSid: string) => string]> = [
	['XML as text/plain', 'text/plain; charset=UTF-8', (callSid) => xml('request', callSid)],
	['XML as application/xml', 'application/xml', (callSid) => xml('Request', callSid)],
	['XML as text/xml', 'text/xml;charset=utf-8', (callSid) => xml('Request', callSid)],
	['XML without a content type', undefined, (callSid) => xml('request', callSid)],
	['JSON', 'application/json', (callSid) => JSON.stringify({ Request: jsonFields(callSid) })],
	['JSON as text/plain', 'text/plain', (callSid) => JSON.stringify(jsonFields(callSid))],
];

const FORM = 'multipart/form-data; boundary=x';
const part = (name: string, value: string) =>
	`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What n8n passes on though it is no notification; the rest is for test/unit/callbacks/notification.test.ts. */
const REFUSED: Array<[string, string, string]> = [
	['a form', FORM, `${part('action', 'SellingCall')}${part('callSid', '1')}--x--\r\n`],
];

describeOnEachN8n('The trigger', (world) => {
	let workflow: StoredWorkflow;
	let url: string;

	beforeAll(async () => {
		const { rest } = world().n8n;
		workflow = await rest.createWorkflow(triggerWorkflow());
		await rest.activate(workflow);
		url = rest.triggerUrl((await rest.workflow(workflow.id)).nodes[0]);
	});

	async function post(body: string, contentType?: string): Promise<Response> {
		return await fetch(url, {
			method: 'POST',
			// As bytes, because a text would get a content type of its own.
			body: Buffer.from(body),
			headers: {
				// A busy n8n closes a kept connection just when the next request is on its way.
				connection: 'close',
				...(contentType && { 'content-type': contentType }),
			},
		});
	}

	async function newExecutions(before: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		const now = await world().n8n.rest.listExecutions(workflow);
		return now.filter(({ id }) => !before.some((known) => known.id === id));
	}

	/** The executions that have been started since, once there is one. */
	async function startedSince(before: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		return await until('an execution', async () => {
			const list = await newExecutions(before);
			return list.length > 0 ? list : undefined;
		});
	}

	/** What has been started since, after a time in which it would have shown. */
	async function startedAfterAll(before: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		const deadline = Date.now() + QUIET_MS;
		return await until(
			'a quiet while',
			async () => {
				const started = await newExecutions(before);
				return started.length > 0 || Date.now() > deadline ? started : undefined;
			},
			{ timeoutMs: 2 * QUIET_MS },
		);
	}

	/** Posts a notification and checks that it starts one execution. */
	async function takes(body: string, contentType?: string): Promise<Record<string, unknown>> {
		const { rest } = world().n8n;
		const before = await rest.listExecutions(workflow);
		const response = await post(body, contentType);
		expect(await response.text()).toBe(ACKNOWLEDGEMENT);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toMatch(/^(application|text)\/xml\b/);

		const [started] = await startedSince(before);
		const execution = await rest.ended(started.id);
		expect(execution.status).toBe('success');
		expect(execution.nodesRun).toEqual([TRIGGER, AFTER]);
		const items = execution.getItems(TRIGGER);
		expect(items).toHaveLength(1);
		expect(await newExecutions(before)).toHaveLength(1);
		return items[0].json;
	}

	test.each(SHAPES)('takes %s', async (_, contentType, body) => {
		const callSid = nextCallSid();
		expect(await takes(body(callSid), contentType)).toMatchObject({
			event: 'voiceNotification',
			...jsonFields(callSid),
			outcome: 'noAnswer',
			answered: false,
			durationSeconds: 0,
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
		});
	});

	test.each(REFUSED)('refuses %s with 400 and starts nothing', async (_, contentType, body) => {
		const before = await world().n8n.rest.listExecutions(workflow);
		const response = await post(body, contentType);
		expect(response.status).toBe(400);
		expect(await startedAfterAll(before)).toEqual([]);
	});

	describe('of a call', () => {
		const calls = new Calls(world);

		beforeAll(() => {
			world().simulator.configure({ callResultDelayMs: 500, checkAcknowledgements: false });
		});

		/** A call that is made by hand, and a trigger that tells what it gets. */
		function reporting(
			start: { to: string; userData: string },
			trigger: WorkflowNode,
		): WorkflowDefinition {
			const { credential } = world();
			const call = ours(CALL, credential, {
				resource: 'call',
				operation: 'notify',
				to: '={{ $json.to }}',
				content: 'text',
				mediaTxt: 'Hello',
				resultDelivery: 'trigger',
				options: { userData: '={{ $json.userData }}' },
			});
			const definition = chain('Reports', node(START, 'n8n-nodes-base.manualTrigger'), call);
			return {
				...definition,
				nodes: [...definition.nodes, trigger, tell(credential)],
				connections: { ...definition.connections, [trigger.name]: { main: [to(TELL)] } },
				pinData: { [START]: [{ json: start }] },
			};
		}

		test('requires signed URLs: accepts those of calls and refuses changed ones', async () => {
			const { n8n, credential, simulator } = world();
			const start = { to: numberEnding('0'), userData: calls.nextName() };
			const workflow = await n8n.rest.createWorkflow(
				reporting(start, resultTrigger(credential, { requireSignedUrl: true })),
			);
			await n8n.rest.activate(workflow);
			expect((await n8n.rest.runToEnd(workflow, START)).error).toBeUndefined();
			const call = await calls.named(start.userData);
			const [, expires] =
				/^[^?]*\?ytExpires=(\d+)&ytSignature=[0-9a-f]{64}$/.exec(call.respUrl ?? '') ?? [];
			expect(Math.abs(Number(expires) - Date.parse(call.at) / 1000 - 24 * 60 * 60)).toBeLessThan(
				120,
			);
			expect(await calls.told(call)).toEqual([`completed ${start.userData}`]);

			const bare = n8n.rest.triggerUrl(findTrigger(workflow));
			const another = { ...call, callSid: randomUUID().replace(/-/g, '') };
			const soon = Math.ceil(Date.now() / 1000) + 60;
			const url = signedUrl(`${bare}?shop=1%202&x=%2F+`, simulator.credentials, soon);
			for (const forged of [bare, `${call.respUrl}&more=1`, url.replace('shop=1', 'shop=2')]) {
				expect(await calls.deliver(another, { url: forged })).toBe(403);
			}
			await sleep(QUIET_MS);
			expect(calls.followers(another)).toEqual([]);
			expect(await calls.deliver(another, { url })).toBe(200);
			expect(await calls.told(another)).toHaveLength(1);
		});
	});
});
