import type { ExecutionSummary, StoredWorkflow } from '../harness/n8nRest';
import { until } from '../harness/until';
import { AFTER, TRIGGER, triggerWorkflow } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

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
const PLAIN = 'text/plain';

/** What n8n reads in different ways before the trigger sees it, with the user data where it is another. */
const SHAPES: Array<[string, string | undefined, Build, userData?: string]> = [
	['XML as text/plain', 'text/plain; charset=UTF-8', (callSid) => xml('request', callSid)],
	['XML as application/xml', 'application/xml', (callSid) => xml('Request', callSid)],
	['XML as text/xml', 'text/xml;charset=utf-8', (callSid) => xml('Request', callSid)],
	['XML without a content type', undefined, (callSid) => xml('request', callSid)],
	['XML with a byte order mark', PLAIN, (callSid) => `\ufeff${xml('Request', callSid)}`],
	['JSON', 'application/json', (callSid) => JSON.stringify({ Request: jsonFields(callSid) })],
	['JSON as text/plain', PLAIN, (callSid) => JSON.stringify(jsonFields(callSid))],
	['XML with a raw & as text/plain', PLAIN, inRawXml, RAW],
	['XML with a raw & without a content type', undefined, inRawXml, RAW],
	['XML with a raw & as bytes', 'application/octet-stream', inRawXml, RAW],
	['JSON with a raw line feed as text/plain', PLAIN, inRawJson, 'order 42'],
	['XML in GBK, declared, as text/plain', PLAIN, inGbk, '订'],
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
		workflow = await rest.createWorkflow(triggerWorkflow());
		await rest.activate(workflow);
		url = rest.triggerUrl((await rest.workflow(workflow.id)).nodes[0]);
	});

	async function newExecutions(before: ExecutionSummary[]): Promise<ExecutionSummary[]> {
		const now = await world().n8n.rest.listExecutions(workflow);
		return now.filter(({ id }) => !before.some((known) => known.id === id));
	}

	const post = async (body: string | Buffer, contentType: string | undefined) =>
		await fetch(url, {
			method: 'POST',
			// As bytes, because a text would get a content type of its own.
			body: Buffer.from(body),
			headers: {
				// A busy n8n closes a kept connection just when the next request is on its way.
				connection: 'close',
				...(contentType && { 'content-type': contentType }),
			},
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
		const body = JSON.stringify({ Request: callSids.map(jsonFields), version: '1' });
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

	// n8n refuses the first that its reader of XML cannot read, and lets later ones of the process through.
	test('sees XML with a raw & that is labeled as XML where n8n lets it through', async () => {
		const { rest } = world().n8n;
		for (const contentType of ['application/xml', 'text/xml']) {
			const before = await rest.listExecutions(workflow);
			const { status } = await post(inRawXml(nextCallSid()), contentType);
			expect([200, 422]).toContain(status);
			if (status === 200)
				await until('an execution', async () => (await newExecutions(before)).at(0));
			else expect(await newExecutions(before)).toEqual([]);
		}
		const good = await post(xml('request', nextCallSid()), 'application/xml');
		expect([good.status, await good.text()]).toEqual([200, ACKNOWLEDGEMENT]);
	});
});
