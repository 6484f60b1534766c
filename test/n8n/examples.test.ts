import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedMessage, AcceptedSubAccount, OperationName } from '../../simulator/index';
import { projectFolder } from '../harness/paths';
import type { Execution } from '../harness/storedExecution';
import type { StoredWorkflow, WorkflowDefinition } from '../harness/n8nRest';
import { until } from '../harness/until';
import { exampleOrder, importExample } from '../harness/example';
import { ScriptedModel, type ModelAnswer } from './support/exampleModel';
import {
	dataTable,
	importFilledIn,
	findNode,
	readExample,
	withValues,
	type FilledIn,
	type OtherCredentials,
} from '../harness/examples';
import { Calls } from '../harness/callResults';
import { ChatRobot } from './support/chatRobot';
import { atHome, readPage, sendForm, sendPage, type Entry, type SentForm } from '../harness/forms';
import { chain, hook, Startable } from '../harness/waitWorkflows';
import { node, START } from '../harness/workflows';
import { CREDENTIAL_TYPE, describeOnEachN8n } from '../harness/world';
import './support/retry';

/** Registered numbers, by the outcome of a call: the test template takes only these. */
const ANSWERS = '13800000000';
const ANSWERS_NOT = '13800000001';
const FAILS = '13800000002';
const HANGS_UP = '13800000003';

/** A template with two variables that the account may use. */
const TEMPLATE = { templateId: '100002' };

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const AGENT = 'ai-agent-with-approval.json';

describeOnEachN8n('The examples', (world, version) => {
	const calls = new Calls(world);
	const folder = join(projectFolder, 'examples');
	const isFirstGeneration = version.startsWith('1.');
	const exampleFiles = async () =>
		(await readdir(folder)).filter((file) => file.endsWith('.json')).sort();

	beforeEach(() => {
		world().simulator.reset();
		world().simulator.configure({ callResultDelayMs: 1500 });
	});
	afterEach(() => {
		expect(world().simulator.violations()).toEqual([]);
	});

	async function imported(
		example: string | WorkflowDefinition,
		filledIn: FilledIn,
		others?: OtherCredentials,
	): Promise<StoredWorkflow> {
		const { n8n, credential } = world();
		const definition = typeof example === 'string' ? await readExample(example) : example;
		return await importFilledIn(n8n.rest, credential, definition, filledIn, others);
	}

	const texts = (): AcceptedMessage[] =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	/** The execution that something starts, once it has ended. */
	async function startedBy<T>(workflow: StoredWorkflow, act: () => Promise<T>) {
		const { rest } = world().n8n;
		const before = await rest.listExecutions(workflow);
		const given = await act();
		const { id } = await until('what that starts', async () => {
			const after = await rest.listExecutions(workflow);
			return after.length > before.length ? after[0] : undefined;
		});
		return { id, given };
	}

	/** A stored login for pages and webhooks that ask for one, and the header that it makes. */
	async function basicAuth(name: string) {
		const login = { user: name, password: 'Only-for-the-test-1' };
		const id = await world().n8n.rest.createCredential('httpBasicAuth', name, login);
		const token = Buffer.from(`${login.user}:${login.password}`).toString('base64');
		return { credentials: { httpBasicAuth: { id, name } }, authorization: `Basic ${token}` };
	}

	/** Creates a table of text columns, and those with another type. */
	async function createTable(
		name: string,
		columns: string[],
		others: Record<string, 'number'> = {},
	) {
		return await world().n8n.rest.createDataTable(`${name} ${randomUUID()}`, {
			...Object.fromEntries(columns.map((column): [string, 'string'] => [column, 'string'])),
			...others,
		});
	}

	/** Fills in the form of a workflow, and gives the execution that it starts, once it has ended. */
	async function filledIn(
		workflow: StoredWorkflow,
		entries: Entry[],
		timeoutMs?: number,
	): Promise<Execution> {
		const { executionId } = await sendForm(world().n8n, workflow, entries);
		const execution = await world().n8n.rest.ended(executionId, timeoutMs);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	/** Waits for a page of a form, and gives it with the execution that shows it. */
	async function openPage({ executionId, nextPage = '' }: SentForm, name: RegExp) {
		const execution = await until('the page', async () => {
			const each = await world().n8n.rest.execution(executionId);
			if (each.error) throw new Error(each.error.message);
			return each.status === 'waiting' && name.test(each.nodesRun.at(-1) ?? '') ? each : undefined;
		});
		return { html: await readPage(atHome(nextPage, world().n8n.url)), execution };
	}

	test.each([
		['nobody answers: sends an SMS', ANSWERS_NOT, 'noAnswer', [['1042', '30']]],
		['somebody answers: sends no SMS', ANSWERS, 'completed', []],
	])('call-and-wait-then-sms, %s', async (_, to, outcome, datas) => {
		const workflow = await activated('call-and-wait-then-sms.json', { 'Text Customer': TEMPLATE });
		const execution = await filledIn(workflow, [to, ...exampleOrder]);
		expect(execution.status).toBe('success');
		expect(execution.getItems('Call Customer')[0].json.outcome).toBe(outcome);
		expect(calls.all()).toEqual([expect.objectContaining({ to })]);
		expect(texts()).toEqual(
			datas.map((each) => expect.objectContaining({ to: [to], templateId: '100002', datas: each })),
		);
	});

	test('a sign-in can be rehearsed by hand, through the If behind it', async () => {
		const { n8n, credential } = world();
		const ours = (name: string, operation: string, parameters: object) => ({
			...node(name, 'n8n-nodes-yuntongxun.yuntongxun', {
				resource: 'verificationCode',
				operation,
				...parameters,
			}),
			credentials: { [CREDENTIAL_TYPE]: credential },
		});
		const right = findNode(await readExample('sign-in-webhook-api.json'), 'Right?');
		const workflow = await n8n.rest.createWorkflow(
			chain(
				'Rehearsed Sign-In',
				node(START, 'n8n-nodes-base.manualTrigger'),
				ours('Send', 'send', { to: ANSWERS, options: { dryRun: true } }),
				ours('Check', 'check', {
					verificationToken: '={{ $json.verificationToken }}',
					code: '={{ $json.rehearsedCode }}',
				}),
				right,
				node('Signed In', 'n8n-nodes-base.noOp'),
			),
		);
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.getItems('Check')[0].json).toMatchObject({ valid: true, dryRun: true });
		expect(execution.getRuns('Signed In')).toHaveLength(1);
		expect(world().simulator.record.requests).toEqual([]);
	});

	test.each([
		['nobody answers: sends an SMS', ANSWERS_NOT, 1],
		['somebody answers: sends no SMS', ANSWERS, 0],
	])('call-without-public-address, %s', async (_, to, count) => {
		const workflow = await activated('call-without-public-address.json', {
			'Wait for the Call': { amount: 5 },
			'Text Customer': TEMPLATE,
		});
		const execution = await filledIn(workflow, [to, ...exampleOrder]);
		expect(execution.status).toBe('success');
		expect(execution.getItems('Get Result').at(-1)?.json.outcome).toBe(
			count > 0 ? 'noAnswer' : 'completed',
		);
		expect(calls.all().map((call) => [call.to, call.respUrl])).toEqual([[to, undefined]]);
		expect(texts()).toHaveLength(count);
	});

	/** Imports an example whose calls find the trigger of their own workflow, and activates it. */
	async function activated(
		example: string | WorkflowDefinition,
		filledIn: FilledIn,
	): Promise<StoredWorkflow> {
		const workflow = await imported(example, filledIn);
		await world().n8n.rest.activate(workflow);
		return workflow;
	}

	test('call-a-list-then-sms: calls everybody, texts who did not answer, and does neither twice', async () => {
		const workflow = await activated('call-a-list-then-sms.json', {
			'Text the Rest': { templateId: '100001' },
		});
		const numbers = [ANSWERS, ANSWERS_NOT, '138-nobody', FAILS, HANGS_UP, ANSWERS];
		const submit = async () =>
			await openPage(
				await sendForm(world().n8n, workflow, [numbers.join('\r\n'), '今天下午三点', 'water-1']),
				/^Done$/,
			);
		const { html, execution } = await submit();
		expect(html).toContain('1 answered, 3 texted');
		const outcomes = execution.getItems('Call People').map(({ json }) => json.outcome);
		expect(outcomes).toEqual([
			'completed',
			'noAnswer',
			undefined,
			'failed',
			'completed',
			undefined,
		]);
		const called = calls.all().map(({ to }) => to);
		expect(called.sort()).toEqual([ANSWERS, ANSWERS_NOT, FAILS, HANGS_UP].sort());
		expect(texts().map(({ to, datas }) => [...to, ...datas])).toEqual(
			[ANSWERS_NOT, FAILS, HANGS_UP].map((to) => [to, '今天下午三点']),
		);
		const again = await submit();
		expect(again.html).toMatch(/0 answered, 0 texted[^]*5 were called or texted before/);
		expect(world().simulator.accepted()).toHaveLength(7);
	});

	test('missed-call-sends-sms: sends an SMS when nobody answers', async () => {
		const { n8n, credential } = world();
		const workflow = await importExample(n8n.rest, credential);
		await n8n.rest.activate(workflow);
		await filledIn(workflow, [ANSWERS_NOT, ...exampleOrder]);
		await until('the text', () => texts().at(0));
		expect(texts()).toEqual([
			expect.objectContaining({ to: [ANSWERS_NOT], datas: ['1042', '30'] }),
		]);
		const [{ respUrl }] = calls.all();
		expect(respUrl).toMatch(/\/yuntongxun\?ytExpires=\d+&ytSignature=[0-9a-f]{64}$/);
	});

	const findRequests = (operation: OperationName) =>
		world().simulator.record.requests.filter((request) => request.operation === operation);

	test('alertmanager-calls-on-duty: calls once for each alarm that fires', async () => {
		const { rest, url } = world().n8n;
		const { credentials, authorization } = await basicAuth('alertmanager');
		const workflow = await imported(
			'alertmanager-calls-on-duty.json',
			{ 'Call on Duty': { to: ANSWERS } },
			{ Alertmanager: credentials },
		);
		await rest.activate(workflow);
		const hook = `${url}/webhook/alertmanager-change-me`;
		const alarm = (
			fingerprint: string,
			status = 'firing',
			startsAt = '2026-01-02T03:04:05.678Z',
		) => ({
			status,
			labels: { alertname: 'InstanceDown', instance: `${fingerprint}:9100`, severity: 'critical' },
			annotations: { summary: `主机 ${fingerprint} 没有响应` },
			startsAt,
			endsAt: '0001-01-01T00:00:00Z',
			generatorURL: 'http://prometheus.example.com/graph',
			fingerprint,
		});
		const report = async (...alerts: object[]) => {
			const { id, given: response } = await startedBy(workflow, async () => {
				return await fetch(hook, {
					method: 'POST',
					headers: { authorization, 'content-type': 'application/json' },
					body: JSON.stringify({ version: '4', status: 'firing', receiver: 'n8n', alerts }),
				});
			});
			expect(response.status).toBe(200);
			return await rest.ended(id);
		};
		await until('the webhook', async () => {
			const { status } = await fetch(hook, { method: 'POST' });
			return [401, 403].includes(status) || undefined;
		});
		await report(alarm('a1'), alarm('b2', 'resolved'), alarm('c3'));
		// Sorted, as the calls of one run go out side by side and arrive in any order.
		const said = () =>
			findRequests('LandingCalls')
				.map(({ fields }) => [fields.to, fields.mediaTxt])
				.sort();
		const call = (what: string): unknown => [
			ANSWERS,
			expect.stringMatching(new RegExp(`^InstanceDown：主机 ${what} 没有响应`)),
		];
		expect(said()).toEqual([call('a1'), call('c3')]);
		const again = await report(alarm('a1'), alarm('c3'));
		expect(again.getItems('Call on Duty').map(({ json }) => json.duplicate)).toEqual([true, true]);
		await report(alarm('a1', 'firing', '2026-01-03T00:00:00Z'));
		expect(said()).toEqual([call('a1'), call('a1'), call('c3')]);
	});

	test('call-me-when-a-workflow-fails: calls when an active workflow fails', async () => {
		const { rest } = world().n8n;
		const alarm = await imported('call-me-when-a-workflow-fails.json', {
			'Call Me': { to: ANSWERS },
		});
		await rest.activate(alarm).catch(() => undefined);
		const stop = node('Fetch Orders', 'n8n-nodes-base.stopAndError', {
			errorMessage: 'The shop does not answer',
		});
		const failing = await Startable.activate(world(), {
			...chain('Nightly export', hook(), stop),
			settings: { executionOrder: 'v1', errorWorkflow: alarm.id },
		});
		await failing.start({});
		await until('the call', () => calls.all().at(0));
		const [{ fields }] = findRequests('LandingCalls');
		expect(fields.to).toBe(ANSWERS);
		expect(fields.mediaTxt).toBe(
			'您好，n8n 工作流“Nightly export”运行出错，出错的节点是“Fetch Orders”。',
		);
	});

	test('daily-reminder-from-table: reminds everyone who is due, once', async () => {
		const { rest } = world().n8n;
		const columns = ['name', 'mobile', 'what', 'due', 'reminded'];
		const table = await createTable('Reminders', columns);
		const day = (from: number) =>
			new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
		await rest.insertRows(table, [
			{ name: '王芳', mobile: ANSWERS, what: '今天体检', due: day(-1), reminded: null },
			{ name: '李伟', mobile: ANSWERS_NOT, what: '下周体检', due: day(7), reminded: null },
			{ name: '张敏', mobile: FAILS, what: '昨天体检', due: day(-2), reminded: day(-2) },
			{ name: '赵云', mobile: 'none', what: '体检', due: day(-1), reminded: null },
			{ name: ' ', mobile: HANGS_UP, what: '体检', due: day(-1), reminded: null },
			{ name: '\ufffd', mobile: HANGS_UP, what: '体检', due: day(-1), reminded: null },
		]);
		const workflow = await imported('daily-reminder-from-table.json', {
			Due: { dataTableId: dataTable(table) },
			'Mark as Reminded': { dataTableId: dataTable(table) },
			'Text Reminder': { templateId: '100002' },
		});
		const reminded = async () =>
			(await rest.dataTableRows(table)).map((row) => (row.reminded ? 'yes' : 'no'));
		const first = await rest.runToEnd(workflow, 'Every Morning');
		expect(first.error).toBeUndefined();
		const sent = [expect.objectContaining({ to: [ANSWERS], datas: ['王芳', '今天体检'] })];
		expect(texts()).toEqual(sent);
		expect(first.getItems('Incomplete')).toHaveLength(3);
		expect(await reminded()).toEqual(['yes', 'no', 'yes', 'no', 'no', 'no']);
		await rest.runToEnd(workflow, 'Every Morning');
		expect(texts()).toEqual(sent);
	});

	describe('on-call-kit', () => {
		const [FIRST, SECOND, THIRD] = ['13800000021', '13800000031', '13800000041'];
		const PATHS = {
			'alarm-from-alertmanager.json': 'alarm-alertmanager-change-me',
			'alarm-from-grafana.json': 'grafana-change-me',
			'alarm-from-zabbix.json': 'zabbix-change-me',
		};
		let robot: ChatRobot;
		let kit: StoredWorkflow;
		let authorization: string;

		/** The rows of the table that the example has as a file, with numbers. */
		async function readSteps() {
			const mobiles: Record<string, string> = { 王芳: FIRST, 李伟: SECOND, 张敏: THIRD };
			const [, ...rows] = (await readFile(join(folder, 'files', 'on-call-steps.csv'), 'utf8'))
				.trim()
				.split('\n')
				.map((line) => line.split(','));
			return rows.map(([step, name, , minutes]) => ({
				...{ step: Number(step), name, mobile: mobiles[name], minutes: Number(minutes) },
			}));
		}

		beforeAll(async () => {
			const { rest } = world().n8n;
			robot = await ChatRobot.start();
			const steps = await createTable('Steps', ['name', 'mobile'], {
				step: 'number',
				minutes: 'number',
			});
			await rest.insertRows(steps, await readSteps());
			const example = await readExample('on-call-kit.json');
			kit = await activated(example, {
				...withValues(example, 'Settings', { chat: `${robot.url}/hook` }),
				Steps: { dataTableId: dataTable(steps) },
				'Text Details': TEMPLATE,
			});
			const login = await basicAuth('monitoring');
			({ authorization } = login);
			for (const file of Object.keys(PATHS)) {
				const reader = await readExample(file);
				const [hook] = reader.nodes.filter(({ type }) => type.endsWith('.webhook'));
				const workflow = await imported(
					reader,
					{ 'On-Call Kit': { workflowId: { __rl: true, mode: 'id', value: kit.id } } },
					{ [hook.name]: login.credentials },
				);
				await rest.activate(workflow);
			}
		});
		afterAll(async () => {
			await robot.stop();
		});
		beforeEach(() => {
			robot.messages.length = 0;
		});

		/** The execution, once it has waited for so many answers from the chat. */
		const waitingFor = async (id: string, count: number) =>
			await until(`wait ${count} of execution ${id}`, async () => {
				const execution = await world().n8n.rest.execution(id);
				if (execution.error) throw new Error(execution.error.message);
				const waits = execution.getRuns('Wait for Acknowledgement').length;
				return execution.status === 'waiting' && waits === count ? execution : undefined;
			});

		const linkIn = (message: string) => {
			const [link] = /http\S+form-waiting[^\s"\\]+/.exec(message) ?? [];
			if (!link) throw new Error(`No link in ${message}`);
			return atHome(link, world().n8n.url);
		};

		const tried = async (title: string) =>
			(await sendForm(world().n8n, kit, [title, 'db3:3306', 'critical'])).executionId;

		test('calls row by row until the table ends, and texts each person once', async () => {
			const id = await tried('Database down');
			const rows = [FIRST, FIRST, SECOND, FIRST, SECOND, THIRD];
			for (const [at] of rows.entries()) {
				await waitingFor(id, at + 1);
				expect(calls.all().map(({ to }) => to)).toEqual(rows.slice(0, at + 1));
				// An empty answer is what n8n goes on with when the time is up.
				await sendPage(linkIn(robot.messages[0]));
			}
			const execution = await world().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			expect(execution.nodesRun).toContain('Nobody Took It');
			expect(texts().map(({ to }) => to)).toEqual([[FIRST], [SECOND], [THIRD]]);
			expect(texts()[0].datas).toEqual(['Database down', 'db3:3306']);
			expect(robot.messages).toHaveLength(1);
		});

		test('stops when somebody takes it, and calls nobody twice within the hour', async () => {
			const id = await tried('Disk full');
			await waitingFor(id, 1);
			const page = linkIn(robot.messages[0]);
			expect(await readPage(page)).toContain('Disk full');
			await sendPage(page, ['王芳']);
			const execution = await world().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			expect(calls.all().map(({ to }) => to)).toEqual([FIRST]);
			expect(robot.messages[1]).toMatch(/王芳/);

			const again = await waitingFor(await tried('Disk full'), 1);
			expect(again.getItems('Call')[0].json.duplicate).toBe(true);
			expect(calls.all()).toHaveLength(1);
		});

		const alerts = (status: string, severity: string) => ({
			status,
			alerts: [
				{
					status,
					labels: { alertname: 'InstanceDown', severity, instance: 'db1:9100' },
					annotations: { summary: '主机 db1 没有响应' },
				},
			],
		});
		const problem = (value: string) => ({
			event_value: value,
			event_name: 'CPU high',
			event_nseverity: '5',
			host_name: 'db1',
		});

		test.each([
			['alarm-from-alertmanager.json', alerts('firing', 'page'), alerts('resolved', 'page')],
			['alarm-from-grafana.json', alerts('firing', 'P1'), alerts('resolved', 'P1')],
			['alarm-from-zabbix.json', problem('1'), problem('0')],
		] as const)('takes what %s hands on', async (file, firing, over) => {
			const post = async (body: object) =>
				await until('the reader', async () => {
					const response = await fetch(`${world().n8n.url}/webhook/${PATHS[file]}`, {
						method: 'POST',
						headers: { authorization, 'content-type': 'application/json', connection: 'close' },
						body: JSON.stringify(body),
					});
					return response.status === 200 || undefined;
				});
			const { id } = await startedBy(kit, async () => await post(firing));
			const execution = await until('the alarm', async () => {
				const each = await world().n8n.rest.execution(id);
				return each.nodesRun.includes('Call Now?') ? each : undefined;
			});
			const [{ json }] = execution.getItems('Settings');
			expect(json).toMatchObject({
				title: expect.stringMatching(/InstanceDown|CPU high/) as string,
				details: expect.stringContaining('db1') as string,
				severity: 'critical',
			});
			const before = (await world().n8n.rest.listExecutions(kit)).length;
			await post(over);
			expect(await world().n8n.rest.listExecutions(kit)).toHaveLength(before);
		});
	});

	describe('ask-by-sms-and-wait', () => {
		test('goes on with the answer of the person who was asked', async () => {
			const { rest } = world().n8n;
			const table = await createTable('Questions', ['number', 'suffix', 'resumeUrl']);
			const chosen = { dataTableId: dataTable(table) };
			const workflow = await activated('ask-by-sms-and-wait.json', {
				Ask: { templateId: '100001' },
				'Keep Question': chosen,
				'Find Question': chosen,
				'Forget Question': chosen,
			});
			const ask = async (to: string) => {
				const { executionId } = await sendForm(world().n8n, workflow, [to, '明天上午九点']);
				return await until('the wait', async () => {
					const execution = await rest.execution(executionId);
					if (execution.error) throw new Error(execution.error.message);
					return execution.status === 'waiting' ? execution : undefined;
				});
			};
			const [first, second] = [await ask(ANSWERS), await ask(ANSWERS)];
			const { suffix } = second.getItems('Suffix')[0].json;
			const url = rest.triggerUrl(findNode(workflow, 'Reply'));
			// With the country code, and with the account's own digits in front of ours.
			await world().simulator.sendSmsReply(
				{ number: `+86${ANSWERS}`, text: 'Y', appendCode: `96${suffix}` },
				{ url },
			);
			const ended = await rest.ended(second.id);
			expect(ended.error).toBeUndefined();
			expect(ended.nodesRun.at(-1)).toBe('Comes');
			await until('the row to go', async () =>
				(await rest.dataTableRows(table)).length === 1 ? true : undefined,
			);
			expect((await rest.execution(first.id)).status).toBe('waiting');
		});
	});

	describe('appointment-reminders-from-file', () => {
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			workflow = await activated('appointment-reminders-from-file.json', {
				'Text Reminder': { templateId: '100002' },
			});
		});
		const uploaded = async (name: string, content: Buffer) =>
			await openPage(await sendForm(world().n8n, workflow, [{ name, content }]), /^Page/);
		const told = () =>
			texts()
				.map(({ to, datas }) => [...to, ...datas])
				.sort();
		const rest = (execution: Execution) =>
			execution.getItems('Rest').map(({ json }) => [json.name, json.reason]);
		const rows = [
			['13800000000', '王芳', '2026-12-01 09:30'],
			['13800000001', '李伟', '2026-12-01 14:00'],
			['13800000002', 'Zhang Min', '2026-12-02 10:15'],
		];

		test('sends one SMS for each row of a CSV file, and none for the same rows in Excel', async () => {
			const read = async (file: string) => await readFile(join(folder, 'files', file));
			const first = await uploaded('appointments.csv', await read('appointments.csv'));
			expect(told()).toEqual(rows);
			expect(first.html).toContain('3 sent, 0 not');
			const second = await uploaded('appointments.xlsx', await read('appointments.xlsx'));
			expect(told()).toEqual(rows);
			expect(second.html).toMatch(/0 sent, 0 not[^]*3 repeat what was sent/);
		});

		test('sends the rows that are in order, and gives a file of the others', async () => {
			const lines = [
				'姓名,手机号,时间',
				'A,138 0000 0010,9:30',
				'B,nobody,9:45',
				',13800000011,9:50',
				'\ufffd\ufffd,13800000011,9:50',
			];
			const { html, execution } = await uploaded('UPPER.CSV', Buffer.from(lines.join('\n')));
			expect(told()).toEqual([['13800000010', 'A', '9:30']]);
			expect(html).toContain('1 sent, 3 not');
			expect(html).toContain('rest.xlsx');
			expect(rest(execution).map(([name]) => name)).toEqual(['B', '', '\ufffd\ufffd']);
		});

		test('names what the service refused', async () => {
			world().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
			const { html, execution } = await uploaded(
				'refused.csv',
				Buffer.from('name,mobile,time\nE,13800000013,12'),
			);
			expect(html).toContain('0 sent, 1 not');
			expect(rest(execution)).toEqual([['E', expect.stringContaining('160034')]]);
		});
	});

	describe('same-notice-to-thousands', () => {
		const sent = async (workflow: StoredWorkflow, numbers: string[], id: string) =>
			await openPage(await sendForm(world().n8n, workflow, [numbers.join('\r\n'), id]), /^Page/);
		const imports = async () =>
			await activated('same-notice-to-thousands.json', {
				'Text Everybody': { templateId: '100000' },
			});

		test('reaches 1,000 people with 5 requests, and nobody twice', async () => {
			const numbers = Array.from({ length: 1000 }, (_, at) => String(13_800_000_000 + at));
			const workflow = await imports();
			const { html } = await sent(workflow, [...numbers, numbers[0]], 'water-1');
			expect(html).toContain('1000 sent');
			expect(texts().map(({ to }) => to.length)).toEqual(Array<number>(5).fill(200));
			expect(
				texts()
					.flatMap(({ to }) => to)
					.sort(),
			).toEqual(numbers);
			const again = await sent(workflow, [...numbers, '13900000000'], 'water-1');
			expect(again.html).toContain('1 sent, 1000 left out');
			expect(
				texts()
					.slice(5)
					.map(({ to }) => to),
			).toEqual([['13900000000']]);
			const third = await sent(workflow, numbers, 'water-1');
			expect(third.html).toContain('0 sent, 1000 left out');
		});

		test('sends nothing of a list with a wrong number, and says where it is', async () => {
			const { html } = await sent(await imports(), [ANSWERS, 'nobody'], 'water-2');
			expect(html).toMatch(/0 sent, 0 left out[^]*To/);
			expect(texts()).toEqual([]);
		});

		test('tells what became of a list of which one request failed', async () => {
			const numbers = Array.from({ length: 300 }, (_, at) => String(13_800_001_000 + at));
			const workflow = await imports();
			world().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
			const { html } = await sent(workflow, numbers, 'power-1');
			expect(html).toMatch(/(?:100|200) sent, 0 left out/);
		});
	});

	test.each([
		['above', 100, 'Enough Left'],
		['below', 2000, 'Call Owner'],
	])('low-balance-alarm: handles a balance %s the limit of %d', async (_, limit, branch) => {
		const { rest } = world().n8n;
		const example = await readExample('low-balance-alarm.json');
		const { conditions } = findNode(example, 'Balance Low?').parameters.conditions as {
			conditions: Array<{ rightValue: number }>;
		};
		const workflow = await imported(example, {
			'Call Owner': { to: ANSWERS },
			...(limit !== conditions[0].rightValue && {
				'Balance Low?': {
					conditions: {
						...(findNode(example, 'Balance Low?').parameters.conditions as object),
						conditions: [{ ...conditions[0], rightValue: limit }],
					},
				},
			}),
		});
		const execution = await rest.runToEnd(workflow, 'Every Morning');
		expect(execution.error).toBeUndefined();
		expect(execution.nodesRun).toEqual(['Every Morning', 'Get Account', 'Balance Low?', branch]);
		expect(findRequests('LandingCalls').map(({ fields }) => [fields.to, fields.mediaTxt])).toEqual(
			branch === 'Call Owner' ? [[ANSWERS, expect.stringContaining('余额只剩 1024.50 元')]] : [],
		);
	});

	test('sub-account-onboarding: stores and welcomes a new customer once', async () => {
		const { rest } = world().n8n;
		const columns = ['email', 'name', 'mobile', 'subAccountSid', 'voipAccount', 'since'];
		const table = await createTable('Customers', columns);
		const workflow = await imported('sub-account-onboarding.json', {
			'Keep Customer': { dataTableId: dataTable(table) },
			'Text Welcome': { templateId: '100001' },
		});
		await rest.activate(workflow);
		const signUp = async () => {
			return await filledIn(workflow, ['王芳', 'wangfang@example.com', ANSWERS]);
		};
		const first = await signUp();
		const [created, ...others] = world()
			.simulator.accepted()
			.filter((each): each is AcceptedSubAccount => each.kind === 'subAccount');
		expect([created.friendlyName, others]).toEqual(['wangfang@example.com', []]);
		const kept = [
			expect.objectContaining({
				email: 'wangfang@example.com',
				name: '王芳',
				mobile: ANSWERS,
				subAccountSid: created.subAccountSid,
				voipAccount: expect.stringMatching(/^\d{14}$/) as string,
				since: expect.stringMatching(/\+08:00$/) as string,
			}),
		];
		expect(await rest.dataTableRows(table)).toEqual(kept);
		expect(first.storedText).not.toMatch(/subToken|voipPwd/);
		const welcome = [expect.objectContaining({ to: [ANSWERS], datas: ['王芳'] })];
		expect(texts()).toEqual(welcome);

		const second = await signUp();
		expect(second.nodesRun).toContain('Known Already');
		expect(await rest.dataTableRows(table)).toEqual(kept);
		expect(texts()).toEqual(welcome);
	});

	test('sms-reports-and-replies: keeps what became of an SMS, and what was answered', async () => {
		const { rest } = world().n8n;
		const columns = ['smsMessageSid', 'number', 'state', 'at', 'text'];
		const table = await createTable('SMS', columns);
		const kept = { dataTableId: dataTable(table) };
		const workflow = await activated('sms-reports-and-replies.json', {
			'Text Customer': { templateId: '100001' },
			'Keep SMS': kept,
			'Keep Report': kept,
			'Keep Reply': kept,
		});
		await filledIn(workflow, [ANSWERS, '王芳']);
		const [{ smsMessageSid }] = texts();
		const rows = async () =>
			(await rest.dataTableRows(table)).map((row) => [row.smsMessageSid, row.number, row.state]);
		expect(await rows()).toEqual([[smsMessageSid, ANSWERS, 'sent']]);

		const url = rest.triggerUrl(findNode(workflow, 'Report or Reply'));
		await world().simulator.sendSmsReport(smsMessageSid, { url });
		const delivered = [smsMessageSid, ANSWERS, 'delivered'];
		await until('the report', async () => (await rows())[0][2] === 'delivered' || undefined);
		expect(await rows()).toEqual([delivered]);

		await world().simulator.sendSmsReply({ number: ANSWERS, text: ' 退订 ' }, { url });
		await until('the reply', async () => (await rows()).length > 1 || undefined);
		expect((await rows())[1].slice(1)).toEqual([ANSWERS, 'unsubscribed']);
	});

	test('call-log: keeps results and shows them only with the password', async () => {
		const { rest, url } = world().n8n;
		const columns = ['callSid', 'receivedAt', 'number', 'event', 'outcome', 'userData'];
		const table = await createTable('Calls', columns, { seconds: 'number' });
		const { credentials, authorization } = await basicAuth('log');
		const workflow = await imported(
			'call-log.json',
			{
				'Try a Call': { options: { userData: '<b>Fish & Chips</b>' } },
				'Write Log': { dataTableId: dataTable(table) },
				'Read Log': { dataTableId: dataTable(table) },
			},
			{ 'Log Page': credentials },
		);
		await rest.activate(workflow);
		const page = `${url}/webhook/${String(findNode(workflow, 'Log Page').parameters.path)}`;
		const shown = async () => {
			const response = await fetch(page, { headers: { authorization } });
			expect(response.headers.get('content-type')).toMatch(/^text\/html/);
			return await response.text();
		};
		await until('the page', async () => ((await fetch(page)).status === 401 ? true : undefined));
		expect(await shown()).not.toContain('<td>');

		await filledIn(workflow, [ANSWERS]);
		const [call] = calls.all();
		const [row] = await until('the row', async () => {
			const rows = await rest.dataTableRows(table);
			return rows.length > 0 ? rows : undefined;
		});
		expect(row).toMatchObject({
			callSid: call.callSid,
			number: ANSWERS,
			event: 'voiceNotification',
			outcome: 'completed',
			seconds: 30,
			userData: '<b>Fish & Chips</b>',
		});
		const html = await shown();
		expect(html).toContain(
			`<td>${ANSWERS}</td><td>voiceNotification</td><td>completed</td><td>30</td>`,
		);
		expect(html).toContain('<td>&#60;b&#62;Fish &#38; Chips&#60;/b&#62;</td>');
		const unsigned = call.respUrl?.split('?')[0];
		expect(await calls.deliver(call, { url: unsigned, fields: { callSid: '9'.repeat(32) } })).toBe(
			403,
		);
	});

	// n8n has a human review of an agent's tools since 2.x; 1.123 does not know the node.
	(isFirstGeneration ? describe.skip : describe)(AGENT, () => {
		const ASK = 'Ask Before Sending';
		let model: ScriptedModel;
		let workflow: StoredWorkflow;

		beforeAll(async () => {
			const { rest } = world().n8n;
			model = await ScriptedModel.start();
			const name = 'The scripted model';
			const id = await rest.createCredential('openAiApi', name, {
				apiKey: 'only-for-the-test',
				url: model.url,
			});
			const allowed = { allowedRecipients: `${ANSWERS},${ANSWERS_NOT}` };
			workflow = await imported(
				AGENT,
				{ Text: { ...TEMPLATE, options: allowed }, Call: { options: allowed } },
				{ Model: { openAiApi: { id, name } } },
			);
			await rest.activate(workflow);
		});
		afterAll(async () => {
			await model.stop();
		});

		/** Writes to the chat, and gives the question that the agent asks before it uses a tool. */
		async function wished(chatInput: string) {
			const { rest } = world().n8n;
			const id = await until('the chat', async () =>
				rest
					.chat(findNode(workflow, 'When Chat Message Received'), chatInput)
					.catch(() => undefined),
			);
			const asked = await until('the question', async () => {
				const execution = await rest.execution(id);
				if (execution.error) throw new Error(execution.error.message);
				const [item] = execution.getRuns(ASK).at(-1)?.data?.ai_tool?.[0] ?? [];
				const said = execution.status === 'waiting' ? item?.sendMessage : undefined;
				return typeof said === 'object' ? said : undefined;
			});
			return { id, ...asked };
		}

		/** Clicks a button below the question, and gives what the chat is told in the end. */
		async function clicked(
			{ id, buttons }: Awaited<ReturnType<typeof wished>>,
			label: 'Approve' | 'Decline',
		) {
			const button = buttons.find(({ text }) => text.includes(label));
			if (!button) throw new Error(`No button "${label}": ${JSON.stringify(buttons)}`);
			// To a client that does not call itself a browser n8n says 200, and does nothing.
			const clicking = await fetch(button.link, { headers: { 'user-agent': BROWSER } });
			expect(clicking.status).toBe(200);
			// Then the execution waits until an open chat has taken the answer: there is none here.
			return await until('the answer', async () => {
				const execution = await world().n8n.rest.execution(id);
				if (execution.error) throw new Error(execution.error.message);
				return execution.getRuns('Answer').at(-1)?.data?.main?.[0]?.[0]?.sendMessage;
			});
		}

		/** What the model is told of the tool that it wanted to use. */
		const toldToModel = () =>
			model.requests
				.at(-1)
				?.messages.filter(({ role }) => role === 'tool')
				.map(({ content }) => content);

		/** What the model says to use a tool that a human reviews: the schema asks for this form. */
		const wish = (tool: string, toolParameters: Record<string, string>): ModelAnswer => ({
			tool,
			args: { toolParameters, hitlParameters: {} },
		});

		test('sends an SMS only after it was approved', async () => {
			const parcel = { to: ANSWERS_NOT, name: '王芳', place: '门口' };
			model.follow(wish('Text', parcel), 'The text is on its way.');
			const question = await wished('Tell 13800000001 that the parcel is at the gate');
			expect(question.text).toMatch(/wants to use Text:[^]*13800000001[^]*王芳[^]*门口/);
			const offered = model.requests[0].tools?.map(({ function: { name } }) => name);
			expect(offered?.sort()).toEqual(['Call', 'Text']);
			expect(world().simulator.record.requests).toEqual([]);

			expect(await clicked(question, 'Approve')).toBe('The text is on its way.');
			expect(texts()).toEqual([
				expect.objectContaining({ to: [ANSWERS_NOT], datas: ['王芳', '门口'] }),
			]);
			expect(toldToModel()).toEqual([expect.stringContaining(texts()[0].smsMessageSid)]);
		});

		test('calls nobody who is not allowed, approved or not, and tells the model so', async () => {
			model.follow(wish('Call', { to: FAILS, message: '您好' }), 'I may not call that number.');
			const question = await wished('Call 13800000002');
			expect(await clicked(question, 'Approve')).toBe('I may not call that number.');
			expect(world().simulator.record.requests).toEqual([]);
			expect(toldToModel()).toEqual([expect.stringContaining('Allowed Recipients')]);
		});

		test('sends nothing when it is declined, and tells the model so', async () => {
			model.follow(wish('Text', { to: ANSWERS, name: '王芳', place: '门口' }), 'I sent nothing.');
			const question = await wished('Say hello to 13800000000');
			expect(await clicked(question, 'Decline')).toBe('I sent nothing.');
			expect(world().simulator.record.requests).toEqual([]);
			expect(toldToModel()).toEqual([expect.stringMatching(/rejected the tool call to Text/)]);
		});
	});

	test('use only nodes and parameters that n8n knows', async () => {
		const types = await world().n8n.rest.nodeTypes();
		const unknown = (await exampleFiles())
			.filter((file) => !(isFirstGeneration && file === AGENT))
			.map(async (file) =>
				(await readExample(file)).nodes.flatMap(({ name, type, typeVersion, parameters }) => {
					const known = types.find(
						(each) => each.name === type && [each.version].flat().includes(typeVersion),
					);
					if (!known) return [`${file}, ${name}: ${type} ${typeVersion}`];
					const properties = known.properties.map((property) => property.name);
					return Object.keys(parameters)
						.filter((parameter) => !properties.includes(parameter))
						.map((parameter) => `${file}, ${name}: ${parameter}`);
				}),
			);
		expect((await Promise.all(unknown)).flat()).toEqual([]);
	});

	test('all have a test, the sign-ins in a file of their own', async () => {
		const files = [__filename, join(__dirname, 'signInExamples.test.ts')];
		const tests = await Promise.all(files.map(async (file) => await readFile(file, 'utf8')));
		const untested = (await exampleFiles()).filter(
			(file) => !tests.some((text) => text.includes(file.slice(0, -5))),
		);
		expect(untested).toEqual([]);
	});
});
