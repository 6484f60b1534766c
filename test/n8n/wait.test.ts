import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import { openResumeAddress } from '../support/sealing';
import { Calls, MODES, numberEnding, placeTwoInMode, SILENT } from '../harness/calls';
import { fetchAlone } from '../harness/http';
import { describeOnEachN8n } from '../harness/setup';
import { until } from '../harness/until';
import {
	CALL,
	chain,
	hook,
	HOOK,
	manual,
	node,
	resultTrigger,
	splitPeople,
	START,
	Startable,
	TELL,
	tell,
	to,
	waitAndTell,
	waitingCall,
} from '../harness/workflows';

const RESTART_MS = 180_000;
/** n8n's own timer ends a wait two and a half minutes after its limit, and n8n looks once a minute. */
const TIMER_MS = 5 * 60_000;

// When a wait is over is decided by test/unit/waiting, and how results get there by test/unit/trigger: here
// is what n8n does.
describeOnEachN8n('A call that waits for its result', (setup, version) => {
	const calls = new Calls(setup);
	const isOne = version.startsWith('1.');
	let plain: Startable;
	let many: Startable;
	/** What was lost with the process, and what never came: n8n ends both while the other tests run. */
	let lost: AcceptedCall[];
	let silent: AcceptedCall;

	beforeAll(async () => {
		const { n8n, simulator, credential } = setup();
		simulator.configure({ callResultDelayMs: 0 });
		plain = await Startable.activate(setup(), waitAndTell(credential));
		many = await activate(splitPeople(), waitingCall(credential), tell(credential));
		lost = await startMany('55', 1);
		await calls.untilWaiting(lost[0]);
		expect(await calls.deliver(lost[0])).toBe(200);
		await sleep(1000);
		await n8n.kill();
		await n8n.start();
		silent = await park(plain, { limit: 1 });
	}, RESTART_MS);

	/** A webhook, these nodes, and the trigger of the workflow beside them. */
	const activate = async (...nodes: Parameters<typeof chain>[1][]): Promise<Startable> =>
		await Startable.activate(
			setup(),
			chain('Waits', hook(), ...nodes, resultTrigger(setup().credential)),
		);

	/** Starts an execution that waits for a call without a result of its own. */
	async function park(workflow = plain, more: { limit?: number } = {}): Promise<AcceptedCall> {
		const call = await calls.placeWith(workflow, more);
		await calls.untilWaiting(call);
		return call;
	}

	/** Starts one execution with calls to numbers with these last digits. */
	async function startMany(digits: string, limit = 60): Promise<AcceptedCall[]> {
		const people = [...digits].map((digit) => ({
			to: numberEnding(digit),
			userData: calls.nextName(),
			limit,
		}));
		await many.start({ people });
		return await Promise.all(people.map(async ({ userData }) => await calls.named(userData)));
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
		const { callSid } = call;
		expect(execution.getItems(CALL).map(({ json }) => json)).toMatchObject([
			{ callSid, to: SILENT, outcome: 'completed', answered: true, durationSeconds: 30 },
		]);
	});

	test('resumes with 40 results that come before n8n has parked it', async () => {
		const [first, ...others] = await startMany('0'.repeat(40));
		expect(await outcomes(first)).toEqual([first, ...others].map(() => 'completed'));
		expect(await calls.told(first)).toEqual([`completed ${first.userData}`]);
	});

	test('stays parked whatever else comes to its addresses', async () => {
		const call = await park();
		const { n8n, simulator } = setup();
		const { respUrl = '', callSid } = call;
		const resumeUrl = `${n8n.url}/webhook-waiting/${openResumeAddress(respUrl, simulator.credentials)}`;
		const guessed = `${n8n.url}/webhook-waiting/${calls.executionId(call)}`;
		const result = JSON.stringify({ action: 'SellingCall', callSid, state: '0' });
		const post = async (url: string, type = 'text/plain', body = result) =>
			(await fetchAlone(url, { method: 'POST', body, headers: { 'Content-Type': type } })).status;
		expect([
			await post(resumeUrl),
			await post(resumeUrl, 'application/json', '{"a":'),
			await post(resumeUrl.replace(/[?&]ytWait=.*$/, '')),
			await post(guessed),
			await post(`${guessed}/yuntongxun-result`),
			await post(respUrl.replace(/yt=wait\..{20}/, 'yt=wait.AAAAAAAAAAAAAAAAAAAA')),
			await post(respUrl.replace(/\?.*$/, '')),
		]).toEqual([200, 422, 200, isOne ? 404 : 401, isOne ? 200 : 401, 403, 403]);
		await calls.staysParked(call);
		await resumes(call);
	});

	test('resumes each round of a loop with its own result, and no other waiting node with a copy', async () => {
		const { credential, n8n } = setup();
		// n8n's own, which continues with any POST to the address of the execution.
		const ownWait = {
			...node('Wait', 'n8n-nodes-base.wait', { resume: 'webhook', httpMethod: 'POST' }, 1.1),
			webhookId: randomUUID(),
		};
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, 3);
		const nodes = [splitPeople(), loop, waitingCall(credential), tell(credential), ownWait];
		const workflow = await Startable.activate(setup(), {
			...chain('A loop of calls', hook(), ...nodes, resultTrigger(credential)),
			connections: {
				[HOOK]: { main: [to('Split')] },
				Split: { main: [to('Loop')] },
				Loop: { main: [to(TELL), to(CALL)] },
				[CALL]: { main: [to('Loop')] },
				[TELL]: { main: [to('Wait')] },
			},
		});
		const people = [1, 2, 3].map(() => ({ to: SILENT, userData: calls.nextName() }));
		await workflow.start({ people });
		const earlier: AcceptedCall[] = [];
		for (const [round, { userData }] of people.entries()) {
			const call = await calls.named(userData);
			for (const copy of earlier) expect(await calls.deliver(copy)).toBe(200);
			await calls.staysParked(call);
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

	test('is not placed by hand while the workflow is not active', async () => {
		const { n8n, simulator, credential } = setup();
		const before = simulator.accepted().length;
		const workflow = await n8n.rest.createWorkflow({
			...chain('By hand', manual(), waitingCall(credential), resultTrigger(credential)),
			pinData: { [START]: [{ json: { to: SILENT, userData: 'nobody' } }] },
		});
		const { error } = await n8n.rest.runToEnd(workflow, START);
		expect(error?.message).toMatch(/^This workflow's Yuntongxun Trigger is not active/);
		expect(simulator.accepted()).toHaveLength(before);
	});

	test.each(MODES)(
		'finds the trigger of its workflow in mode %s, and resumes',
		async (mode) => await placeTwoInMode(setup(), calls, mode),
	);

	test('resumes in a sub-workflow', async () => {
		const { n8n, credential } = setup();
		const called = 'n8n-nodes-base.executeWorkflowTrigger';
		const child = await n8n.rest.createWorkflow(
			chain(
				'Sub-workflow',
				node('When Called', called, { inputSource: 'passthrough' }, 1.1),
				waitingCall(credential, '$json.body'),
				resultTrigger(credential),
			),
		);
		await n8n.rest.activate(child);
		const workflowId = { __rl: true, mode: 'id', value: child.id };
		const options = { waitForSubWorkflow: true };
		const sub = node('Sub', 'n8n-nodes-base.executeWorkflow', { workflowId, options }, 1.2);
		// n8n 1 continues with what the parent's node got, n8n 2 with what the sub-workflow gave.
		const after = tell(credential);
		after.parameters.datas = [
			'={{ $json.callSid ?? $json.body.userData }}',
			'={{ $json.outcome ?? "none" }}',
		];
		const call = await park(await activate(sub, after));
		expect(await calls.deliver(call)).toBe(200);
		const [{ json }] = (await calls.ended(call)).getItems(CALL);
		expect(json).toMatchObject({ callSid: call.callSid, outcome: 'completed' });
		const told = isOne ? { ...call, callSid: call.userData ?? '' } : call;
		expect(await calls.told(told)).toEqual([isOne ? 'none' : 'completed']);
	});

	test(
		'resumes after n8n was killed while it waited; a retry of what crashed behind it calls nobody',
		async () => {
			const { n8n, credential } = setup();
			const pause = node('Pause', 'n8n-nodes-base.wait', { amount: 20, unit: 'seconds' }, 1.1);
			const waiting = waitingCall(credential, '$json.body');
			const call = await park(await activate(waiting, pause, tell(credential)));
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
			expect(calls.allNamed(String(call.userData))).toHaveLength(1);
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
			expect(calls.toldSoFar(lost[0])).toHaveLength(1);
		},
		2 * TIMER_MS,
	);
});

/** A public address with a prefix, which n8n itself cannot reach, and n8n's endpoints, called something else. */
const PUBLIC = {
	N8N_WEBHOOK_URL: 'https://n8n.invalid/phone/',
	N8N_ENDPOINT_WEBHOOK: 'hooks',
	N8N_ENDPOINT_WEBHOOK_TEST: 'hooks-test',
	N8N_ENDPOINT_WEBHOOK_WAIT: 'hooks-paused',
};

const declareUnreachable: Parameters<typeof describeOnEachN8n>[1] = (setup) => {
	const calls = new Calls(setup);

	test('is placed by hand, and resumes', async () => {
		const { n8n, credential } = setup();
		// We come in at its door, as a proxy does.
		n8n.rest.webhookBase = `${n8n.url}/${PUBLIC.N8N_ENDPOINT_WEBHOOK}`;
		const waiting = waitingCall(credential);
		const workflow = await n8n.rest.createWorkflow({
			...chain('By hand', manual(), waiting, tell(credential), resultTrigger(credential)),
			pinData: { [START]: [{ json: { to: SILENT, userData: 'by hand' } }] },
		});
		await n8n.rest.activate(workflow);
		await n8n.rest.run(workflow, START);
		const call = await calls.named('by hand');
		expect(call.respUrl).toMatch(
			/^https:\/\/n8n\.invalid\/phone\/hooks\/[\w-]+\/yuntongxun\?yt=wait\./,
		);
		const url = call.respUrl?.replace('https://n8n.invalid/phone', n8n.url);
		expect(await calls.deliver(call, { url })).toBe(200);
		expect(await calls.told(call)).toEqual(['completed by hand']);
	});
};
describeOnEachN8n('A call of an n8n that cannot reach its own public address', declareUnreachable, {
	env: PUBLIC,
});
