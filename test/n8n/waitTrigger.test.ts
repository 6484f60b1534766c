import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import type { Execution } from '../harness/storedExecution';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from '../harness/n8nRest';
import { until } from '../harness/until';
import { Calls, numberEnding, SILENT } from '../harness/callResults';
import { signedUrl } from '../support/signing';
import {
	CALL,
	chain,
	hook,
	ours,
	beside,
	resultTrigger,
	Startable,
	TELL,
	tell,
	findTrigger,
	waitingCall,
} from '../harness/waitWorkflows';
import { node, START, to } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const RESTART_MS = 180_000;
const ANSWER_HOLDS_MS = 61_000;
const RELAYED = 20;
const RELAYED_LIMIT_MS = 60_000;
/** Longer than n8n takes to start an execution. */
const QUIET_MS = 2_000;

// Which addresses and which copies a trigger refuses is decided by test/unit/trigger.
describeOnEachN8n('A trigger', (world) => {
	const calls = new Calls(world);

	beforeAll(() => {
		world().simulator.configure({ callResultDelayMs: 500, checkAcknowledgements: false });
	});

	/** A call that is made by hand, and a trigger that tells what it gets. */
	function reporting(
		start: { to: string; userData: string },
		trigger: WorkflowNode,
		options: Record<string, unknown> = {},
	): WorkflowDefinition {
		const { credential } = world();
		const call = ours(CALL, credential, {
			resource: 'call',
			operation: 'notify',
			to: '={{ $json.to }}',
			content: 'text',
			mediaTxt: 'Hello',
			resultDelivery: 'trigger',
			options: { userData: '={{ $json.userData }}', ...options },
		});
		const definition = chain('Reports', node(START, 'n8n-nodes-base.manualTrigger'), call);
		return {
			...definition,
			nodes: [...definition.nodes, trigger, tell(credential)],
			connections: { ...definition.connections, [trigger.name]: { main: [to(TELL)] } },
			pinData: { [START]: [{ json: start }] },
		};
	}

	async function byHand(workflow: StoredWorkflow): Promise<Execution> {
		return await world().n8n.rest.runToEnd(workflow, START);
	}

	/** Activates a trigger that tells what it gets, and gives its address. */
	async function listening(options: Record<string, unknown>, what?: string) {
		const { rest } = world().n8n;
		const { credential } = world();
		const workflow = await rest.createWorkflow(
			chain('Listens', resultTrigger(credential, options), tell(credential, what)),
		);
		await rest.activate(workflow);
		return { workflow, url: rest.triggerUrl(findTrigger(workflow)) };
	}

	test(
		'is found by a call only while its workflow is active',
		async () => {
			const { rest } = world().n8n;
			const start = { to: numberEnding('1'), userData: calls.nextName() };
			const workflow = await rest.createWorkflow(
				reporting(start, resultTrigger(world().credential)),
			);
			const advice = /is not active/;

			expect((await byHand(workflow)).error?.message).toMatch(advice);
			expect(calls.all().filter(({ userData }) => userData === start.userData)).toEqual([]);

			await rest.activate(workflow);
			expect((await byHand(workflow)).error).toBeUndefined();
			const call = await calls.named(start.userData);
			expect(call.respUrl?.split('?')[0]).toBe(rest.triggerUrl(findTrigger(workflow)));
			expect(await calls.told(call)).toEqual([`noAnswer ${start.userData}`]);

			await rest.deactivate(workflow);
			// The answer of the trigger holds for a minute.
			await sleep(ANSWER_HOLDS_MS);
			const before = calls.all().length;
			expect((await byHand(workflow)).error?.message).toMatch(advice);
			expect(calls.all()).toHaveLength(before);
		},
		RESTART_MS,
	);

	test('requires signed URLs: accepts those of calls and refuses changed ones', async () => {
		const { n8n, credential, simulator } = world();
		const start = { to: numberEnding('0'), userData: calls.nextName() };
		const workflow = await n8n.rest.createWorkflow(
			reporting(start, resultTrigger(credential, { requireSignedUrl: true })),
		);
		await n8n.rest.activate(workflow);
		expect((await byHand(workflow)).error).toBeUndefined();
		const call = await calls.named(start.userData);
		const [, expires] =
			/^[^?]*\?ytExpires=(\d+)&ytSignature=[0-9a-f]{64}$/.exec(call.respUrl ?? '') ?? [];
		expect(Math.abs(Number(expires) - Date.parse(call.at) / 1000 - 24 * 60 * 60)).toBeLessThan(120);
		expect(await calls.told(call)).toEqual([`completed ${start.userData}`]);

		const bare = n8n.rest.triggerUrl(findTrigger(workflow));
		const another = { ...call, callSid: randomUUID().replace(/-/g, '') };
		const soon = Math.ceil(Date.now() / 1000) + 60;
		const url = signedUrl(`${bare}?shop=1%202&x=%2F+`, simulator.credentials, soon);
		for (const forged of [bare, `${call.respUrl}&more=1`, url.replace('shop=1', 'shop=2')]) {
			expect(await calls.deliver(another, { url: forged })).toBe(403);
		}
		await sleep(QUIET_MS);
		expect(calls.followers(another)).toEqual([]);
		expect(await calls.deliver(another, { url })).toBe(200);
		expect(await calls.told(another)).toHaveLength(1);
	});

	test(
		'starts one execution for copies at the same moment',
		async () => {
			const { rest } = world().n8n;
			const { workflow, url } = await listening({});
			const sid = (call: number) => ({ callSid: String(call).padStart(32, '0') }) as AcceptedCall;
			const started = async () => (await rest.listExecutions(workflow)).length;
			const many = Array.from({ length: 20 }, (_, at) => sid(at));
			const copies = [...many, ...many, ...Array.from({ length: 10 }, () => many[0])];
			const statuses = await Promise.all(
				copies.map(async (each) => await calls.deliver(each, { url })),
			);
			expect(statuses).toEqual(copies.map(() => 200));
			await until(
				'all of them',
				() => many.every((each) => calls.followers(each).length > 0) || undefined,
			);
			await sleep(QUIET_MS);
			expect(many.map((each) => calls.followers(each).length)).toEqual(many.map(() => 1));
			expect(await started()).toBe(many.length);
		},
		RESTART_MS,
	);

	test('keeps what other nodes of its workflow remember', async () => {
		const { rest } = world().n8n;
		const { credential } = world();
		const count =
			'const memory = $getWorkflowStaticData("global"); memory.count = (memory.count ?? 0) + 1;';
		const counter = node(
			'Count',
			'n8n-nodes-base.code',
			{ jsCode: `${count} return $input.all();` },
			2,
		);
		const workflow = await rest.createWorkflow(
			chain('Counts', resultTrigger(credential), counter, tell(credential)),
		);
		await rest.activate(workflow);
		const url = rest.triggerUrl(findTrigger(workflow));
		for (const digit of ['1', '2', '3']) {
			const call = { callSid: digit.repeat(32) } as AcceptedCall;
			expect(await calls.deliver(call, { url })).toBe(200);
			expect(await calls.told(call)).toHaveLength(1);
		}
		const stored = async () => (await rest.workflow(workflow.id)).staticData?.global;
		expect(await stored()).toEqual({ count: 3 });
	});

	test('relays results that arrive right after the call was accepted', async () => {
		const { credential, simulator, n8n } = world();
		simulator.configure({ callResultDelayMs: 0 });
		const relayed = await Startable.activate(
			world(),
			beside(
				chain('Relayed', hook(), waitingCall(credential), tell(credential)),
				resultTrigger(credential, { requireSignedUrl: true }),
			),
		);
		const relayUrl = n8n.rest.triggerUrl(findTrigger(relayed.workflow));
		const outcomes = ['completed', 'noAnswer', 'failed'];
		const started = Array.from({ length: RELAYED }, (_, at) => ({
			outcome: outcomes[at % 3],
			what: { to: numberEnding(String(at % 3)), userData: calls.nextName() },
		}));
		await Promise.all(started.map(async ({ what }) => await relayed.start(what)));
		const told = await Promise.all(
			started.map(async ({ what }) => {
				const call = await calls.named(what.userData);
				expect(call.respUrl?.startsWith(`${relayUrl}?ytResume=`)).toBe(true);
				return await calls.told(call, RELAYED_LIMIT_MS);
			}),
		);
		expect(told).toEqual(started.map(({ outcome, what }) => [`${outcome} ${what.userData}`]));

		const userData = calls.nextName();
		await relayed.start({ to: SILENT, userData });
		const call = await calls.named(userData);
		const url = call.respUrl ?? '';
		const soon = Math.ceil(Date.now() / 1000) + 60;
		const resume = new URL(url).searchParams.get('ytResume') ?? '';
		const bare = resume.replace(/[?&]ytExpires=.*$/, '');
		const around = (inner: string) => `${relayUrl}?ytResume=${encodeURIComponent(inner)}`;
		// Both addresses have to be signed.
		for (const forged of [around(resume), signedUrl(around(bare), simulator.credentials, soon)]) {
			expect(await calls.deliver(call, { url: forged })).toBe(403);
		}
		await calls.stayParked(call);
		const copies = Array.from({ length: 5 }, async () => await calls.deliver(call));
		expect(await Promise.all(copies)).toEqual(Array(5).fill(200));
		expect(await calls.told(call)).toEqual([`completed ${userData}`]);
	});
});
