import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
	AcceptedCall,
	AcceptedMessage,
	AcceptedSubAccount,
	OperationName,
} from '../simulator';
import { projectFolder } from './harness/paths';
import type { Execution } from './harness/storedExecution';
import type { StoredWorkflow, WorkflowDefinition } from './harness/n8nRest';
import { until } from './harness/until';
import { importExample } from './support/example';
import { ScriptedModel, type ModelAnswer } from './support/exampleModel';
import {
	dataTable,
	importFilledIn,
	nodeOf,
	readExample,
	withValues,
	type FilledIn,
	type OtherCredentials,
} from './support/examples';
import { Calls } from './support/callResults';
import { chain, hook, Startable } from './support/waitWorkflows';
import { node } from './support/workflows';
import { describeOnEachN8n } from './support/world';

/** As many as a machine that runs other tests can take. */
const MANY = 30;
const MANY_LIMIT_MS = 120_000;
const RUN_LIMIT_MS = 60_000;
/** Longer than the tests take. */
const NO_RESULT_MS = 24 * 60 * 60_000;

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

	/** The same example is imported several times, and n8n listens at an address once. */
	const atOwnAddress = (example: WorkflowDefinition): WorkflowDefinition => ({
		...example,
		nodes: example.nodes.map((node) =>
			node.webhookId ? { ...node, webhookId: randomUUID() } : node,
		),
	});

	const texts = (): AcceptedMessage[] =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	/**
	 * Runs a workflow whose calls wait without a relay, and sends each its result once n8n has parked
	 * the execution: one that comes earlier is lost.
	 */
	async function runWithResults(workflow: StoredWorkflow, trigger: string): Promise<Execution> {
		const { n8n, simulator } = world();
		simulator.configure({ callResultDelayMs: NO_RESULT_MS });
		const id = await n8n.rest.run(workflow, trigger);
		const reported = new Set<string>();
		return await until(
			`the end of execution ${id}`,
			async () => {
				for (const call of calls.all().filter(({ callSid }) => !reported.has(callSid))) {
					reported.add(call.callSid);
					await calls.untilParked(call);
					await calls.send(call, { expectAcknowledgement: true });
				}
				const execution = await n8n.rest.execution(id);
				return execution.isComplete ? execution : undefined;
			},
			{ timeoutMs: RUN_LIMIT_MS },
		);
	}

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

	/** Imports the example with the number to call, runs it by hand, and gives the execution. */
	async function ordered(to: string) {
		const example = await readExample('call-and-wait-then-sms.json');
		const workflow = await activated(atOwnAddress(example), {
			...withValues(example, 'Order', { to }),
			'Text Customer': TEMPLATE,
		});
		return await world().n8n.rest.runToEnd(workflow, 'When Order Arrives');
	}

	test.each([
		['nobody answers: sends an SMS', ANSWERS_NOT, 'noAnswer', [['1042', '30']]],
		['somebody answers: sends no SMS', ANSWERS, 'completed', []],
	])('call-and-wait-then-sms, %s', async (_, to, outcome, datas) => {
		const execution = await ordered(to);
		expect(execution.status).toBe('success');
		expect(execution.itemsOf('Call Customer')[0].json.outcome).toBe(outcome);
		expect(calls.all()).toEqual([expect.objectContaining({ to })]);
		expect(texts()).toEqual(
			datas.map((each) => expect.objectContaining({ to: [to], templateId: '100002', datas: each })),
		);
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

	test('call-a-list-and-collect-outcomes: gives a row for each person, in the order of the list', async () => {
		const workflow = await activated(
			'call-a-list-and-collect-outcomes.json',
			people([ANSWERS, ANSWERS_NOT, '138-nobody', FAILS, HANGS_UP]),
		);
		const execution = await world().n8n.rest.runToEnd(workflow, 'When Clicked');
		expect(execution.status).toBe('success');
		const rows = execution.itemsOf('Table of Outcomes').map(({ json }) => json);
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
			{
				...row(3, '138-nobody', 'notCalled', false, 0),
				remark: expect.stringMatching(/^'To' must/) as string,
			},
			row(4, FAILS, 'failed', false, 0),
			row(5, HANGS_UP, 'completed', false, 0),
		]);
		const called = calls.all().map(({ to }) => to);
		expect(called.sort()).toEqual([ANSWERS, ANSWERS_NOT, FAILS, HANGS_UP].sort());
	});

	test(
		'call-300-people-at-once: gives everyone their own result, and texts those who did not answer',
		async () => {
			world().simulator.configure({ callResultDelayMs: 0 });
			const numbers = Array.from({ length: MANY }, (_, at) => (at % 3 ? ANSWERS : ANSWERS_NOT));
			const workflow = await activated('call-300-people-at-once.json', {
				...people(numbers),
				'Text People': { templateId: '100001' },
			});
			const execution = await world().n8n.rest.runToEnd(workflow, 'When Clicked');
			expect(execution.status).toBe('success');
			const results = execution.itemsOf('Call People').map(({ json }) => json);
			expect(results.map(({ number, outcome }) => [number, outcome])).toEqual(
				numbers.map((to) => [to, to === ANSWERS ? 'completed' : 'noAnswer']),
			);
			const sids = (all: Array<{ callSid?: unknown }>) => all.map(({ callSid }) => callSid).sort();
			expect(sids(results)).toEqual(sids(calls.all()));
			expect(texts().map(({ to }) => to)).toEqual([[ANSWERS_NOT]]);
		},
		MANY_LIMIT_MS,
	);

	test.each([
		[ANSWERS, 'Mark as Informed'],
		[ANSWERS_NOT, 'Text Customer'],
		[FAILS, 'Check Number'],
		['13800000009', 'Look Into It'],
	])('signed-results-by-outcome: sends the result of a call to %s to %s', async (to, branch) => {
		const { rest } = world().n8n;
		const example = await readExample('signed-results-by-outcome.json');
		const workflow = await activated(atOwnAddress(example), {
			'Call Customer': { to },
			'Text Customer': TEMPLATE,
		});
		expect((await rest.runToEnd(workflow, 'When Order Arrives')).error).toBeUndefined();
		const [call] = calls.all();
		expect(call.respUrl).toMatch(/\/call-result\?ytExpires=\d+&ytSignature=[0-9a-f]{64}$/);
		const started = await until('what the result starts', async () =>
			(await rest.executionsOf(workflow)).find(({ mode }) => mode === 'webhook'),
		);
		const execution = await rest.ended(started.id);
		expect(execution.status).toBe('success');
		expect(execution.nodesRun).toEqual(['Call Result', 'Outcome?', branch]);
		expect(texts().map(({ to: numbers, datas }) => [numbers, datas])).toEqual(
			branch === 'Text Customer' ? [[[to], ['1042', '30']]] : [],
		);
		const unsigned = call.respUrl?.split('?')[0];
		expect(await calls.statusOf(call, { url: unsigned, fields: { callSid: '9'.repeat(32) } })).toBe(
			403,
		);
	});

	test('missed-call-sends-sms: sends an SMS when nobody answers', async () => {
		const { n8n, credential } = world();
		const workflow = await importExample(n8n.rest, credential, ANSWERS_NOT);
		await n8n.rest.activate(workflow);
		await n8n.rest.runToEnd(workflow, 'When Order Arrives');
		await until('the text', () => texts().at(0));
		expect(texts()).toEqual([
			expect.objectContaining({ to: [ANSWERS_NOT], datas: ['1042', '30'] }),
		]);
	});

	const requestsOf = (operation: OperationName) =>
		world().simulator.record.requests.filter((request) => request.operation === operation);

	/** Seconds that an address of a result is good for: those of the wait, and ten minutes. */
	const lifetime = ({ respUrl = '', at }: AcceptedCall): number =>
		Number(new URL(respUrl).searchParams.get('ytExpires')) - Date.parse(at) / 1000;

	test('one-alarm-calls-a-list: calls each number once for an alarm', async () => {
		const example = await readExample('one-alarm-calls-a-list.json');
		const people = [ANSWERS, '12', ANSWERS_NOT];
		const workflow = await imported(example, {
			Alarm: { jsonOutput: JSON.stringify({ alarm: 'disk-1042', what: '磁盘', people }) },
			'Call Everybody on Duty': {
				options: { idempotencyKey: '={{ $json.alarm }}', allowedRecipients: '138*' },
			},
		});
		const run = async () => await world().n8n.rest.runToEnd(workflow, 'When Alarm Arrives');
		const execution = await run();
		expect(execution.itemsOf('Called').map(({ json }) => json.to)).toEqual([ANSWERS, ANSWERS_NOT]);
		expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS, ANSWERS_NOT]);
		const again = await run();
		expect(again.itemsOf('Not Called').map(({ json }) => json.duplicate)).toEqual([
			true,
			undefined,
			true,
		]);
		expect(calls.all()).toHaveLength(2);
	});

	test(
		'call-again-then-sms: calls three times, then texts, whoever does not answer',
		async () => {
			const example = await readExample('call-again-then-sms.json');
			const options = { allowedRecipients: '138*' };
			const workflow = await activated(example, {
				People: { jsonOutput: JSON.stringify({ to: [ANSWERS, ANSWERS_NOT] }) },
				'Call People': { options },
				'Wait a While': { amount: 1, unit: 'seconds' },
				'Text the Rest': { templateId: '100001', options },
			});
			const execution = await world().n8n.rest.runToEnd(workflow, 'When Clicked');
			expect(execution.status).toBe('success');
			expect(calls.all().map(({ to }) => to)).toEqual([
				ANSWERS,
				ANSWERS_NOT,
				ANSWERS_NOT,
				ANSWERS_NOT,
			]);
			expect(texts().map(({ to }) => to)).toEqual([[ANSWERS_NOT]]);
		},
		3 * RUN_LIMIT_MS,
	);

	test('alertmanager-calls-on-duty: calls once for each alarm that fires', async () => {
		const { rest, url } = world().n8n;
		const { credentials, authorization } = await basicAuth('alertmanager');
		const duty = { people: [{ name: '王芳', to: ANSWERS }] };
		const workflow = await imported(
			'alertmanager-calls-on-duty.json',
			{ Roster: { jsonOutput: JSON.stringify(duty) } },
			{ Alertmanager: credentials },
		);
		await rest.activate(workflow);
		const hook = `${url}/webhook/alertmanager`;
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
			expect.stringMatching(new RegExp(`^王芳，.*InstanceDown：主机 ${what} 没有响应`)),
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
		expect(first.itemsOf('Not Reminded')).toHaveLength(1);
		expect(await reminded()).toEqual(['yes', 'no', 'yes', 'no']);
		await rest.runToEnd(workflow, 'Every Morning');
		expect(texts()).toEqual(sent);
	});

	const incident = (numbers: string[]) => ({
		Incident: {
			jsonOutput: JSON.stringify({
				incident: '1042',
				what: '数据库没有响应',
				...peopleOf(numbers),
			}),
		},
	});

	test('incident-calls-until-one-answers: calls one after another and stops when somebody answers', async () => {
		const workflow = await activated(
			'incident-calls-until-one-answers.json',
			incident([ANSWERS_NOT, '138-nobody', FAILS, ANSWERS, '13800000008']),
		);
		const execution = await runWithResults(workflow, 'When Incident Arrives');
		expect(execution.error).toBeUndefined();
		expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS_NOT, FAILS, ANSWERS]);
		const [first, second] = calls.all();
		const result = world().simulator.record.notifications.find(
			({ callSid }) => callSid === first.callSid,
		);
		expect(Date.parse(second.at)).toBeGreaterThanOrEqual(Date.parse(result?.at ?? ''));
		expect(first.respUrl).toContain('ytResume=');
		expect(lifetime(first)).toBeGreaterThan(12 * 60 - 30);
		expect(lifetime(first)).toBeLessThan(12 * 60 + 30);
		expect(execution.itemsOf('Taken').map(({ json }) => json)).toEqual([
			{
				incident: '1042',
				takenBy: 'Person 4',
				to: ANSWERS,
				takenAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
			},
		]);
		expect(execution.nodesRun).not.toContain('Nobody Answered');
		expect(requestsOf('LandingCalls')[0].fields.mediaTxt).toMatch(
			/Person 1，.*1042.*数据库没有响应/,
		);
	});

	test('incident-calls-everybody-at-once: continues with whoever answers first', async () => {
		world().simulator.planCalls(ANSWERS_NOT, []);
		const workflow = await activated(
			'incident-calls-everybody-at-once.json',
			incident([ANSWERS_NOT, ANSWERS, '138-nobody']),
		);
		const execution = await world().n8n.rest.runToEnd(workflow, 'When Incident Arrives');
		expect(execution.error).toBeUndefined();
		expect(calls.all()).toHaveLength(2);
		expect(execution.itemsOf('Taken').map(({ json }) => json)).toEqual([
			expect.objectContaining({ incident: '1042', takenBy: 'Person 2', to: ANSWERS }),
		]);
		const others = execution.itemsOf('Others', 0).map(({ json }) => json.outcome ?? 'not called');
		expect(others).toEqual(['pending', 'not called']);
	});

	/** Fills in the form of a workflow, and gives the answer and the id of what it starts. */
	async function started(workflow: StoredWorkflow, form: FormData) {
		const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		const url = `${world().n8n.url}/form/${trigger?.webhookId}`;
		await until('the form', async () => (await fetch(url)).ok || undefined);
		const submit = async () => await fetch(url, { method: 'POST', body: form });
		const { id, given: answer } = await startedBy(workflow, submit);
		expect(answer.status).toBe(200);
		return { id, answer };
	}

	/** Fills in the form of a workflow, and gives the execution that it starts. */
	async function submitted(workflow: StoredWorkflow, form: FormData) {
		const { id } = await started(workflow, form);
		const execution = await world().n8n.rest.ended(id);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	describe('appointment-reminders-from-file', () => {
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			workflow = await imported('appointment-reminders-from-file.json', {
				'Text Reminder': { templateId: '100002' },
			});
			await world().n8n.rest.activate(workflow);
		});
		async function uploaded(name: string, content: Buffer) {
			const form = new FormData();
			form.append('field-0', new Blob([content]), name);
			return await submitted(workflow, form);
		}
		const told = () =>
			texts()
				.map(({ to, datas }) => [...to, ...datas])
				.sort();
		const rows = [
			['13800000000', '王芳', '2026-12-01 09:30'],
			['13800000001', '李伟', '2026-12-01 14:00'],
			['13800000002', 'Zhang Min', '2026-12-02 10:15'],
		];

		test.each(['appointments.csv', 'appointments.xlsx'])(
			'sends one SMS for each row of %s',
			async (file) => {
				const execution = await uploaded(file, await readFile(join(folder, 'files', file)));
				expect(told()).toEqual(rows);
				expect(execution.itemsOf('Reminded').map(({ json }) => json.to)).toEqual(
					rows.map(([to]) => to),
				);
				expect(execution.nodesRun).not.toContain('Not Reminded');
			},
		);

		test('sends the other rows when one is wrong', async () => {
			const lines = ['name,mobile,time', 'A,13800000000,9:30', 'B,nobody,9:45', 'C,13800000001,10'];
			const execution = await uploaded('UPPER.CSV', Buffer.from(lines.join('\n')));
			expect(told()).toEqual([
				['13800000000', 'A', '9:30'],
				['13800000001', 'C', '10'],
			]);
			expect(execution.itemsOf('Not Reminded').map(({ json }) => json)).toEqual([
				expect.objectContaining({
					name: 'B',
					error: expect.objectContaining({ accepted: 'no' }) as object,
				}),
			]);
		});
	});

	test('same-notice-to-thousands: reaches 2,000 people with 10 requests', async () => {
		const numbers = Array.from({ length: 2000 }, (_, at) => String(13_800_000_000 + at));
		const workflow = await imported('same-notice-to-thousands.json', {
			...people([...numbers, 'nobody']),
			'Text Everybody': { templateId: '100000' },
		});
		const execution = await world().n8n.rest.runToEnd(workflow, 'When Clicked');
		expect(execution.error).toBeUndefined();
		expect(requestsOf('TemplateSMS')).toHaveLength(10);
		expect(texts().map(({ to }) => to.length)).toEqual(Array<number>(10).fill(200));
		expect(
			texts()
				.flatMap(({ to }) => to)
				.sort(),
		).toEqual(numbers);
		expect(execution.itemsOf('Count').map(({ json }) => json)).toEqual([
			{ count_to: 2000, unique_count_smsMessageSid: 10 },
		]);
		expect(execution.itemsOf('Not Texted').map(({ json }) => json.to)).toEqual(['nobody']);
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
			const form = new FormData();
			['王芳', 'wangfang@example.com', ANSWERS].forEach((value, at) =>
				form.append(`field-${at}`, value),
			);
			return await submitted(workflow, form);
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

	test('call-log: keeps results and shows them only with the password', async () => {
		const { rest, url } = world().n8n;
		const columns = ['callSid', 'receivedAt', 'number', 'event', 'outcome', 'userData'];
		const table = await tableOf('Calls', columns, { seconds: 'number' });
		const { credentials, authorization } = await basicAuth('log');
		const workflow = await imported(
			'call-log.json',
			{
				'Try a Call': { to: ANSWERS, options: { userData: '<b>Fish & Chips</b>' } },
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

		await rest.runToEnd(workflow, 'When Clicked');
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
