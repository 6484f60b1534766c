import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedMessage, AcceptedSubAccount, OperationName } from '../../simulator';
import { projectFolder } from '../harness/paths';
import type { Execution } from '../harness/storedExecution';
import type { StoredWorkflow, WorkflowDefinition } from '../harness/n8nRest';
import { until } from '../harness/until';
import { exampleOrder, importExample } from '../harness/example';
import { ScriptedModel, type ModelAnswer } from './support/exampleModel';
import {
	dataTable,
	importFilledIn,
	nodeOf,
	readExample,
	withValues,
	type FilledIn,
	type OtherCredentials,
} from '../harness/examples';
import { Calls } from '../harness/callResults';
import { ChatRobot } from './support/chatRobot';
import { atHome, readPage, sendForm, sendPage, type Entry, type SentForm } from '../harness/forms';
import { chain, hook, Startable } from '../harness/waitWorkflows';
import { node } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';

/** As many as a machine that runs other tests can take. */
const MANY = 30;
const MANY_LIMIT_MS = 120_000;

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
		const before = await rest.executionsOf(workflow);
		const given = await act();
		const { id } = await until('what that starts', async () => {
			const after = await rest.executionsOf(workflow);
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
	async function tableOf(name: string, columns: string[], others: Record<string, 'number'> = {}) {
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
	async function pageOf({ executionId, nextPage = '' }: SentForm, name: RegExp) {
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
		expect(execution.itemsOf('Call Customer')[0].json.outcome).toBe(outcome);
		expect(calls.all()).toEqual([expect.objectContaining({ to })]);
		expect(texts()).toEqual(
			datas.map((each) => expect.objectContaining({ to: [to], templateId: '100002', datas: each })),
		);
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
		expect(execution.itemsOf('Get Result').at(-1)?.json.outcome).toBe(
			count > 0 ? 'noAnswer' : 'completed',
		);
		expect(calls.all().map((call) => [call.to, call.respUrl])).toEqual([[to, undefined]]);
		expect(texts()).toHaveLength(count);
	});

	const peopleOf = (numbers: string[]) => ({
		people: numbers.map((to, at) => ({ name: `Person ${at + 1}`, to })),
	});
	const people = (numbers: string[]) => ({
		People: { jsonOutput: JSON.stringify(peopleOf(numbers)) },
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
			...people([ANSWERS, ANSWERS_NOT, '138-nobody', FAILS, HANGS_UP, '', '13800000011', ANSWERS]),
			'Text the Rest': { templateId: '100001' },
		});
		const submit = async () =>
			await pageOf(
				await sendForm(world().n8n, workflow, ['今天下午三点', 'water-1', '4']),
				/^Page/,
			);
		const { html, execution } = await submit();
		expect(html).toContain('1 answered, 3 texted, 4 not reached');
		const rows = execution.itemsOf('Outcome').map(({ json }) => json);
		const row = (at: number, to: string, outcome: string, answered: boolean, seconds: number) => ({
			name: `Person ${at}`,
			to,
			outcome,
			answered,
			seconds,
			remark: '',
		});
		expect(rows).toEqual([
			row(1, ANSWERS, 'completed', true, 30),
			row(2, ANSWERS_NOT, 'noAnswer', false, 0),
			row(4, FAILS, 'failed', false, 0),
			row(5, HANGS_UP, 'completed', false, 0),
		]);
		expect(execution.itemsOf('Not Called').map(({ json }) => [json.name, json.remark])).toEqual([
			['Person 3', expect.stringContaining('not a phone number')],
			['Person 6', expect.stringContaining('empty')],
			['Person 7', expect.stringContaining('more than 4')],
			['Person 8', expect.stringContaining('more than 4')],
		]);
		expect(execution.itemsOf('Rest').map(({ json }) => [json.name, json.sms])).toEqual(
			['Person 3', 'Person 6', 'Person 7', 'Person 8'].map((name) => [name, 'not sent']),
		);
		const called = calls.all().map(({ to }) => to);
		expect(called.sort()).toEqual([ANSWERS, ANSWERS_NOT, FAILS, HANGS_UP].sort());
		expect(texts().map(({ to, datas }) => [to, datas])).toEqual([
			[[ANSWERS_NOT, FAILS, HANGS_UP], ['今天下午三点']],
		]);
		const again = await submit();
		expect(again.execution.itemsOf('Reached').map(({ json }) => json.outcome)).toEqual(
			Array<string>(4).fill('calledBefore'),
		);
		expect(again.html).toMatch(/0 answered, 0 texted, 4 not reached[^]*4 were called or texted/);
		expect(world().simulator.accepted()).toHaveLength(5);
	});

	test(
		'call-a-list-then-sms: gives everyone of many their own result',
		async () => {
			world().simulator.configure({ callResultDelayMs: 0 });
			const numbers = Array.from(
				{ length: MANY },
				(_, at) => `1380000${1000 + at * 10 + (at % 3 ? 0 : 1)}`,
			);
			const workflow = await activated('call-a-list-then-sms.json', {
				...people(numbers),
				'Text the Rest': { templateId: '100001' },
			});
			const { executionId } = await sendForm(world().n8n, workflow, ['明天', 'water-2', '100']);
			const execution = await until(
				'the page',
				async () => {
					const each = await world().n8n.rest.execution(executionId);
					return /^Page/.test(each.nodesRun.at(-1) ?? '') ? each : undefined;
				},
				{ timeoutMs: MANY_LIMIT_MS },
			);
			const results = execution.itemsOf('Call People').map(({ json }) => json);
			expect(results.map(({ number, answered }) => [number, answered])).toEqual(
				numbers.map((number) => [number, number.endsWith('0')]),
			);
			const sids = (all: Array<{ callSid?: unknown }>) => all.map(({ callSid }) => callSid).sort();
			expect(sids(results)).toEqual(sids(calls.all()));
		},
		MANY_LIMIT_MS,
	);

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

	const requestsOf = (operation: OperationName) =>
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
			requestsOf('LandingCalls')
				.map(({ fields }) => [fields.to, fields.mediaTxt])
				.sort();
		const call = (what: string): unknown => [
			ANSWERS,
			expect.stringMatching(new RegExp(`^InstanceDown：主机 ${what} 没有响应`)),
		];
		expect(said()).toEqual([call('a1'), call('c3')]);
		const again = await report(alarm('a1'), alarm('c3'));
		expect(again.itemsOf('Call on Duty').map(({ json }) => json.duplicate)).toEqual([true, true]);
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
		const [{ fields }] = requestsOf('LandingCalls');
		expect(fields.to).toBe(ANSWERS);
		expect(fields.mediaTxt).toBe(
			'您好，n8n 工作流“Nightly export”运行出错，出错的节点是“Fetch Orders”。',
		);
	});

	test('daily-reminder-from-table: reminds everyone who is due, once', async () => {
		const { rest } = world().n8n;
		const columns = ['name', 'mobile', 'what', 'due', 'reminded'];
		const table = await tableOf('Reminders', columns);
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
		expect(first.itemsOf('Incomplete')).toHaveLength(3);
		expect(await reminded()).toEqual(['yes', 'no', 'yes', 'no', 'no', 'no']);
		await rest.runToEnd(workflow, 'Every Morning');
		expect(texts()).toEqual(sent);
	});

	describe('on-call-kit', () => {
		const [FIRST, SECOND, THIRD] = ['13800000021', '13800000031', '13800000041'];
		const PATH = 'on-call-change-me';
		let robot: ChatRobot;
		let workflow: StoredWorkflow;
		let authorization: string;
		let incidents: string;

		beforeAll(async () => {
			const { rest } = world().n8n;
			robot = await ChatRobot.start();
			incidents = await tableOf('Incidents', ['incident', 'state', 'title', 'since', 'takenBy']);
			const duty = await tableOf('Duty', ['name', 'mobile'], { place: 'number' });
			await rest.insertRows(duty, [
				{ name: '李伟', mobile: SECOND, place: 2 },
				{ name: '王芳', mobile: FIRST, place: 1 },
				{ name: '张敏', mobile: THIRD, place: 3 },
				{ name: '赵云', mobile: '13800000051', place: 0 },
			]);
			const login = await basicAuth('monitoring');
			({ authorization } = login);
			const example = await readExample('on-call-kit.json');
			const ofIncidents = [
				'Known Incident',
				'Open Incident',
				'Close Incident',
				'Look Again',
				'Taken',
			];
			workflow = await imported(
				example,
				{
					...withValues(example, 'Settings', { chat: `${robot.url}/open.feishu.cn/hook` }),
					...Object.fromEntries(
						ofIncidents.map((name) => [name, { dataTableId: dataTable(incidents) }]),
					),
					Duty: { dataTableId: dataTable(duty) },
					'Text Details': TEMPLATE,
				},
				{ Alarm: login.credentials },
			);
			await rest.activate(workflow);
		});
		afterAll(async () => {
			await robot.stop();
		});
		beforeEach(() => {
			robot.messages.length = 0;
		});

		/** Posts what a monitoring system sends, and gives the id of what it starts. */
		async function posted(body: object): Promise<string> {
			const { id, given } = await startedBy(workflow, async () => {
				return await fetch(`${world().n8n.url}/webhook/${PATH}`, {
					method: 'POST',
					headers: { authorization, 'content-type': 'application/json', connection: 'close' },
					body: JSON.stringify(body),
				});
			});
			expect(given.status).toBe(200);
			return id;
		}

		/** The execution, once it has waited for so many answers from the chat. */
		const waitingFor = async (id: string, count: number) =>
			await until(`wait ${count} of execution ${id}`, async () => {
				const execution = await world().n8n.rest.execution(id);
				if (execution.error) throw new Error(execution.error.message);
				const waits = execution.runsOf('Wait for Acknowledgement').length;
				return execution.status === 'waiting' && waits === count ? execution : undefined;
			});

		const linkIn = (message: string) => {
			const [link] = /http\S+form-waiting\S+/.exec(message) ?? [];
			if (!link) throw new Error(`No link in ${message}`);
			return atHome(link, world().n8n.url);
		};

		const rowOf = async (id: string) =>
			(await world().n8n.rest.dataTableRows(incidents)).find(({ incident }) => incident === id);

		const alertmanager = (status: string, fingerprint: string, severity = 'critical') => ({
			version: '4',
			groupKey: `{}:{alertname="${fingerprint}"}`,
			status,
			alerts: [
				{
					status,
					labels: { alertname: 'InstanceDown', severity, instance: 'db1:9100' },
					annotations: { summary: '主机 db1 没有响应' },
					startsAt: '2026-01-02T03:04:05.678Z',
					fingerprint,
				},
			],
		});

		test('calls the first twice, then the second, then everybody, and texts each once', async () => {
			const id = await posted(alertmanager('firing', 'a1'));
			const rounds = [[FIRST], [FIRST], [SECOND], [FIRST, SECOND, THIRD]];
			for (const [at, round] of rounds.entries()) {
				await waitingFor(id, at + 1);
				const before = rounds.slice(0, at).flat().length;
				const called = calls.all().map(({ to }) => to);
				expect(called.slice(before).sort()).toEqual(round);
				// An empty answer is what n8n goes on with when the time is up.
				await sendPage(linkIn(robot.messages[0]));
			}
			const execution = await world().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			expect(execution.nodesRun).toContain('Nobody Took It');
			expect(texts().map(({ to }) => to)).toEqual([[FIRST], [SECOND], [THIRD]]);
			expect(texts()[0].datas).toEqual(['InstanceDown', '主机 db1 没有响应']);
			expect(robot.messages).toHaveLength(1);
			expect(robot.messages[0]).toMatch(/InstanceDown/);
		});

		test('stops when somebody takes it, and does not begin again when the alarm is repeated', async () => {
			const id = await posted(alertmanager('firing', 'b2'));
			await waitingFor(id, 1);
			const page = linkIn(robot.messages[0]);
			expect(await readPage(page)).toContain('InstanceDown');
			await sendPage(page, ['王芳']);
			const execution = await world().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			expect(calls.all().map(({ to }) => to)).toEqual([FIRST]);
			expect(await rowOf('{}:{alertname="b2"}')).toMatchObject({ state: 'taken', takenBy: '王芳' });

			const again = await world().n8n.rest.ended(await posted(alertmanager('firing', 'b2')));
			expect(again.nodesRun).toContain('Known Already');
			expect(calls.all()).toHaveLength(1);
		});

		test('stops before the next call when the alarm is resolved', async () => {
			const id = await posted(alertmanager('firing', 'c3'));
			await waitingFor(id, 1);
			await world().n8n.rest.ended(await posted(alertmanager('resolved', 'c3')));
			await sendPage(linkIn(robot.messages[0]));
			const execution = await world().n8n.rest.ended(id);
			expect(execution.nodesRun).toContain('Over');
			expect(calls.all()).toHaveLength(1);
		});

		const AT = '2026-01-02 03:04:05';
		test.each([
			[
				'Grafana',
				(state: string) => ({ ...alertmanager(state, 'grafana'), orgId: 1, state: 'alerting' }),
				{ title: 'InstanceDown' },
			],
			[
				'Zabbix',
				(state: string) => ({
					event_id: '17',
					event_value: state === 'firing' ? '1' : '0',
					event_name: 'Disk full',
					event_nseverity: '5',
					event_time: AT,
					host_name: 'db1',
				}),
				{ title: 'Disk full' },
			],
			[
				'Nightingale',
				(state: string) => [
					{
						hash: 'd3b0',
						rule_name: '磁盘将满',
						severity: 1,
						target_ident: 'db1',
						trigger_value: '95',
						is_recovered: state === 'resolved',
						first_trigger_time: 1767323045,
					},
				],
				{ title: '磁盘将满' },
			],
			[
				'Uptime Kuma',
				(state: string) => ({
					heartbeat: { status: state === 'firing' ? 0 : 1, time: AT, msg: 'timeout' },
					monitor: { id: 3, name: 'Shop' },
					msg: '[Shop] Down',
				}),
				{ title: 'Shop' },
			],
			[
				'HertzBeat',
				(status: string) => ({
					status,
					commonLabels: { alertName: 'CPU high' },
					alerts: [{ labels: { instance: 'db2' }, content: 'CPU 97%', startAt: AT }],
				}),
				{ title: 'CPU high' },
			],
		])('understands %s, and closes what it opened', async (_, event, { title }) => {
			const id = await posted(event('firing'));
			await waitingFor(id, 1);
			expect(String(requestsOf('LandingCalls').at(-1)?.fields.mediaTxt)).toContain(title);
			const closing = await world().n8n.rest.ended(await posted(event('resolved')));
			expect(closing.itemsOf('Close Incident')[0].json).toMatchObject({ state: 'resolved', title });
			await sendPage(linkIn(robot.messages[0]));
			expect((await world().n8n.rest.ended(id)).nodesRun).toContain('Over');
		});

		test.each([
			['info', 'warning'],
			['Warning', 'warning'],
			['一般', 'warning'],
			['page', 'critical'],
			['P1', 'critical'],
			['high', 'critical'],
			['Critical', 'critical'],
			['严重', 'critical'],
		])('takes severity %s as %s', async (given, taken) => {
			const id = await posted(alertmanager('resolved', `of severity ${given}`, given));
			const execution = await world().n8n.rest.ended(id);
			expect(execution.itemsOf('Read Alarm')[0].json.severity).toBe(taken);
			expect(calls.all()).toEqual([]);
		});

		test('starts from its form, too, for whoever tries it', async () => {
			const { executionId } = await sendForm(world().n8n, workflow, [
				'Try me',
				'db3',
				'critical',
				'firing',
			]);
			await waitingFor(executionId, 1);
			await sendPage(linkIn(robot.messages[0]), ['王芳']);
			await world().n8n.rest.ended(executionId);
			expect(calls.all()).toHaveLength(1);
		});
	});

	describe('appointment-reminders-from-file', () => {
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			workflow = await activated('appointment-reminders-from-file.json', {
				'Text Reminder': { templateId: '100002' },
			});
		});
		const uploaded = async (name: string, content: Buffer, atMost = '100') =>
			await pageOf(await sendForm(world().n8n, workflow, [{ name, content }, atMost]), /^Page/);
		const told = () =>
			texts()
				.map(({ to, datas }) => [...to, ...datas])
				.sort();
		const rest = (execution: Execution) =>
			execution.itemsOf('Rest').map(({ json }) => [json.name, json.result, json.reason]);
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
				'name,mobile,time',
				'A,138 0000 0010,9:30',
				'B,nobody,9:45',
				',13800000011,9:50',
				'\ufffd\ufffd,13800000011,9:50',
				'C,13800000011,10',
				'D,13800000012,11',
			];
			const { html, execution } = await uploaded('UPPER.CSV', Buffer.from(lines.join('\n')), '2');
			expect(told()).toEqual([
				['13800000010', 'A', '9:30'],
				['13800000011', 'C', '10'],
			]);
			expect(html).toContain('2 sent, 4 not');
			expect(html).toContain('rest.xlsx');
			expect(rest(execution)).toEqual([
				['B', 'not sent', expect.stringContaining('not a mobile number')],
				['', 'not sent', expect.stringContaining('empty: name')],
				['\ufffd\ufffd', 'not sent', expect.stringContaining('save your original file as UTF-8')],
				['D', 'not sent', expect.stringContaining('more than 2')],
			]);
		});

		test('sends nothing of what a file in the encoding of Chinese Excel makes illegible', async () => {
			const gbk = (...lines: string[]) => Buffer.from(lines.join('0d0a'), 'hex');
			const headings = '6e616d652c6d6f62696c652c74696d65';
			// 王芳 has no meaning in UTF-8; 郑伟 reads as two letters of other scripts.
			const wangFang = 'cdf5b7bc2c31333830303030303031342c31323a3030';
			const zhengWei = 'd6a3ceb02c31333830303030303031352c31323a3030';
			const ann = '416e6e2c31333830303030303031362c31323a3030';
			const reasons = (execution: Execution) => rest(execution).map(([, , reason]) => reason);
			const saveAsUtf8 = expect.stringContaining('save your original file as UTF-8') as unknown;

			const first = await uploaded('gbk.csv', gbk(headings, wangFang, zhengWei, ann));
			expect(first.html).toContain('1 sent, 2 not');
			expect(reasons(first.execution)).toEqual([saveAsUtf8, saveAsUtf8]);

			// The headings 姓名, 手机号 and 时间 in GBK.
			const second = await uploaded(
				'headings.csv',
				gbk('d0d5c3fb2ccad6bbfabac52ccab1bce4', wangFang),
			);
			expect(second.html).toContain('0 sent, 1 not');
			expect(reasons(second.execution)).toEqual([saveAsUtf8]);

			const lines = ['姓名,手机号,时间', '王芳,13800000014,12:00', '郑伟,1.38E+10,12:00'];
			const third = await uploaded('utf8.csv', Buffer.from(lines.join('\n')));
			expect(third.html).toContain('1 sent, 1 not');
			expect(reasons(third.execution)).toEqual([expect.stringContaining('shortened number')]);
			expect(told()).toEqual([
				['13800000014', '王芳', '12:00'],
				['13800000016', 'Ann', '12:00'],
			]);
		});

		test('names what the service refused', async () => {
			world().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
			const { html, execution } = await uploaded(
				'refused.csv',
				Buffer.from('name,mobile,time\nE,13800000013,12'),
			);
			expect(html).toContain('0 sent, 1 not');
			expect(rest(execution)).toEqual([['E', 'not sent', expect.stringContaining('160034')]]);
		});
	});

	test('same-notice-to-thousands: reaches 1,000 people with 5 requests, and nobody twice', async () => {
		const numbers = Array.from({ length: 1000 }, (_, at) => String(13_800_000_000 + at));
		const workflow = await activated('same-notice-to-thousands.json', {
			'Text Everybody': { templateId: '100000' },
		});
		const sent = async (list: string[], atMost: string) =>
			await pageOf(
				await sendForm(world().n8n, workflow, [list.join('\r\n'), 'water-1', atMost]),
				/^Page/,
			);
		const { html, execution } = await sent(
			[...numbers, 'nobody', numbers[0], '+86 139-0000-0000'],
			'1000',
		);
		expect(html).toContain('1,000 sent, 3 not');
		expect(requestsOf('TemplateSMS')).toHaveLength(5);
		expect(texts().map(({ to }) => to.length)).toEqual(Array<number>(5).fill(200));
		expect(
			texts()
				.flatMap(({ to }) => to)
				.sort(),
		).toEqual(numbers);
		expect(execution.itemsOf('Rest').map(({ json }) => [json.to, json.reason])).toEqual([
			['nobody', expect.stringContaining('not a mobile number')],
			[numbers[0], expect.stringContaining('twice')],
			['13900000000', expect.stringContaining('more than 1000')],
		]);
		const again = await sent(numbers, '1000');
		expect(again.html).toMatch(/0 sent, 0 not[^]*1,000 repeat what was sent/);
		expect(requestsOf('TemplateSMS')).toHaveLength(5);
	});

	test('same-notice-to-thousands: tells apart the numbers of requests that failed', async () => {
		const numbers = Array.from({ length: 300 }, (_, at) => String(13_800_001_000 + at));
		const workflow = await activated('same-notice-to-thousands.json', {
			'Text Everybody': { templateId: '100000' },
		});
		world().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
		const { html } = await pageOf(
			await sendForm(world().n8n, workflow, [numbers.join('\n'), 'power-1', '500']),
			/^Page/,
		);
		expect(html).toMatch(/(?:100|200) sent, (?:100|200) not/);
	});

	test.each([
		['above', 100, 'Enough Left'],
		['below', 2000, 'Call Owner'],
	])('low-balance-alarm: handles a balance %s the limit of %d', async (_, limit, branch) => {
		const { rest } = world().n8n;
		const example = await readExample('low-balance-alarm.json');
		const { conditions } = nodeOf(example, 'Balance Low?').parameters.conditions as {
			conditions: Array<{ rightValue: number }>;
		};
		const workflow = await imported(example, {
			'Call Owner': { to: ANSWERS },
			...(limit !== conditions[0].rightValue && {
				'Balance Low?': {
					conditions: {
						...(nodeOf(example, 'Balance Low?').parameters.conditions as object),
						conditions: [{ ...conditions[0], rightValue: limit }],
					},
				},
			}),
		});
		const execution = await rest.runToEnd(workflow, 'Every Morning');
		expect(execution.error).toBeUndefined();
		expect(execution.nodesRun).toEqual(['Every Morning', 'Get Account', 'Balance Low?', branch]);
		expect(requestsOf('LandingCalls').map(({ fields }) => [fields.to, fields.mediaTxt])).toEqual(
			branch === 'Call Owner' ? [[ANSWERS, expect.stringContaining('余额只剩 1024.50 元')]] : [],
		);
	});

	test('sub-account-onboarding: stores and welcomes a new customer once', async () => {
		const { rest } = world().n8n;
		const columns = ['email', 'name', 'mobile', 'subAccountSid', 'voipAccount', 'since'];
		const table = await tableOf('Customers', columns);
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
		const table = await tableOf('SMS', columns);
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

		const url = rest.triggerUrl(nodeOf(workflow, 'Report or Reply'));
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
		const table = await tableOf('Calls', columns, { seconds: 'number' });
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
		const page = `${url}/webhook/${String(nodeOf(workflow, 'Log Page').parameters.path)}`;
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
		expect(await calls.statusOf(call, { url: unsigned, fields: { callSid: '9'.repeat(32) } })).toBe(
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
				rest.chat(nodeOf(workflow, 'When Chat Message Received'), chatInput).catch(() => undefined),
			);
			const asked = await until('the question', async () => {
				const execution = await rest.execution(id);
				if (execution.error) throw new Error(execution.error.message);
				const [item] = execution.runsOf(ASK).at(-1)?.data?.ai_tool?.[0] ?? [];
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
				return execution.runsOf('Answer').at(-1)?.data?.main?.[0]?.[0]?.sendMessage;
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
