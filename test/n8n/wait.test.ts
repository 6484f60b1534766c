import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import { openResumeAddress } from '../support/sealing';
import { Calls, numberEnding, SILENT } from '../harness/callResults';
import { fetchAlone } from '../harness/http';
import type { WorkflowDefinition } from '../harness/n8nRest';
import {
	beside,
	CALL,
	chain,
	hook,
	HOOK,
	resultTrigger,
	splitPeople,
	Startable,
	TELL,
	tell,
	waitAndTell,
	waitingCall,
} from '../harness/waitWorkflows';
import { until } from '../harness/until';
import { node, START, to } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const RESTART_MS = 180_000;
/** n8n's own timer ends a wait two and a half minutes after its limit, and n8n looks once a minute. */
const TIMER_MS = 5 * 60_000;

// When a wait is over is decided by test/unit/waiting, and how results get there by test/engine: here is
// what n8n does.
describeOnEachN8n('A call that waits for its result', (world, version) => {
	const calls = new Calls(world);
	const isOne = version.startsWith('1.');
	let plain: Startable;
	let many: Startable;
	/** What was lost with the process, and what never came: n8n ends both while the other tests run. */
	let lost: AcceptedCall[];
	let silent: AcceptedCall;

	beforeAll(async () => {
		const { n8n, simulator, credential } = world();
		simulator.configure({ callResultDelayMs: 0 });
		plain = await Startable.activate(world(), waitAndTell(credential));
		many = await Startable.activate(
			world(),
			withTrigger(
				chain(
					'Many',
					hook(),
					splitPeople(),
					waitingCall(credential, { from: '$json' }),
					tell(credential),
				),
			),
		);
		lost = await parkMany('55', 1);
		expect(await calls.deliver(lost[0])).toBe(200);
		await sleep(1000);
		await n8n.kill();
		await n8n.start();
		silent = await park({ limit: 1 });
	}, RESTART_MS);

	/** The same workflow with a trigger beside it. */
	const withTrigger = (definition: WorkflowDefinition) =>
		beside(definition, resultTrigger(world().credential));

	/** Starts an execution that waits for a call without a result of its own. */
	async function park({ workflow = plain, limit = 60 } = {}): Promise<AcceptedCall> {
		const userData = calls.nextName();
		await workflow.start({ to: SILENT, userData, limit });
		const call = await calls.named(userData);
		await calls.untilWaiting(call);
		return call;
	}

	/** Starts one execution that waits for calls to numbers with these last digits. */
	async function parkMany(digits: string, limit = 60): Promise<AcceptedCall[]> {
		const people = [...digits].map((digit) => ({
			to: numberEnding(digit),
			userData: calls.nextName(),
			limit,
		}));
		await many.start({ people });
		const placed = await Promise.all(
			people.map(async ({ userData }) => await calls.named(userData)),
		);
		await calls.untilWaiting(placed[0]);
		return placed;
	}

	/** Sends the result and checks that the execution resumes with it once. */
	async function resumes(call: AcceptedCall): Promise<void> {
		expect(await calls.deliver(call)).toBe(200);
		expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		expect((await calls.ended(call)).status).toBe('success');
	}

	const outcomes = async (call: AcceptedCall) =>
		(await calls.ended(call)).getItems(CALL).map(({ json }) => json.outcome);

	test('resumes once with the result, and gives it in one item', async () => {
		const call = await park();
		await resumes(call);
		const execution = await calls.ended(call);
		expect(execution.nodesRun).toEqual([HOOK, CALL, TELL]);
		expect(execution.getItems(CALL).map(({ json }) => json)).toMatchObject([
			{
				callSid: call.callSid,
				to: SILENT,
				outcome: 'completed',
				answered: true,
				durationSeconds: 30,
			},
		]);
	});

	test('resumes with 40 results that come before n8n has parked it', async () => {
		const people = Array.from({ length: 40 }, () => ({
			to: numberEnding('0'),
			userData: calls.nextName(),
		}));
		await many.start({ people });
		const first = await calls.named(people[0].userData);
		expect(await outcomes(first)).toEqual(people.map(() => 'completed'));
		expect(await calls.told(first)).toEqual([`completed ${people[0].userData}`]);
	});

	test('stays parked whatever else comes to its addresses', async () => {
		const call = await park();
		const { n8n, simulator } = world();
		const resumeUrl = `${n8n.url}/webhook-waiting/${openResumeAddress(call.respUrl ?? '', simulator.credentials)}`;
		const body = JSON.stringify({ action: 'SellingCall', callSid: call.callSid, state: '0' });
		const post = async (url: string, type = 'text/plain', text = body) =>
			(
				await fetchAlone(url, {
					method: 'POST',
					body: Buffer.from(text),
					headers: { 'Content-Type': type },
				})
			).status;
		const guessed = `${n8n.url}/webhook-waiting/${calls.executionId(call)}`;
		expect([
			await post(resumeUrl),
			await post(resumeUrl, 'application/json', '{"a":'),
			await post(resumeUrl.replace(/[?&]ytWait=.*$/, '')),
			await post(guessed),
			await post(`${guessed}/yuntongxun-result`),
			await post((call.respUrl ?? '').replace(/yt=wait\..{20}/, 'yt=wait.AAAAAAAAAAAAAAAAAAAA')),
			await post((call.respUrl ?? '').replace(/\?.*$/, '')),
		]).toEqual([200, 422, 200, isOne ? 404 : 401, isOne ? 200 : 401, 403, 403]);
		await calls.stayParked(call);
		await resumes(call);
	});

	test('resumes each round of a loop with its own result, and no other waiting node with a copy', async () => {
		const { credential, n8n } = world();
		// n8n's own, which continues with any POST to the address of the execution.
		const ownWait = {
			...node('Wait', 'n8n-nodes-base.wait', { resume: 'webhook', httpMethod: 'POST' }, 1.1),
			webhookId: randomUUID(),
		};
		const workflow = await Startable.activate(
			world(),
			withTrigger({
				name: 'A loop of calls',
				nodes: [
					hook(),
					splitPeople(),
					node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, 3),
					waitingCall(credential, { from: '$json' }),
					tell(credential),
					ownWait,
				],
				connections: {
					[HOOK]: { main: [to('Split')] },
					Split: { main: [to('Loop')] },
					Loop: { main: [to(TELL), to(CALL)] },
					[CALL]: { main: [to('Loop')] },
					[TELL]: { main: [to('Wait')] },
				},
			}),
		);
		const people = [1, 2, 3].map(() => ({ to: SILENT, userData: calls.nextName() }));
		await workflow.start({ people });
		const earlier: AcceptedCall[] = [];
		for (const [round, { userData }] of people.entries()) {
			const call = await calls.named(userData);
			for (const copy of earlier) expect(await calls.deliver(copy)).toBe(200);
			await calls.stayParked(call);
			expect(await calls.deliver(call, { fields: { state: String(round) } })).toBe(200);
			earlier.push(call);
		}
		const told = await Promise.all(earlier.map(async (call) => await calls.told(call)));
		const ends = ['completed', 'noAnswer', 'failed'];
		expect(told).toEqual(people.map(({ userData }, at) => [`${ends[at]} ${userData}`]));
		for (const copy of earlier) expect(await calls.deliver(copy)).toBe(200);
		await sleep(3000);
		expect((await n8n.rest.execution(calls.executionId(earlier[0]))).status).toBe('waiting');
	});

	test('resumes in a workflow that is run by hand, and is not placed while that is not active', async () => {
		const { n8n, credential } = world();
		const userData = calls.nextName();
		const start = node(START, 'n8n-nodes-base.manualTrigger');
		const workflow = await n8n.rest.createWorkflow({
			...withTrigger(
				chain('By hand', start, waitingCall(credential, { from: '$json' }), tell(credential)),
			),
			pinData: { [START]: [{ json: { to: SILENT, userData } }] },
		});
		const { error } = await n8n.rest.ended(await n8n.rest.run(workflow, START));
		expect(error?.message).toMatch(/^This workflow's Yuntongxun Trigger is not active/);
		expect(calls.all().filter((call) => call.userData === userData)).toEqual([]);

		await n8n.rest.activate(workflow);
		await n8n.rest.run(workflow, START);
		await resumes(await calls.named(userData));
	});

	test('resumes in a sub-workflow', async () => {
		const { n8n, credential } = world();
		const called = 'n8n-nodes-base.executeWorkflowTrigger';
		const child = await n8n.rest.createWorkflow(
			withTrigger(
				chain(
					'Sub-workflow',
					node('When Called', called, { inputSource: 'passthrough' }, 1.1),
					waitingCall(credential),
				),
			),
		);
		await n8n.rest.activate(child);
		const workflowId = { __rl: true, mode: 'id', value: child.id };
		const options = { waitForSubWorkflow: true };
		const sub = node('Sub', 'n8n-nodes-base.executeWorkflow', { workflowId, options }, 1.2);
		// n8n 1 continues with what the parent's node got, n8n 2 with what the sub-workflow gave.
		const after = tell(credential, '={{ $json.outcome ?? "no outcome" }}');
		after.parameters.datas = [
			'={{ $json.callSid ?? $json.body.userData }}',
			'={{ $json.outcome ?? "none" }}',
		];
		const parent = await Startable.activate(world(), chain('Parent', hook(), sub, after));
		const call = await park({ workflow: parent });
		expect(await calls.deliver(call)).toBe(200);
		const [{ json }] = (await calls.ended(call)).getItems(CALL);
		expect(json).toMatchObject({ callSid: call.callSid, outcome: 'completed' });
		const told = isOne ? { ...call, callSid: call.userData ?? '' } : call;
		expect(await calls.told(told)).toEqual([isOne ? 'none' : 'completed']);
	});

	test(
		'resumes after n8n was killed while it waited; a retry of what crashed behind it calls nobody',
		async () => {
			const { n8n, credential } = world();
			const pause = node('Pause', 'n8n-nodes-base.wait', { amount: 20, unit: 'seconds' }, 1.1);
			const workflow = await Startable.activate(
				world(),
				withTrigger(chain('Crashes', hook(), waitingCall(credential), pause, tell(credential))),
			);
			const call = await park({ workflow });
			await n8n.kill();
			await n8n.start();
			await calls.untilWaiting(call);
			expect(await calls.deliver(call)).toBe(200);
			await sleep(5000);
			await n8n.kill();
			await n8n.start();
			const crashed = calls.executionId(call);
			await until('n8n to see that it has crashed', async () => {
				return (await n8n.rest.execution(crashed)).status === 'crashed' || undefined;
			});
			expect(await calls.deliver(call)).toBe(200);
			await n8n.rest.retryExecution(crashed, { loadWorkflow: true });
			expect(await calls.told(call, RESTART_MS)).toEqual([`completed ${call.userData}`]);
			expect(calls.all().filter(({ userData }) => userData === call.userData)).toHaveLength(1);
		},
		2 * RESTART_MS,
	);

	test(
		'is ended by n8n’s own timer where nothing has come, or where it went with the process',
		async () => {
			for (const call of [silent, lost[0]]) {
				expect(await calls.told(call, TIMER_MS)).toEqual(['timeout']);
			}
			expect(await outcomes(lost[0])).toEqual(['timeout', 'timeout']);
			expect(await calls.deliver(lost[1])).toBe(200);
			await sleep(2000);
			expect(calls.followers(lost[0])).toHaveLength(1);
		},
		2 * TIMER_MS,
	);
});
