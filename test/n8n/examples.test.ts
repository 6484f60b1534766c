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
import { Calls } from './support/calls';
import { describeOnEachN8n } from './support/world';

/** As many as a machine that runs other tests as well can be asked for. */
const MANY = 30;
const MANY_LIMIT_MS = 120_000;

/** Registered numbers by what becomes of a call to them: the test template asks for these. */
const ANSWERS = '13800000000';
const ANSWERS_NOT = '13800000001';
const FAILS = '13800000002';
const HANGS_UP = '13800000003';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const AGENT = 'ai-agent-with-approval.json';
const TRIGGER_TYPE = 'n8n-nodes-yuntongxun.yuntongxunTrigger';

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

	/** Imports the example with the number to call, runs it by hand, and gives the workflow. */
	async function ordered(to: string) {
		const example = await readExample('call-and-wait-then-sms.json');
		const workflow = await imported(example, withValues(example, 'Order', { to }));
		return await world().n8n.rest.runToEnd(workflow, 'When Order Arrives');
	}

	test('call-and-wait-then-sms: nobody answers, a text goes out', async () => {
		const execution = await ordered(ANSWERS_NOT);
		expect(execution.status).toBe('success');
		expect(calls.all()).toEqual([expect.objectContaining({ to: ANSWERS_NOT })]);
		expect(texts()).toEqual([
			expect.objectContaining({ to: [ANSWERS_NOT], templateId: '1', datas: ['1042', '30'] }),
		]);
	});

	test('call-and-wait-then-sms: somebody answers, none does', async () => {
		const execution = await ordered(ANSWERS);
		expect(execution.status).toBe('success');
		expect(execution.itemsOf('Call Customer')[0].json.outcome).toBe('completed');
		expect(texts()).toEqual([]);
	});

	const peopleOf = (numbers: string[]) => ({
		people: numbers.map((to, at) => ({ name: `Person ${at + 1}`, to })),
	});
	const people = (numbers: string[]) => ({
		People: { jsonOutput: JSON.stringify(peopleOf(numbers)) },
	});

	test('call-a-list-and-collect-outcomes: a row for each person, in their order', async () => {
		const { rest } = world().n8n;
		const workflow = await imported(
			'call-a-list-and-collect-outcomes.json',
			people([ANSWERS, ANSWERS_NOT, '138-nobody', FAILS, HANGS_UP]),
		);
		const execution = await rest.runToEnd(workflow, 'When Clicked');
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
		expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS, ANSWERS_NOT, FAILS, HANGS_UP]);
	});

	test(
		'call-300-people-at-once with call-one-person: each resumed once with its own result',
		async () => {
			const { rest } = world().n8n;
			world().simulator.configure({ callResultDelayMs: 0 });
			const one = await readExample('call-one-person.json');
			const relay = one.nodes.find(({ type }) => type === TRIGGER_TYPE);
			if (!relay) throw new Error('call-one-person.json has no trigger');
			const relayUrl = rest.triggerUrl(relay);
			const sub = await imported(one, { 'Call Person': { options: { relayUrl } } });
			await rest.activate(sub);
			const numbers = Array.from({ length: MANY }, (_, at) => (at % 3 ? ANSWERS : ANSWERS_NOT));
			const workflow = await imported('call-300-people-at-once.json', {
				...people(numbers),
				'Call One Person': { workflowId: { __rl: true, mode: 'id', value: sub.id } },
			});
			const execution = await rest.runToEnd(workflow, 'When Clicked');
			expect(execution.status).toBe('success');
			const started = await until(
				'the end of all executions',
				async () => {
					const all = await rest.executionsOf(sub);
					const isOver = all.length === MANY && all.every(({ status }) => status === 'success');
					return isOver ? all : undefined;
				},
				{ timeoutMs: MANY_LIMIT_MS },
			);
			expect(calls.all()).toHaveLength(MANY);
			const outcomes = await Promise.all(
				started.map(async ({ id }) => {
					const [item] = (await rest.ended(id)).itemsOf('Call Person');
					return item.json;
				}),
			);
			for (const { to, number, outcome } of outcomes) {
				expect([number, outcome]).toEqual([to, to === ANSWERS ? 'completed' : 'noAnswer']);
			}
			const sids = outcomes.map(({ callSid }) => callSid).sort();
			expect(sids).toEqual(
				calls
					.all()
					.map(({ callSid }) => callSid)
					.sort(),
			);
			expect(texts().map(({ to }) => to)).toEqual(
				numbers.filter((to) => to === ANSWERS_NOT).map((to) => [to]),
			);
		},
		2 * MANY_LIMIT_MS,
	);

	test.each([
		[ANSWERS, 'Mark as Informed'],
		[ANSWERS_NOT, 'Text Customer'],
		[FAILS, 'Check Number'],
		['13800000009', 'Look Into It'],
	])('signed-results-by-outcome: the result of a call to %s goes to %s', async (to, branch) => {
		const { rest } = world().n8n;
		const example = await readExample('signed-results-by-outcome.json');
		const workflow = await imported(
			{
				...example,
				// The same example is imported several times, and n8n listens at an address once.
				nodes: example.nodes.map((node) =>
					node.webhookId
						? { ...node, webhookId: `${node.webhookId.slice(0, -1)}${to.at(-1)}` }
						: node,
				),
			},
			{ 'Call Customer': { to } },
		);
		await rest.activate(workflow);
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

	test('missed-call-sends-sms: nobody answers, a text goes out', async () => {
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

	describe('verification-code-by-voice', () => {
		async function askedFor(to: string) {
			const example = await readExample('verification-code-by-voice.json');
			const workflow = await imported(example, withValues(example, 'Person', { to }));
			const execution = await world().n8n.rest.runToEnd(workflow, 'When Code Is Wanted');
			expect(execution.error).toBeUndefined();
			const [{ json }, ...others] = execution.itemsOf('Code to Check');
			expect(others).toEqual([]);
			return { execution, code: json.code as string, json };
		}
		const spoken = () => requestsOf('VoiceVerify').map(({ fields }) => fields.verifyCode);

		test('somebody answers: no text', async () => {
			const { json, code } = await askedFor(ANSWERS);
			expect(code).toMatch(/^\d{6}$/);
			expect(spoken()).toEqual([code]);
			expect(json).toMatchObject({ to: ANSWERS, sentBy: 'call' });
			const minutesLeft = (Date.parse(json.validUntil as string) - Date.now()) / 60_000;
			expect(minutesLeft).toBeLessThanOrEqual(10);
			expect(minutesLeft).toBeGreaterThan(8);
			expect(texts()).toEqual([]);
			const [call] = calls.all();
			expect(lifetime(call)).toBeGreaterThan(12 * 60 - 30);
			expect(lifetime(call)).toBeLessThan(12 * 60 + 30);
		});

		test.each([
			['nobody answers', ANSWERS_NOT],
			['somebody hangs up at once', HANGS_UP],
		])('%s: the same code as a text', async (_, to) => {
			const { json, code } = await askedFor(to);
			expect(spoken()).toEqual([code]);
			expect(json).toMatchObject({ to, sentBy: 'text' });
			expect(texts()).toEqual([
				expect.objectContaining({ to: [to], templateId: '1', datas: [code, '10'] }),
			]);
		});

		test('the call is refused: another code as a text', async () => {
			world().simulator.fail({
				operation: 'VoiceVerify',
				kind: 'statusCode',
				statusCode: '160034',
			});
			const { execution, json, code } = await askedFor(ANSWERS);
			expect(execution.nodesRun).toContain('Make New Code');
			expect(code).toMatch(/^\d{6}$/);
			expect(spoken()).toHaveLength(1);
			expect(json).toMatchObject({ to: ANSWERS, sentBy: 'text' });
			expect(calls.all()).toEqual([]);
			expect(texts()).toEqual([
				expect.objectContaining({ to: [ANSWERS], templateId: '1', datas: [code, '10'] }),
			]);
		});
	});

	describe('incident-calls-until-one-answers', () => {
		async function reported(...numbers: string[]) {
			const example = await readExample('incident-calls-until-one-answers.json');
			const workflow = await imported(example, {
				Incident: {
					jsonOutput: JSON.stringify({
						incident: '1042',
						what: '数据库没有响应',
						...peopleOf(numbers),
					}),
				},
			});
			const execution = await world().n8n.rest.runToEnd(workflow, 'When Incident Arrives');
			expect(execution.error).toBeUndefined();
			return execution;
		}

		test('one after another, and no more once one has answered', async () => {
			const execution = await reported(ANSWERS_NOT, '138-nobody', FAILS, ANSWERS, '13800000008');
			expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS_NOT, FAILS, ANSWERS]);
			const [first, second] = calls.all();
			const result = world().simulator.record.notifications.find(
				({ callSid }) => callSid === first.callSid,
			);
			expect(Date.parse(second.at)).toBeGreaterThanOrEqual(Date.parse(result?.at ?? ''));
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

		test('nobody answers', async () => {
			const execution = await reported(ANSWERS_NOT, HANGS_UP);
			expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS_NOT, HANGS_UP]);
			expect(execution.itemsOf('Nobody Answered')).toHaveLength(2);
			expect(execution.nodesRun).not.toContain('Taken');
		});
	});

	/** Fills in the form of a workflow, and gives the execution that it starts. */
	async function submitted(workflow: StoredWorkflow, form: FormData) {
		const { n8n } = world();
		const before = await n8n.rest.executionsOf(workflow);
		const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		const url = `${n8n.url}/form/${trigger?.webhookId}`;
		await until('the form', async () => (await fetch(url)).ok || undefined);
		expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
		const started = await until('what the form starts', async () => {
			const after = await n8n.rest.executionsOf(workflow);
			return after.length > before.length ? after[0] : undefined;
		});
		const execution = await n8n.rest.ended(started.id);
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

		test.each(['appointments.csv', 'appointments.xlsx'])('%s: a text a row', async (file) => {
			const execution = await uploaded(file, await readFile(join(folder, 'files', file)));
			expect(told()).toEqual(rows);
			expect(execution.itemsOf('Reminded').map(({ json }) => json.to)).toEqual(
				rows.map(([to]) => to),
			);
			expect(execution.nodesRun).not.toContain('Not Reminded');
		});

		test('a row that is wrong does not stop the others', async () => {
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

	test('same-notice-to-thousands: 2,000 people, 10 requests', async () => {
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
	])('low-balance-alarm: the balance is %s the limit of %d', async (_, limit, branch) => {
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

	test('sub-account-onboarding: a new customer is kept and welcomed, once', async () => {
		const { rest } = world().n8n;
		const table = await rest.createDataTable(`Customers ${randomUUID()}`, {
			email: 'string',
			name: 'string',
			mobile: 'string',
			subAccountSid: 'string',
			voipAccount: 'string',
			since: 'string',
		});
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

	test('call-log: results are kept, and shown to who knows the password', async () => {
		const { rest, url } = world().n8n;
		const columns = ['callSid', 'receivedAt', 'number', 'event', 'outcome', 'userData'];
		const table = await rest.createDataTable(`Calls ${randomUUID()}`, {
			...Object.fromEntries(columns.map((column): [string, 'string'] => [column, 'string'])),
			seconds: 'number',
		});
		const login = { user: 'log', password: 'Only-for-the-test-1' };
		const name = 'Log page';
		const id = await rest.createCredential('httpBasicAuth', name, login);
		const workflow = await imported(
			'call-log.json',
			{
				'Try a Call': { to: ANSWERS, options: { userData: '<b>Fish & Chips</b>' } },
				'Write Log': { dataTableId: dataTable(table) },
				'Read Log': { dataTableId: dataTable(table) },
			},
			{ 'Log Page': { httpBasicAuth: { id, name } } },
		);
		await rest.activate(workflow);
		const page = `${url}/webhook/${String(nodeOf(workflow, 'Log Page').parameters.path)}`;
		const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
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
				{ Text: { templateId: '100001', options: allowed }, Call: { options: allowed } },
				{ Model: { openAiApi: { id, name } } },
			);
			await rest.activate(workflow);
		});
		afterAll(async () => {
			await model.stop();
		});

		/** Writes to the chat, and gives what is asked once the agent wants to use a tool. */
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
		const wish = (tool: string, to: string, message: string): ModelAnswer => ({
			tool,
			args: { toolParameters: { to, message }, hitlParameters: {} },
		});

		test('a text goes out once it is approved, not before', async () => {
			model.follow(wish('Text', ANSWERS_NOT, '包裹在门口'), 'The text is on its way.');
			const question = await wished('Tell 13800000001 that the parcel is at the gate');
			expect(question.text).toMatch(/wants to use Text:[^]*13800000001[^]*包裹在门口/);
			const offered = model.requests[0].tools?.map(({ function: { name } }) => name);
			expect(offered?.sort()).toEqual(['Call', 'Text']);
			expect(world().simulator.record.requests).toEqual([]);

			expect(await clicked(question, 'Approve')).toBe('The text is on its way.');
			expect(texts()).toEqual([
				expect.objectContaining({ to: [ANSWERS_NOT], datas: ['包裹在门口'] }),
			]);
			expect(toldToModel()).toEqual([expect.stringContaining(texts()[0].smsMessageSid)]);
		});

		test('a call goes out once it is approved', async () => {
			model.follow(wish('Call', ANSWERS, '服务器停了'), 'Done.');
			await clicked(await wished('Call 13800000000: the server is down'), 'Approve');
			expect(requestsOf('LandingCalls').map(({ fields }) => [fields.to, fields.mediaTxt])).toEqual([
				[ANSWERS, '服务器停了'],
			]);
			expect(toldToModel()).toEqual([expect.stringContaining(calls.all()[0].callSid)]);
		});

		test('nothing goes out where it is declined, and the model is told so', async () => {
			model.follow(wish('Text', ANSWERS, '你好'), 'I sent nothing.');
			const question = await wished('Say hello to 13800000000');
			expect(await clicked(question, 'Decline')).toBe('I sent nothing.');
			expect(world().simulator.record.requests).toEqual([]);
			expect(toldToModel()).toEqual([expect.stringMatching(/rejected the tool call to Text/)]);
		});

		test('a number that is not allowed is out of reach, approved or not', async () => {
			model.follow(wish('Call', FAILS, '你好'), 'That number is not allowed.');
			await clicked(await wished('Say hello to 13800000002'), 'Approve');
			expect(world().simulator.record.requests).toEqual([]);
			expect(toldToModel()).toEqual([expect.stringMatching(/Allowed Recipients/)]);
		});
	});

	test('every example has only nodes and parameters that n8n knows', async () => {
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

	test('there are no others', async () => {
		expect(await exampleFiles()).toEqual([
			AGENT,
			'appointment-reminders-from-file.json',
			'call-300-people-at-once.json',
			'call-a-list-and-collect-outcomes.json',
			'call-and-wait-then-sms.json',
			'call-log.json',
			'call-one-person.json',
			'incident-calls-until-one-answers.json',
			'low-balance-alarm.json',
			'missed-call-sends-sms.json',
			'same-notice-to-thousands.json',
			'signed-results-by-outcome.json',
			'sub-account-onboarding.json',
			'verification-code-by-voice.json',
		]);
	});
});
