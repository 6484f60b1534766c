import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedMessage } from '../simulator';
import { projectFolder } from './harness/paths';
import type { StoredWorkflow, WorkflowDefinition } from './harness/n8nRest';
import { until } from './harness/until';
import { importExample } from './support/example';
import { importFilledIn, readExample, type FilledIn } from './support/examples';
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

const TRIGGER_TYPE = 'n8n-nodes-yuntongxun.yuntongxunTrigger';

describeOnEachN8n('The examples', (world) => {
	const calls = new Calls(world);
	const folder = join(projectFolder, 'examples');

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
	): Promise<StoredWorkflow> {
		const { n8n, credential } = world();
		const definition = typeof example === 'string' ? await readExample(example) : example;
		return await importFilledIn(n8n.rest, credential, definition, filledIn);
	}

	const texts = (): AcceptedMessage[] =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	/** Imports the example with the number to call, runs it by hand, and gives the workflow. */
	async function ordered(to: string) {
		const { rest } = world().n8n;
		const { nodes } = await readExample('call-and-wait-then-sms.json');
		const order = nodes.find(({ name }) => name === 'Order')?.parameters.assignments as {
			assignments: Array<{ name: string }>;
		};
		const assignments = order.assignments.map((each) =>
			each.name === 'to' ? { ...each, value: to } : each,
		);
		const workflow = await imported('call-and-wait-then-sms.json', {
			Order: { assignments: { assignments } },
		});
		return await rest.runToEnd(workflow, 'When Order Arrives');
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

	const people = (numbers: string[]) => ({
		People: {
			jsonOutput: JSON.stringify({
				people: numbers.map((to, at) => ({ name: `Person ${at + 1}`, to })),
			}),
		},
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

	test('there are no others', async () => {
		const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
		expect(files).toEqual([
			'call-300-people-at-once.json',
			'call-a-list-and-collect-outcomes.json',
			'call-and-wait-then-sms.json',
			'call-one-person.json',
			'missed-call-sends-sms.json',
			'signed-results-by-outcome.json',
		]);
	});
});
