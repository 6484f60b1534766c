import type { SentNotification } from '../../simulator/record';
import type { ExecutionSummary, StoredWorkflow } from '../harness/n8nRest';
import { until } from '../harness/until';
import { AFTER, TRIGGER, triggerWorkflow } from '../harness/workflows';
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
	['words', 'text/plain', 'hello'],
	['an empty body', 'text/plain', ''],
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

	test('takes what the simulator sends after a call', async () => {
		const { simulator } = world();
		simulator.reset();
		const before = await world().n8n.rest.listExecutions(workflow);
		const sent = await simulator.sendCallResult(nextCallSid(), { url });
		expect(sent.answer?.httpStatus).toBe(200);
		expect(simulator.violations()).toEqual([]);
		expect(await startedSince(before)).toHaveLength(1);
	});

	describe('for SMS', () => {
		let sms: StoredWorkflow;

		beforeAll(async () => {
			const { rest } = world().n8n;
			sms = await rest.createWorkflow(triggerWorkflow({ events: ['smsReport', 'smsReply'] }));
			await rest.activate(sms);
			const smsPushUrl = rest.triggerUrl((await rest.workflow(sms.id)).nodes[0]);
			world().simulator.reset();
			world().simulator.configure({ smsPushUrl });
		});

		/** The item of the execution that one push has started; it was acknowledged. */
		async function pushed(push: () => Promise<SentNotification>) {
			const { rest } = world().n8n;
			const before = await rest.listExecutions(sms);
			expect((await push()).answer).toMatchObject({ httpStatus: 200, body: ACKNOWLEDGEMENT });
			expect(world().simulator.violations()).toEqual([]);
			const [started] = await until('an execution', async () => {
				const all = await rest.listExecutions(sms);
				const more = all.filter(({ id }) => !before.some((known) => known.id === id));
				return more.length > 0 ? more : undefined;
			});
			const execution = await rest.ended(started.id);
			expect(execution.status).toBe('success');
			return execution.getItems(TRIGGER).map(({ json }) => json);
		}

		test.each(['json', 'xml'] as const)('takes a delivery report as %s', async (format) => {
			const id = nextCallSid();
			const number = '13800000001';
			const items = await pushed(
				async () => await world().simulator.sendSmsReport(id, { number, format }),
			);
			expect(items).toEqual([
				expect.objectContaining({
					event: 'smsReport',
					smsMessageSid: id,
					number,
					delivered: true,
					content: id,
					sentAt: expect.stringMatching(/\+08:00$/) as unknown,
				}),
			]);
		});

		test.each(['json', 'xml'] as const)('takes a reply as %s', async (format) => {
			const reply = { number: '13800000001', text: `退订 <${format}>`, appendCode: '07' };
			const items = await pushed(
				async () => await world().simulator.sendSmsReply(reply, { format }),
			);
			expect(items).toEqual([expect.objectContaining({ event: 'smsReply', ...reply })]);
		});

		test('drops a copy of a report, and takes a later status', async () => {
			const id = nextCallSid();
			const report = async (status: string) =>
				await world().simulator.sendSmsReport(id, {
					fields: { status, dateSent: '20260102093000' },
				});
			await pushed(async () => await report('1'));
			const count = (await world().n8n.rest.listExecutions(sms)).length;
			expect((await report('1')).answer?.httpStatus).toBe(200);
			const [later] = await pushed(async () => await report('0'));
			expect(later).toMatchObject({ delivered: true });
			expect(await world().n8n.rest.listExecutions(sms)).toHaveLength(count + 1);
		});
	});

	test('refuses the question whether a call may start, in any case', async () => {
		const before = await world().n8n.rest.listExecutions(workflow);
		for (const [body, contentType] of [
			['<CallAuth><callSid>1</callSid></CallAuth>', 'application/xml'],
			['<request><Action>CALLAUTH</Action><callSid>1</callSid></request>', 'text/plain'],
			['{"CallAuth":{"callSid":"1","action":"SellingCall"}}', 'application/json'],
		]) {
			const response = await post(body, contentType);
			expect(response.status).toBe(400);
			expect(await response.text()).not.toContain('000000');
		}
		expect(await startedAfterAll(before)).toEqual([]);
	});

	test.each(REFUSED)('refuses %s with 400 and starts nothing', async (_, contentType, body) => {
		const before = await world().n8n.rest.listExecutions(workflow);
		const response = await post(body, contentType);
		expect(response.status).toBe(400);
		expect(await startedAfterAll(before)).toEqual([]);
	});

	test('acknowledges an event that is filtered out and starts nothing', async () => {
		const before = await world().n8n.rest.listExecutions(workflow);
		const body = `<request><action>Hangup</action><callSid>${nextCallSid()}</callSid></request>`;
		const response = await post(body, 'text/plain');
		expect(response.status).toBe(200);
		expect(await response.text()).toBe(ACKNOWLEDGEMENT);
		expect(await startedAfterAll(before)).toEqual([]);
	});
});
