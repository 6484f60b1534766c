import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall, CallResultOverrides } from '../../simulator/index';
import type { Execution } from '../harness/storedExecution';
import { until } from '../harness/until';
import { Calls, numberEnding, SILENT } from '../harness/callResults';
import {
	CALL,
	chain,
	hook,
	HOOK,
	ours,
	splitPeople,
	Startable,
	TELL,
	tell,
	waitAndTell,
	waitingCall,
} from '../harness/waitWorkflows';
import { node, START, to } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

/** n8n looks once a minute for executions whose limit has passed. */
const TICK_MS = 100_000;
const RESTART_MS = 180_000;
/** Longer than the tests take: a result that comes before n8n has parked the execution is lost. */
const NO_RESULT_MS = 24 * 60 * 60_000;

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

// What the node itself refuses and acknowledges is decided by test/unit/waiting/wait: here is what n8n does.
describeOnEachN8n('A call that waits for its result', (world) => {
	const calls = new Calls(world);
	let limited: AcceptedCall[];
	let plain: Startable;
	let isOne: boolean;

	beforeAll(async () => {
		const { n8n, simulator, credential } = world();
		isOne = n8n.n8n.version.startsWith('1.');
		simulator.configure({ callResultDelayMs: NO_RESULT_MS, checkAcknowledgements: false });
		plain = await Startable.activate(world(), waitAndTell(credential, { hasTrigger: false }));
		// n8n ends these in its own time; the other tests run meanwhile.
		limited = [await waitingShortly(), await waitingShortly()];
	});

	/** Starts an execution that waits for a call without a result of its own. */
	async function waiting(workflow = plain, number = SILENT): Promise<AcceptedCall> {
		const call = await calls.placeWith(workflow, number);
		await calls.untilParked(call);
		return call;
	}

	/** The same with a limit that passes at once. */
	async function waitingShortly(): Promise<AcceptedCall> {
		const userData = calls.nextName();
		await plain.start({ to: SILENT, userData, limit: 1 });
		const call = await calls.named(userData);
		// n8n may end the wait at any moment, and answers then as it does before it has parked.
		await until('the data of the wait or of its end', async () => {
			return (await calls.execution(call)).getRuns(CALL).length > 0 || undefined;
		});
		return call;
	}

	/** Sends the result and checks that the execution resumes with it once. */
	async function resumes(call: AcceptedCall, by: CallResultOverrides = {}): Promise<void> {
		expect((await calls.send(call, by)).answer).toEqual({
			httpStatus: 200,
			contentType: expect.stringMatching(/^(?:application|text)\/xml\b/) as string,
			body: ACKNOWLEDGEMENT,
		});
		expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		expect((await calls.ended(call)).status).toBe('success');
	}

	/** What an item holds of its call, besides the result. */
	const placed = ({ callSid }: AcceptedCall, { orderid }: Record<string, unknown>) => ({
		statusCode: '000000',
		callSid,
		dateCreated: expect.any(String) as string,
		createdAt: expect.any(String) as string,
		...(orderid !== undefined && { orderid: expect.any(String) as string }),
	});

	test('resumes once with the result, and gives it in one item', async () => {
		const call = await waiting(plain, numberEnding('0'));
		await resumes(call);
		const execution = await calls.ended(call);
		expect(execution.nodesRun).toEqual([HOOK, CALL, TELL]);
		expect(execution.getRuns(CALL)).toHaveLength(1);
		const items = execution.getItems(CALL).map(({ json }) => json);
		expect(items).toMatchObject([
			{
				...placed(call, items[0]),
				to: numberEnding('0'),
				outcome: 'completed',
				answered: true,
				durationSeconds: 30,
			},
		]);
	});

	test('stays parked whatever else arrives, then resumes with its own result', async () => {
		const [parked, other] = [await waiting(), await waiting()];
		const url = parked.respUrl ?? '';
		const { n8n } = world();
		const guessed = `${n8n.url}/webhook-waiting/${calls.executionId(parked)}`;
		const elsewhere = url.replace(
			`/webhook-waiting/${calls.executionId(parked)}`,
			`/webhook-waiting/${calls.executionId(other)}`,
		);
		expect(elsewhere).not.toBe(url);
		const xml = 'text/xml';
		const json = 'application/json';
		// n8n 2 has a token in the address, which is for one execution; on n8n 1 our secret decides,
		// and it knows no waiting webhook without our path.
		const arrivals: Array<[string, CallResultOverrides, number]> = [
			['without our secret', { url: url.replace(/[?&]ytWait=.*$/, '') }, 403],
			['at another path', { url: url.replace('?', '/x?') }, 404],
			['at the address of another execution', { url: elsewhere }, isOne ? 403 : 401],
			['at an address that can be guessed', { url: guessed }, isOne ? 404 : 401],
			['there, at our path', { url: `${guessed}/yuntongxun-result` }, isOne ? 403 : 401],
			['XML that is cut off', { contentType: xml, body: '<a><b>' }, 422],
			['JSON that is cut off', { contentType: json, body: '{"a":' }, 422],
		];
		for (const [what, overrides, status] of arrivals) {
			expect([what, await calls.deliver(parked, overrides)]).toEqual([what, status]);
			await calls.areParked(parked, other);
		}
		const form = new FormData();
		form.set('action', 'SellingCall');
		form.set('callSid', parked.callSid);
		expect((await fetch(url, { method: 'POST', body: form })).status).toBe(400);
		expect((await fetch(url)).status).toBe(404);
		await calls.stayParked(parked, other);
		await resumes(parked);
		await resumes(other);
	});

	test('resumes each round of a loop with its own result, never with an earlier one', async () => {
		const { credential } = world();
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, 3);
		const workflow = await Startable.activate(world(), {
			name: 'A loop of calls',
			nodes: [
				hook(),
				splitPeople(),
				loop,
				waitingCall(credential, { from: '$json' }),
				tell(credential),
			],
			connections: {
				[HOOK]: { main: [to('Split')] },
				Split: { main: [to('Loop')] },
				Loop: { main: [to(TELL), to(CALL)] },
				[CALL]: { main: [to('Loop')] },
			},
		});
		const people = [1, 2, 3].map(() => ({ to: SILENT, userData: calls.nextName() }));
		await workflow.start({ people });
		const earlier: AcceptedCall[] = [];
		const states = ['0', '1', '2'];
		for (const [round, { userData }] of people.entries()) {
			const call = await calls.parked(userData);
			for (const late of earlier) {
				// Its address holds the secret of a wait that is over.
				expect(await calls.deliver(late)).toBe(403);
				expect(await calls.deliver(late, { url: call.respUrl })).toBe(200);
			}
			await calls.stayParked(call);
			expect(await calls.deliver(call, { fields: { state: states[round] } })).toBe(200);
			earlier.push(call);
		}
		const told = await Promise.all(earlier.map(async (call) => await calls.told(call)));
		const outcomes = ['completed', 'noAnswer', 'failed'];
		expect(told).toEqual(people.map(({ userData }, at) => [`${outcomes[at]} ${userData}`]));
		expect((await calls.ended(earlier[0])).getRuns(CALL)).toHaveLength(3);
	});

	test('resumes in a workflow that is run by hand', async () => {
		const { n8n, credential } = world();
		const start = node(START, 'n8n-nodes-base.manualTrigger');
		const call = waitingCall(credential, { from: '$json' });
		const userData = calls.nextName();
		const workflow = await n8n.rest.createWorkflow({
			...chain('By hand', start, call, tell(credential)),
			pinData: { [START]: [{ json: { to: SILENT, userData } }] },
		});
		const id = await n8n.rest.run(workflow, START);
		const accepted = await calls.parked(userData);
		expect(calls.executionId(accepted)).toBe(id);
		await resumes(accepted);
	});

	test('resumes in a sub-workflow', async () => {
		const { n8n, credential } = world();
		const called = 'n8n-nodes-base.executeWorkflowTrigger';
		const child = await n8n.rest.createWorkflow(
			chain(
				'Sub-workflow',
				node('When Called', called, { inputSource: 'passthrough' }, 1.1),
				waitingCall(credential),
			),
		);
		await n8n.rest.activate(child);
		const workflowId = { __rl: true, mode: 'id', value: child.id };
		const options = { waitForSubWorkflow: true };
		const sub = node('Sub', 'n8n-nodes-base.executeWorkflow', { workflowId, options }, 1.2);
		// n8n 1 continues with what the parent's node got, n8n 2 with what the sub-workflow gave.
		const after = ours(TELL, credential, {
			resource: 'sms',
			operation: 'send',
			to: '13800000009',
			templateId: '100002',
			datas: [
				'={{ $json.userData ?? $json.body.userData }}',
				'={{ $json.outcome ?? "no outcome" }}',
			],
			options: {},
		});
		const parent = await Startable.activate(world(), chain('Parent', hook(), sub, after));
		const call = await waiting(parent);
		await calls.stayParked(call);
		expect(await calls.deliver(call)).toBe(200);
		const [{ json }] = (await calls.ended(call)).getItems(CALL);
		expect(json).toMatchObject({ callSid: call.callSid, outcome: 'completed' });
		const asTold = { ...call, callSid: call.userData ?? '' };
		expect(await calls.told(asTold)).toEqual([isOne ? 'no outcome' : 'completed']);
	});

	test('resumes between Webhook and Respond to Webhook', async () => {
		const { credential } = world();
		const answering = { respondWith: 'json', responseBody: '={{ JSON.stringify($json) }}' };
		const respond = node(
			'Respond',
			'n8n-nodes-base.respondToWebhook',
			{ ...answering, options: {} },
			1.1,
		);
		const start = hook({ responseMode: 'responseNode' });
		const workflow = await Startable.activate(
			world(),
			chain('Respond', start, waitingCall(credential), respond),
		);
		const userData = calls.nextName();
		const answer = workflow.start({ to: SILENT, userData });
		const call = await calls.parked(userData);
		expect(await calls.deliver(call)).toBe(200);
		const { callSid } = call;
		expect(await (await answer).json()).toMatchObject({ callSid, outcome: 'completed', userData });
	});

	test('is pending in the answer of a webhook that answers with the last node', async () => {
		const { credential } = world();
		const workflow = await Startable.activate(
			world(),
			chain('Last', hook({ responseMode: 'lastNode' }), waitingCall(credential)),
		);
		const userData = calls.nextName();
		const answer = await workflow.start({ to: SILENT, userData });
		expect(await answer.json()).toMatchObject({ outcome: 'pending' });
		const call = await calls.parked(userData);
		const listOutcomes = (execution: Execution) =>
			execution.getItems(CALL).map(({ json }) => json.outcome);
		expect(listOutcomes(await calls.execution(call))).toEqual(['pending']);

		expect(await calls.deliver(call)).toBe(200);
		expect(listOutcomes(await calls.ended(call))).toEqual(['completed']);
	});

	test(
		'continues once with the outcome timeout at its limit, and refuses a later result',
		async () => {
			for (const call of limited) {
				expect(await calls.told(call, TICK_MS)).toEqual(['timeout']);
				const execution = await calls.ended(call);
				expect(execution.status).toBe('success');
				const items = execution.getItems(CALL).map(({ json }) => json);
				const late = { to: SILENT, outcome: 'timeout', answered: false };
				expect(items).toEqual([{ ...placed(call, items[0]), ...late }]);
			}
			expect(await calls.deliver(limited[0])).toBeGreaterThanOrEqual(400);
			await sleep(1000);
			expect(calls.followers(limited[0])).toHaveLength(1);
		},
		2 * TICK_MS,
	);

	test(
		'still resumes or times out after n8n was killed and restarted',
		async () => {
			const { n8n } = world();
			const awaited = await waiting();
			const passed = await waitingShortly();
			await n8n.kill();
			await n8n.start();
			await calls.untilParked(awaited);
			await resumes(awaited);
			expect(await calls.told(passed, TICK_MS)).toEqual(['timeout']);
			expect((await calls.ended(passed)).status).toBe('success');
		},
		RESTART_MS,
	);
});
