import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listCalls, listTexts } from '../harness/calls';
import {
	findNode,
	importExample,
	readExample,
	readPage,
	sendForm,
	type Entry,
	type FilledIn,
} from '../harness/examples';
import { postJson } from '../harness/http';
import type { StoredWorkflow, WorkflowNode } from '../harness/n8nRest';
import { projectFolder } from '../harness/paths';
import { describeOnEachN8n } from '../harness/setup';
import type { Execution } from '../harness/storedExecution';
import { until } from '../harness/until';
import { chain, hook, node, Startable } from '../harness/workflows';
import { ScriptedModel, type ModelAnswer } from './support/exampleModel';

/** Registered numbers, by the outcome of a call: the test template takes only these. */
const ANSWERS = '13800000000';
const ANSWERS_NOT = '13800000001';
const FAILS = '13800000002';
const HANGS_UP = '13800000003';

/** A template with two variables that the account may use. */
const TEMPLATE = { templateId: '100002' };

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** What a person enters into the form of an example after the number to call. */
const ORDER = ['1042', '30'];

describeOnEachN8n('The examples', (setup, version) => {
	beforeEach(() => {
		setup().simulator.reset();
		setup().simulator.configure({ callResultDelayMs: 1500 });
	});
	afterEach(() => expect(setup().simulator.violations()).toEqual([]));

	/** Imports an example and activates it. */
	async function activated(
		file: string,
		filledIn: FilledIn,
		others?: Record<string, WorkflowNode['credentials']>,
	): Promise<StoredWorkflow> {
		const workflow = await importExample(setup(), await readExample(file), filledIn, others);
		await setup().n8n.rest.activate(workflow);
		return workflow;
	}

	const called = () => listCalls(setup().simulator).map(({ to }) => to);
	const texts = () => listTexts(setup().simulator);
	/** Numbers and variables of each SMS. */
	const told = () => texts().map(({ to, datas }) => [...to, ...datas]);

	/** A stored login for a webhook. @returns its credential, and posts with it to what starts a workflow */
	async function createLogin(name: string) {
		const { url, rest } = setup().n8n;
		const password = 'Only-for-the-test-1';
		const id = await rest.createCredential('httpBasicAuth', name, { user: name, password });
		const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
		const post = async (workflow: StoredWorkflow, path: string, body: object) => {
			const started = await rest.startBy(workflow, async () => {
				const response = await postJson(`${url}/webhook/${path}`, body, { authorization });
				expect(response.status).toBe(200);
			});
			const execution = await rest.ended(started.id);
			expect(execution.error).toBeUndefined();
			return execution;
		};
		return { credentials: { httpBasicAuth: { id, name } }, post };
	}

	/** Fills in the form of a workflow, and gives the execution that it starts, once it has ended. */
	async function submit(workflow: StoredWorkflow, entries: Entry[]): Promise<Execution> {
		const { executionId } = await sendForm(setup(), workflow, entries);
		const execution = await setup().n8n.rest.ended(executionId);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	/** The same where a page follows, shown by a node of that name. @returns it, and the execution */
	async function submitToPage(workflow: StoredWorkflow, entries: Entry[], name: RegExp) {
		const { executionId, nextPage } = await sendForm(setup(), workflow, entries);
		const execution = await setup().n8n.rest.waiting(executionId, ({ nodesRun }) =>
			name.test(nodesRun.at(-1) ?? ''),
		);
		return { html: await readPage(nextPage), execution };
	}

	test.each([
		['nobody answers: sends an SMS', ANSWERS_NOT, 'noAnswer', [[ANSWERS_NOT, ...ORDER]]],
		['somebody answers: sends no SMS', ANSWERS, 'completed', []],
	])('call-and-wait-then-sms, %s', async (_, to, outcome, sent) => {
		const workflow = await activated('call-and-wait-then-sms.json', { 'Text Customer': TEMPLATE });
		const execution = await submit(workflow, [to, ...ORDER]);
		expect(execution.getItems('Call Customer')[0].json.outcome).toBe(outcome);
		expect(called()).toEqual([to]);
		expect(told()).toEqual(sent);
	});

	test('call-a-list-then-sms: calls everybody, texts who did not answer, and does neither twice', async () => {
		const workflow = await activated('call-a-list-then-sms.json', {
			'Text the Rest': { templateId: '100001' },
		});
		const numbers = [ANSWERS, ANSWERS_NOT, '138-nobody', FAILS, HANGS_UP, ANSWERS];
		const entries = [numbers.join('\r\n'), '今天下午三点', 'water-1'];
		const { html, execution } = await submitToPage(workflow, entries, /^Done$/);
		expect(html).toContain('1 人接听，3 人已发短信');
		const outcomes = execution.getItems('Call People').map(({ json }) => json.outcome);
		// The third is no number, the last has been called.
		const ends = ['completed', 'noAnswer', undefined, 'failed', 'completed', undefined];
		expect(outcomes).toEqual(ends);
		expect(called().sort()).toEqual([ANSWERS, ANSWERS_NOT, FAILS, HANGS_UP].sort());
		expect(told()).toEqual([ANSWERS_NOT, FAILS, HANGS_UP].map((to) => [to, '今天下午三点']));
		const second = await submitToPage(workflow, entries, /^Done$/);
		expect(second.html).toMatch(/0 人接听，0 人已发短信[^]*5 人以前已呼叫/);
		expect(setup().simulator.accepted()).toHaveLength(7);
	});

	test('missed-call-sends-sms: sends an SMS when nobody answers', async () => {
		const workflow = await activated('missed-call-sends-sms.json', { 'Text Customer': TEMPLATE });
		await submit(workflow, [ANSWERS_NOT, ...ORDER]);
		await until('the text', () => texts().at(0));
		expect(told()).toEqual([[ANSWERS_NOT, ...ORDER]]);
		expect(listCalls(setup().simulator)[0].respUrl).toMatch(/\/yuntongxun\?yt=start\.[\w-]+$/);
	});

	test('call-me-when-a-workflow-fails: calls when an active workflow fails', async () => {
		const { n8n, simulator } = setup();
		const example = await readExample('call-me-when-a-workflow-fails.json');
		const alarm = await importExample(setup(), example, { 'Call Me': { to: ANSWERS } });
		// n8n 1 activates none that only an error starts.
		await n8n.rest.activate(alarm).catch(() => undefined);
		const errorMessage = 'The shop does not answer';
		const stop = node('Fetch Orders', 'n8n-nodes-base.stopAndError', { errorMessage });
		const failing = await Startable.activate(setup(), {
			...chain('Nightly export', hook(), stop),
			settings: { errorWorkflow: alarm.id },
		});
		await failing.start({});
		await until('the call', () => called().at(0));
		expect(simulator.record.requests[0].fields).toMatchObject({
			to: ANSWERS,
			mediaTxt: '您好，n8n 工作流“Nightly export”运行出错，出错的节点是“Fetch Orders”。',
		});
	});

	// How bodies are read and IDs made: test/unit/exampleCode.test.ts.
	describe('on-call', () => {
		/** @returns reports alerts to an on-call of these people */
		async function startOnCall(...people: string[]) {
			const { credentials, post } = await createLogin('monitoring');
			const path = randomUUID();
			const value = people.join('\n');
			const assignments = [{ id: 'people', name: 'people', type: 'string', value }];
			const example = await readExample('on-call.json');
			// By itself the example keeps no data of what went well.
			const settings = { executionOrder: 'v1' };
			const filledIn = {
				People: { assignments: { assignments } },
				'Text All': TEMPLATE,
				Alertmanager: { path },
			};
			const others = { Alertmanager: credentials };
			const readable = { ...example, settings };
			const workflow = await importExample(setup(), readable, filledIn, others);
			await setup().n8n.rest.activate(workflow);
			return async (...alerts: Array<[alertname: string, status: string]>) => {
				const labelled = alerts.map(([alertname, status]) => ({ status, labels: { alertname } }));
				await post(workflow, path, { alerts: labelled });
			};
		}

		test('calls one after another until one answers, texts all, and neither again within the hour', async () => {
			const report = await startOnCall(ANSWERS_NOT, ANSWERS, FAILS);
			await report(['Down', 'firing'], ['Slow', 'firing'], ['Over', 'resolved']);
			expect(called()).toEqual([ANSWERS_NOT, ANSWERS, ANSWERS_NOT, ANSWERS]);
			const answered = `尾号${ANSWERS.slice(-4)}已接听`;
			expect(told()).toEqual(
				['Down', 'Slow'].map((alert) => [ANSWERS_NOT, ANSWERS, FAILS, alert, answered]),
			);
			await report(['Down', 'firing']);
			await report(['Down', 'resolved']);
			expect(setup().simulator.accepted()).toHaveLength(6);
		});

		test('texts all when nobody answers', async () => {
			const report = await startOnCall(ANSWERS_NOT, FAILS);
			await report(['Down', 'firing']);
			expect(called()).toEqual([ANSWERS_NOT, FAILS]);
			expect(told()).toEqual([[ANSWERS_NOT, FAILS, 'Down', '电话无人接听']]);
		});
	});

	test('order-shipped-sms: one SMS for an order with a tracking number, from the shop and by hand', async () => {
		const { credentials, post } = await createLogin('shop');
		const filledIn = { 'Text Customer': TEMPLATE };
		const workflow = await activated('order-shipped-sms.json', filledIn, { Shop: credentials });
		const order = { order: 1042, mobile: ANSWERS, carrier: '顺丰' };
		const report = async (more: object) =>
			(await post(workflow, 'order-shipped-change-me', { ...order, ...more })).nodesRun.at(-1);
		expect(await report({})).toBe('Not Shipped Yet');
		expect(await report({ tracking: 'SF1' })).toBe('Sent');
		expect(await report({ tracking: 'SF1' })).toBe('Sent');
		expect(await report({ mobile: 'nobody', tracking: 'SF2' })).toBe('Not Sent');
		await submit(workflow, ['1042', ANSWERS, '顺丰', 'SF1']);
		expect(told()).toEqual([[ANSWERS, '1042', '顺丰 SF1']]);
	});

	/** A new table with columns of text. @returns the parameter that chooses it, and counts its rows */
	async function createTable(...names: string[]) {
		const { rest } = setup().n8n;
		const project = await rest.get<{ id: string }>('/rest/projects/personal');
		const path = `/rest/projects/${project.id}/data-tables`;
		const columns = names.map((name) => ({ name, type: 'string' }));
		const { id } = await rest.post<{ id: string }>(path, { name: randomUUID(), columns });
		const countRows = async () =>
			(await rest.get<{ data: object[] }>(`${path}/${id}/rows`)).data.length;
		return { chosen: { dataTableId: { __rl: true, mode: 'id', value: id } }, countRows };
	}

	test('ask-by-sms-and-wait: goes on with the reply, and texts nobody who opted out', async () => {
		const { rest } = setup().n8n;
		const questions = await createTable('number', 'suffix', 'resumeUrl');
		const optOuts = await createTable('number');
		const workflow = await activated('ask-by-sms-and-wait.json', {
			Ask: { templateId: '100001' },
			'Keep Question': questions.chosen,
			'Find Question': questions.chosen,
			'Forget Question': questions.chosen,
			'Not Opted Out': optOuts.chosen,
			'Keep Opt-Out': optOuts.chosen,
		});
		const ask = async () =>
			(await sendForm(setup(), workflow, [ANSWERS, '明天上午九点'])).executionId;
		const [first, second] = [await rest.waiting(await ask()), await rest.waiting(await ask())];
		const url = rest.triggerUrl(findNode(workflow, 'Reply'));
		/** With the country code, and with the account's own digits in front of ours. */
		const reply = async (execution: Execution, text: string) => {
			const { suffix } = execution.getItems('Question')[0].json;
			const sms = { number: `+86${ANSWERS}`, text, appendCode: `96${suffix}` };
			await setup().simulator.sendSmsReply(sms, { url });
			const ended = await rest.ended(execution.id);
			expect(ended.error).toBeUndefined();
			return ended.getRuns('Answer')[0].data?.main?.map((items) => items?.length ?? 0);
		};
		expect(await reply(second, 'Ｙ')).toEqual([1, 0, 0]);
		expect((await rest.execution(first.id)).status).toBe('waiting');
		expect(await reply(first, 'TD退订。')).toEqual([0, 0, 1]);
		await until('the opt-out', async () => (await optOuts.countRows()) === 1 || undefined);
		const isEmpty = async () => (await questions.countRows()) === 0 || undefined;
		await until('the questions to go', isEmpty);
		expect((await rest.ended(await ask())).nodesRun).not.toContain('Ask');
		expect(texts()).toHaveLength(2);
	});

	describe('appointment-reminders-from-file', () => {
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			workflow = await activated('appointment-reminders-from-file.json', {
				'Text Reminder': TEMPLATE,
			});
		});
		const upload = async (name: string, content: Buffer) =>
			await submitToPage(workflow, [{ name, content }], /^Page/);

		test('sends one SMS for each row of a CSV file, and none for the same rows in Excel', async () => {
			const read = async (file: string) =>
				await upload(file, await readFile(join(projectFolder, 'examples/files', file)));
			const first = await read('appointments.csv');
			expect(first.html).toContain('3 条已发送，0 条未发送');
			const second = await read('appointments.xlsx');
			expect(second.html).toMatch(/0 条已发送，0 条未发送[^]*3 条以前已发送/);
			expect(told().sort()).toEqual([
				['13800000000', '王芳', '2026-12-01 09:30'],
				['13800000001', '李伟', '2026-12-01 14:00'],
				['13800000002', 'Zhang Min', '2026-12-02 10:15'],
			]);
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
			setup().simulator.fail({ kind: 'statusCode', statusCode: '160034', number });
			const { html, execution } = await upload('UPPER.CSV', Buffer.from(lines.join('\n')));
			expect(told()).toEqual([['13800000010', 'A', '9:30']]);
			expect(html).toContain('1 条已发送，4 条未发送');
			expect(html).toContain('rest.xlsx');
			const rest = execution.getItems('Rest').map(({ json }) => json);
			expect(rest.map((row) => row['姓名'])).toEqual(['B', '', '\ufffd\ufffd', 'E']);
			expect(rest[3]['原因']).toContain('160034');
		});
	});

	test('same-notice-to-thousands: reaches 1,000 people with 5 requests, nobody twice, and says why not', async () => {
		const numbers = Array.from({ length: 1000 }, (_, at) => String(13_800_000_000 + at));
		const workflow = await activated('same-notice-to-thousands.json', {
			'Text Everybody': { templateId: '100000' },
		});
		const send = async (to: string[], id: string) =>
			(await submitToPage(workflow, [to.join('\r\n'), id], /^Page/)).html;
		expect(await send([...numbers, numbers[0]], 'water-1')).toContain('1000 人已发送');
		expect(texts().map(({ to }) => to.length)).toEqual(Array<number>(5).fill(200));
		const reached = texts().flatMap(({ to }) => to);
		expect(reached.sort()).toEqual(numbers);
		expect(await send([...numbers, '13900000000'], 'water-1')).toContain('1 人已发送，1000 人跳过');
		expect(texts().slice(5)).toMatchObject([{ to: ['13900000000'] }]);
		setup().simulator.fail({ kind: 'statusCode', statusCode: '160034' });
		expect(await send(numbers, 'power-1')).toMatch(/未全部发送[^]*160034/);
	});

	// n8n has a human review of an agent's tools since 2.x; 1.123 does not know the node.
	(version.startsWith('1.') ? describe.skip : describe)('ai-agent-with-approval', () => {
		let model: ScriptedModel;
		let workflow: StoredWorkflow;

		beforeAll(async () => {
			model = await ScriptedModel.start();
			const data = { apiKey: 'only-for-the-test', url: model.url };
			const name = 'The scripted model';
			const id = await setup().n8n.rest.createCredential('openAiApi', name, data);
			workflow = await activated(
				'ai-agent-with-approval.json',
				{ Text: { ...TEMPLATE, options: { allowedRecipients: ANSWERS_NOT } } },
				{ Model: { openAiApi: { id, name } } },
			);
		});
		afterAll(async () => await model.stop());

		/** Writes to the hosted chat, and gives the question that the agent asks before it uses a tool. */
		async function chat(chatInput: string) {
			const { rest } = setup().n8n;
			const { webhookId } = findNode(workflow, 'When Chat Message Received');
			const message = { action: 'sendMessage', chatInput, sessionId: randomUUID() };
			const answer = await until('the chat', async () =>
				rest.send('POST', `/webhook/${webhookId}/chat`, message).catch(() => undefined),
			);
			const { executionId: id } = JSON.parse(answer) as { executionId: string };
			const asked = await rest.findIn(id, 'the question', (execution) => {
				const [run] = execution.getRuns('Ask Before Sending').slice(-1);
				const [item] = run?.data?.ai_tool?.[0] ?? [];
				const said = execution.status === 'waiting' ? item?.sendMessage : undefined;
				return typeof said === 'object' ? said : undefined;
			});
			return { id, ...asked };
		}

		/** Clicks a button below the question, and gives what the chat is told in the end. */
		async function click({ id, buttons }: Awaited<ReturnType<typeof chat>>, label: string) {
			const { link } = buttons.filter(({ text }) => text.includes(label))[0];
			// To a client that does not call itself a browser n8n says 200, and does nothing.
			const clicking = await fetch(link, { headers: { 'user-agent': BROWSER } });
			expect(clicking.status).toBe(200);
			// Then the execution waits until an open chat has taken the answer: there is none here.
			return await setup().n8n.rest.findIn(
				id,
				'the answer',
				(execution) => execution.getItems('Answer').at(0)?.sendMessage,
			);
		}

		/** What the model is told of the tool that it wanted to use. */
		const toldToModel = () => {
			const messages = model.requests.at(-1)?.messages ?? [];
			return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		};

		/** What the model says to send a text that a human reviews: the schema asks for this form. */
		const wishToText = (to: string): ModelAnswer => ({
			tool: 'Text',
			args: { toolParameters: { to, name: '王芳', place: '门口' }, hitlParameters: {} },
		});

		test('sends an SMS only after it was approved', async () => {
			model.follow(wishToText(ANSWERS_NOT), 'The text is on its way.');
			const question = await chat('Tell 13800000001 that the parcel is at the gate');
			expect(question.text).toMatch(/助手想使用 Text：[^]*13800000001[^]*王芳[^]*门口/);
			const offered = model.requests[0].tools?.map(({ function: { name } }) => name);
			expect(offered?.sort()).toEqual(['Call', 'Text']);
			expect(setup().simulator.record.requests).toEqual([]);

			expect(await click(question, 'Approve')).toBe('The text is on its way.');
			expect(told()).toEqual([[ANSWERS_NOT, '王芳', '门口']]);
			expect(toldToModel()).toEqual([expect.stringContaining(texts()[0].smsMessageSid)]);
		});

		test('sends nothing when it is declined, and tells the model so', async () => {
			model.follow(wishToText(ANSWERS), 'I sent nothing.');
			const question = await chat('Say hello to 13800000000');
			expect(await click(question, 'Decline')).toBe('I sent nothing.');
			expect(setup().simulator.record.requests).toEqual([]);
			expect(toldToModel()).toEqual([expect.stringMatching(/rejected the tool call to Text/)]);
		});
	});
});
