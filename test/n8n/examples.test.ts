import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedMessage, OperationName } from '../../simulator/index';
import { postJson } from '../harness/http';
import { projectFolder } from '../harness/paths';
import type { Execution } from '../harness/storedExecution';
import type { StoredWorkflow, WorkflowDefinition } from '../harness/n8nRest';
import { until } from '../harness/until';
import { exampleOrder, importExample } from '../harness/example';
import { ScriptedModel, type ModelAnswer } from './support/exampleModel';
import {
	dataTable,
	importAndFill,
	findNode,
	readExample,
	withValues,
	type FilledIn,
	type OtherCredentials,
} from '../harness/examples';
import { Calls } from '../harness/callResults';
import { atHome, readPage, sendForm, type Entry, type SentForm } from '../harness/forms';
import { chain, hook, Startable } from '../harness/waitWorkflows';
import { node, START } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
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
		return await importAndFill(n8n.rest, credential, definition, filledIn, others);
	}

	const texts = (): AcceptedMessage[] =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	/** Posts to a webhook, once n8n listens there. */
	const post = async (path: string, body: object, authorization: string) =>
		await until('the webhook', async () => {
			const url = `${world().n8n.url}/webhook/${path}`;
			return (await postJson(url, body, { authorization })).status === 200 || undefined;
		});

	/** A stored login for pages and webhooks that ask for one, and the header that it makes. */
	async function basicAuth(name: string) {
		const login = { user: name, password: 'Only-for-the-test-1' };
		const id = await world().n8n.rest.createCredential('httpBasicAuth', name, login);
		const token = Buffer.from(`${login.user}:${login.password}`).toString('base64');
		return { credentials: { httpBasicAuth: { id, name } }, authorization: `Basic ${token}` };
	}

	/** Creates a table of text columns, and chooses it. */
	async function createTable(name: string, columns: string[]) {
		const types = Object.fromEntries(
			columns.map((column): [string, 'string'] => [column, 'string']),
		);
		return await world().n8n.rest.createDataTable(`${name} ${randomUUID()}`, types);
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
		const execution = await world().n8n.rest.waiting(executionId, ({ nodesRun }) =>
			name.test(nodesRun.at(-1) ?? ''),
		);
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
		expect(html).toContain('1 人接听，3 人已发短信');
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
		expect(again.html).toMatch(/0 人接听，0 人已发短信[^]*5 人以前已呼叫/);
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
		expect(respUrl).toMatch(/\/yuntongxun\?yt=start\.[\w-]+$/);
	});

	const findRequests = (operation: OperationName) =>
		world().simulator.record.requests.filter((request) => request.operation === operation);

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

	// How bodies are read and IDs made: test/unit/exampleCode.test.ts.
	test('on-call: calls one after another until one answers, texts all, and neither again within the hour', async () => {
		const { rest } = world().n8n;
		const { credentials, authorization } = await basicAuth('monitoring');
		const example = await readExample('on-call.json');
		const people = [ANSWERS_NOT, ANSWERS, FAILS];
		const workflow = await imported(
			{ ...example, settings: { executionOrder: 'v1' } },
			{ ...withValues(example, 'People', { people: people.join('\n') }), 'Text All': TEMPLATE },
			{ Alertmanager: credentials },
		);
		await rest.activate(workflow);
		const report = async (...alerts: Array<[alertname: string, status: string]>) => {
			const body = {
				alerts: alerts.map(([alertname, status]) => ({ status, labels: { alertname } })),
			};
			const { id } = await rest.startBy(workflow, async () => {
				await post('on-call-change-me', body, authorization);
			});
			const execution = await rest.ended(id);
			expect(execution.error).toBeUndefined();
		};
		const told = () => texts().map(({ to, datas }) => [...to, ...datas]);

		await report(['Down', 'firing'], ['Slow', 'firing'], ['Over', 'resolved']);
		expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS_NOT, ANSWERS, ANSWERS_NOT, ANSWERS]);
		const answered = `尾号${ANSWERS.slice(-4)}已接听`;
		expect(told()).toEqual([
			[...people, 'Down', answered],
			[...people, 'Slow', answered],
		]);
		await report(['Down', 'firing']);
		await report(['Down', 'resolved']);
		expect(world().simulator.accepted()).toHaveLength(6);
	});

	test('on-call: texts all when nobody answers', async () => {
		const { rest } = world().n8n;
		const { credentials, authorization } = await basicAuth('monitoring');
		const example = await readExample('on-call.json');
		const workflow = await imported(
			example,
			{
				...withValues(example, 'People', { people: `${ANSWERS_NOT}\n${FAILS}` }),
				'Text All': TEMPLATE,
				Alertmanager: { path: 'on-call-nobody' },
			},
			{ Alertmanager: credentials },
		);
		await rest.activate(workflow);
		await post(
			'on-call-nobody',
			{ alerts: [{ status: 'firing', labels: { alertname: 'Down' } }] },
			authorization,
		);
		await until('the text', () => texts().at(0), { timeoutMs: 60_000 });
		expect(calls.all().map(({ to }) => to)).toEqual([ANSWERS_NOT, FAILS]);
		expect(texts()[0].datas).toEqual(['Down', '电话无人接听']);
	});

	test('order-shipped-sms: one SMS for an order with a tracking number, from the shop and by hand', async () => {
		const { rest } = world().n8n;
		const { credentials, authorization } = await basicAuth('shop');
		const workflow = await imported(
			'order-shipped-sms.json',
			{ 'Text Customer': TEMPLATE },
			{ Shop: credentials },
		);
		await rest.activate(workflow);
		const order = { order: 1042, mobile: ANSWERS, carrier: '顺丰' };
		const report = async (body: object) => {
			const { id } = await rest.startBy(workflow, async () => {
				await post('order-shipped-change-me', body, authorization);
			});
			return (await rest.ended(id)).nodesRun.at(-1);
		};
		expect(await report(order)).toBe('Not Shipped Yet');
		expect(await report({ ...order, tracking: 'SF1' })).toBe('Sent');
		expect(await report({ ...order, tracking: 'SF1' })).toBe('Sent');
		expect(await report({ ...order, mobile: 'nobody', tracking: 'SF2' })).toBe('Not Sent');
		await filledIn(workflow, ['1042', ANSWERS, '顺丰', 'SF1']);
		expect(texts()).toEqual([
			expect.objectContaining({ to: [ANSWERS], datas: ['1042', '顺丰 SF1'] }),
		]);
	});

	test('ask-by-sms-and-wait: goes on with the reply, and texts nobody who opted out', async () => {
		const { rest } = world().n8n;
		const table = await createTable('Questions', ['number', 'suffix', 'resumeUrl']);
		const optOuts = await createTable('Opt-Outs', ['number']);
		const [questions, out] = [table, optOuts].map((id) => ({ dataTableId: dataTable(id) }));
		const workflow = await activated('ask-by-sms-and-wait.json', {
			Ask: { templateId: '100001' },
			'Keep Question': questions,
			'Find Question': questions,
			'Forget Question': questions,
			'Not Opted Out': out,
			'Keep Opt-Out': out,
		});
		const ask = async () =>
			(await sendForm(world().n8n, workflow, [ANSWERS, '明天上午九点'])).executionId;
		const [first, second] = [await rest.waiting(await ask()), await rest.waiting(await ask())];
		const url = rest.triggerUrl(findNode(workflow, 'Reply'));
		/** With the country code, and with the account's own digits in front of ours. */
		const reply = async (execution: Execution, text: string) => {
			const { suffix } = execution.getItems('Question')[0].json;
			const sms = { number: `+86${ANSWERS}`, text, appendCode: `96${suffix}` };
			await world().simulator.sendSmsReply(sms, { url });
			const ended = await rest.ended(execution.id);
			expect(ended.error).toBeUndefined();
			return ended.getRuns('Answer')[0].data?.main?.map((items) => items?.length ?? 0);
		};
		expect(await reply(second, 'Ｙ')).toEqual([1, 0, 0]);
		expect((await rest.execution(first.id)).status).toBe('waiting');
		expect(await reply(first, 'TD退订。')).toEqual([0, 0, 1]);
		await until(
			'the opt-out',
			async () => (await rest.dataTableRows(optOuts)).length === 1 || undefined,
		);
		await until(
			'the questions to go',
			async () => (await rest.dataTableRows(table)).length === 0 || undefined,
		);
		expect((await rest.ended(await ask())).nodesRun).not.toContain('Ask');
		expect(texts()).toHaveLength(2);
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
			execution.getItems('Rest').map(({ json }) => [json['姓名'], json['原因']]);
		const rows = [
			['13800000000', '王芳', '2026-12-01 09:30'],
			['13800000001', '李伟', '2026-12-01 14:00'],
			['13800000002', 'Zhang Min', '2026-12-02 10:15'],
		];

		test('sends one SMS for each row of a CSV file, and none for the same rows in Excel', async () => {
			const read = async (file: string) => await readFile(join(folder, 'files', file));
			const first = await uploaded('appointments.csv', await read('appointments.csv'));
			expect(told()).toEqual(rows);
			expect(first.html).toContain('3 条已发送，0 条未发送');
			const second = await uploaded('appointments.xlsx', await read('appointments.xlsx'));
			expect(told()).toEqual(rows);
			expect(second.html).toMatch(/0 条已发送，0 条未发送[^]*3 条以前已发送/);
		});

		test('sends the rows that are in order, and gives a file of the others and of what was refused', async () => {
			const lines = [
				'姓名,手机号,时间',
				'A,138 0000 0010,9:30',
				'B,nobody,9:45',
				',13800000011,9:50',
				'\ufffd\ufffd,13800000011,9:50',
				'E,13800000013,12',
			];
			const number = '13800000013';
			world().simulator.fail({ kind: 'statusCode', statusCode: '160034', number });
			const { html, execution } = await uploaded('UPPER.CSV', Buffer.from(lines.join('\n')));
			expect(told()).toEqual([['13800000010', 'A', '9:30']]);
			expect(html).toContain('1 条已发送，4 条未发送');
			expect(html).toContain('rest.xlsx');
			expect(rest(execution).map(([name]) => name)).toEqual(['B', '', '\ufffd\ufffd', 'E']);
			expect(rest(execution).at(-1)?.[1]).toContain('160034');
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
			expect(html).toContain('1000 人已发送');
			expect(texts().map(({ to }) => to.length)).toEqual(Array<number>(5).fill(200));
			expect(
				texts()
					.flatMap(({ to }) => to)
					.sort(),
			).toEqual(numbers);
			const again = await sent(workflow, [...numbers, '13900000000'], 'water-1');
			expect(again.html).toContain('1 人已发送，1000 人跳过');
			expect(
				texts()
					.slice(5)
					.map(({ to }) => to),
			).toEqual([['13900000000']]);
			const third = await sent(workflow, numbers, 'water-1');
			expect(third.html).toContain('0 人已发送，1000 人跳过');
		});

		test('sends nothing of a list with a wrong number, and says where it is', async () => {
			const { html } = await sent(await imports(), [ANSWERS, 'nobody'], 'water-2');
			expect(html).toMatch(/未全部发送[^]*To/);
			expect(texts()).toEqual([]);
		});

		test('says why of a list of which one request failed', async () => {
			const numbers = Array.from({ length: 300 }, (_, at) => String(13_800_001_000 + at));
			const workflow = await imports();
			world().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
			const { html } = await sent(workflow, numbers, 'power-1');
			expect(html).toMatch(/未全部发送[^]*160034/);
		});
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
			workflow = await imported(
				AGENT,
				{ Text: { ...TEMPLATE, options: { allowedRecipients: ANSWERS_NOT } } },
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
			const asked = await rest.findIn(id, 'the question', (execution) => {
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
			return await world().n8n.rest.findIn(
				id,
				'the answer',
				(execution) => execution.getItems('Answer').at(0)?.sendMessage,
			);
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
			expect(question.text).toMatch(/助手想使用 Text：[^]*13800000001[^]*王芳[^]*门口/);
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

	// Only n8n 2 knows of version 3.
	(isFirstGeneration ? test.skip : test)(
		"n8n's own migration report for version 3 names none of them",
		async () => {
			const { rest } = world().n8n;
			const probe = node('Removed', 'n8n-nodes-base.executeWorkflow', {
				workflowId: { __rl: true, mode: 'list', value: '' },
				mode: 'each',
				options: {},
			});
			const start = node(START, 'n8n-nodes-base.manualTrigger');
			await rest.createWorkflow(chain('Uses what n8n 3 removes', start, probe));
			for (const file of await exampleFiles()) await imported(file, {});
			// A second try of this test would see the first one's.
			expect(new Set(await rest.reportMigration('v3'))).toEqual(
				new Set(['execute-workflow-each-mode-v3: Uses what n8n 3 removes, Removed']),
			);
		},
	);
});
