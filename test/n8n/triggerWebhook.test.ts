import { setTimeout as sleep } from 'node:timers/promises';
import { fetchAlone } from '../harness/http';
import type { ExecutionSummary, StoredWorkflow } from '../harness/n8nRest';
import { until } from '../harness/until';
import { chain, resultTrigger } from '../harness/waitWorkflows';
import { AFTER, node, TRIGGER } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import { hostileBodies } from '../support/hostile';
import './support/retry';

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** Longer than n8n takes to start an execution after it has answered. */
const QUIET_MS = 3_000;

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

const RAW = 'a=1&b=2';
const inRawXml = (callSid: string): string => xml('request', callSid).replace('order-42', RAW);
const inRawJson = (callSid: string): string =>
	JSON.stringify(jsonFields(callSid)).replace('order-42', 'order\n42');
const inGbk = (callSid: string): Buffer => {
	const text = xml('request', callSid).replace('UTF-8', 'GBK').replace('order-42', '\u00b6\u00a9');
	return Buffer.from(text, 'latin1');
};

type Build = (callSid: string) => string | Buffer;

/**
 * What n8n reads in different ways before the trigger sees it, with the user data where it is another. What
 * the trigger reads in bytes is decided by test/unit/callbacks.
 */
const SHAPES: Array<[string, string | undefined, Build, userData?: string]> = [
	['XML as text/plain', 'text/plain; charset=UTF-8', (callSid) => xml('request', callSid)],
	['XML as application/xml', 'application/xml', (callSid) => xml('Request', callSid)],
	['XML as text/xml', 'text/xml;charset=utf-8', (callSid) => xml('Request', callSid)],
	['XML without a content type', undefined, (callSid) => xml('request', callSid)],
	['JSON', 'application/json', (callSid) => JSON.stringify({ Request: jsonFields(callSid) })],
	['XML with a raw & as bytes', 'application/octet-stream', inRawXml, RAW],
];

/** What n8n answers itself, before the trigger sees it. */
const REFUSED_BY_N8N: Array<[string, string, Build]> = [
	['JSON with a raw line feed as application/json', 'application/json', inRawJson],
	['a charset that Node.js does not know', 'text/plain; charset=GBK', inGbk],
];

describeOnEachN8n('The trigger', (world) => {
	let workflow: StoredWorkflow;
	let url: string;

	beforeAll(async () => {
		const { rest } = world().n8n;
		const after = node(AFTER, 'n8n-nodes-base.noOp');
		workflow = await rest.createWorkflow(chain('Trigger under test', resultTrigger(), after));
		await rest.activate(workflow);
		url = rest.triggerUrl((await rest.workflow(workflow.id)).nodes[0]);
	});

	async function newExecutions(before: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		const now = await world().n8n.rest.listExecutions(workflow);
		return now.filter(({ id }) => !before.some((known) => known.id === id));
	}

	const post = async (body: string | Buffer, contentType?: string) =>
		await fetchAlone(url, {
			method: 'POST',
			// As bytes, because a text would get a content type of its own.
			body: Buffer.from(body),
			headers: contentType === undefined ? {} : { 'content-type': contentType },
		});

	test.each(SHAPES)('takes %s', async (_, contentType, build, userData = 'order-42') => {
		const { rest } = world().n8n;
		const before = await rest.listExecutions(workflow);
		const callSid = nextCallSid();
		const response = await post(build(callSid), contentType);
		expect(await response.text()).toBe(ACKNOWLEDGEMENT);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toMatch(/^(application|text)\/xml\b/);

		const started = await until('an execution', async () => (await newExecutions(before)).at(0));
		const execution = await rest.ended(started.id);
		expect(execution.status).toBe('success');
		expect(execution.nodesRun).toEqual([TRIGGER, AFTER]);
		expect(execution.getItems(TRIGGER).map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'voiceNotification',
				...jsonFields(callSid),
				userData,
				outcome: 'noAnswer',
				answered: false,
				durationSeconds: 0,
				receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
			}),
		]);
		expect(await newExecutions(before)).toHaveLength(1);
	});

	test('starts one execution for a list, with an item for each', async () => {
		const { rest } = world().n8n;
		const before = await rest.listExecutions(workflow);
		const callSids = [nextCallSid(), nextCallSid()];
		// In a list, user data that somebody may have typed could be another notification.
		const fields = callSids.map((callSid) => ({ ...jsonFields(callSid), userData: undefined }));
		const body = JSON.stringify({ Request: fields, version: '1' });
		expect((await post(body, 'application/json')).status).toBe(200);
		const started = await until('an execution', async () => (await newExecutions(before)).at(0));
		const execution = await rest.ended(started.id);
		expect(execution.getItems(TRIGGER).map(({ json }) => json.callSid)).toEqual(callSids);
		expect(await newExecutions(before)).toHaveLength(1);
	});

	test.each(REFUSED_BY_N8N)('never sees %s', async (_, contentType, build) => {
		const before = await world().n8n.rest.listExecutions(workflow);
		const response = await post(build(nextCallSid()), contentType);
		expect(response.status).toBe(422);
		expect(await newExecutions(before)).toEqual([]);
	});

	// Why each is refused is decided by test/unit: here n8n gets all of them at once.
	test('starts nothing for what an enemy sends, and then takes an honest result', async () => {
		const before = await world().n8n.rest.listExecutions(workflow);
		const bodies = Object.values(hostileBodies(nextCallSid()));
		const answers = await Promise.all(bodies.map(async (body) => await post(body)));
		const statuses = new Set(answers.map(({ status }) => status));
		// A busy n8n 2 says 503 by itself.
		expect([...statuses].filter((status) => status !== 503)).toEqual([400]);
		await sleep(QUIET_MS);
		expect(await newExecutions(before)).toEqual([]);

		expect((await post(xml('request', nextCallSid()))).status).toBe(200);
		await until('an execution', async () => (await newExecutions(before)).at(0));
		expect(await newExecutions(before)).toHaveLength(1);
	});
});
