import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall, CallResultOverrides } from '../simulator';
import { until } from './harness/until';
import { Calls, executionOf, numberEnding, SILENT } from './support/calls';
import { expiredUrl } from './support/signing';
import {
	CALL,
	chain,
	hook,
	HOOK,
	ours,
	Startable,
	TELL,
	tell,
	waitingCall,
} from './support/waiting';
import { node, START, to } from './support/workflows';
import { describeOnEachN8n } from './support/world';

/** n8n looks once a minute for executions whose limit has passed. */
const TICK_MS = 100_000;
const RESTART_MS = 180_000;
/** Longer than the tests take: a result that comes before n8n has parked the execution is lost. */
const NO_RESULT_MS = 24 * 60 * 60_000;

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

describeOnEachN8n('A call that waits for its result', (world) => {
	const calls = new Calls(world);
	const limited: AcceptedCall[] = [];
	/** Names of calls whose result is sent before the tests, by the last digit of their number. */
	const resulting = new Map<string, string>();
	let plain: Startable;
	let isOne: boolean;

	beforeAll(async () => {
		const { n8n, simulator, credential } = world();
		isOne = n8n.n8n.version.startsWith('1.');
		simulator.configure({ callResultDelayMs: NO_RESULT_MS, checkAcknowledgements: false });
		plain = await Startable.activate(
			world(),
			chain('Wait', hook(), waitingCall(credential), tell(credential)),
		);
		// These take their time, so that the other tests run meanwhile.
		limited.push(await waitingShortly(), await waitingShortly());
		for (const digit of ['0', '1', '2', '3', '6', '9']) {
			const userData = calls.nextName();
			resulting.set(digit, userData);
			await plain.start({ to: numberEnding(digit), userData });
		}
		for (const [digit, userData] of resulting) {
			const call = await calls.parked(userData);
			const times = digit === '6' ? 2 : 1;
			await Promise.all(Array.from({ length: times }, async () => await calls.send(call)));
		}
	});

	/** Starts an execution that waits for a call without a result of its own. */
	async function waiting(workflow = plain): Promise<AcceptedCall> {
		const userData = calls.nextName();
		await workflow.start({ to: SILENT, userData });
		return await calls.parked(userData);
	}

	/** The same with a limit that passes at once. */
	async function waitingShortly(): Promise<AcceptedCall> {
		const userData = calls.nextName();
		await plain.start({ to: SILENT, userData, limit: 1 });
		const call = await calls.named(userData);
		// n8n may end the wait at any moment, and answers then as it does before it has parked.
		await until('the data of the wait or of its end', async () => {
			return (await calls.execution(call)).runsOf(CALL).length > 0 || undefined;
		});
		return call;
	}

	/** Sends the result and checks that the execution goes on with it once. */
	async function goesOn(call: AcceptedCall, by: CallResultOverrides = {}): Promise<void> {
		expect((await calls.send(call, by)).answer).toEqual({
			httpStatus: 200,
			contentType: expect.stringMatching(/^(?:application|text)\/xml\b/) as string,
			body: ACKNOWLEDGEMENT,
		});
		expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		expect((await calls.ended(call)).status).toBe('success');
	}

	describe('goes on with it', () => {
		test.each([
			['answered', '0', 'completed', true, 30],
			['not answered', '1', 'noAnswer', false, 0],
			['failed', '2', 'failed', false, 0],
			['answered by a machine', '3', 'completed', false, 0],
			['ended in a state nobody knows', '9', 'unknown', false, 0],
		])('%s', async (_, digit, outcome, answered, durationSeconds) => {
			const userData = resulting.get(digit) ?? '';
			const call = await calls.named(userData);
			expect(await calls.told(call)).toEqual([`${outcome} ${userData}`]);
			const execution = await calls.ended(call);
			expect(execution.status).toBe('success');
			expect(execution.nodesRun).toEqual([HOOK, CALL, TELL]);
			expect(execution.runsOf(CALL)).toHaveLength(1);
			expect(execution.itemsOf(CALL).map(({ json }) => json)).toEqual([
				{
					statusCode: '000000',
					callSid: call.callSid,
					dateCreated: expect.any(String) as string,
					createdAt: expect.any(String) as string,
					to: numberEnding(digit),
					event: 'voiceNotification',
					action: 'SellingCall',
					number: numberEnding(digit),
					state: digit === '3' ? '0' : digit,
					duration: String(durationSeconds),
					userData,
					outcome,
					answered,
					durationSeconds,
					receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
					starttime: expect.any(String) as string,
					endtime: expect.any(String) as string,
					...('orderid' in execution.itemsOf(CALL)[0].json && {
						orderid: expect.any(String) as string,
					}),
				},
			]);
		});

		test('of a verification code', async () => {
			const { credential } = world();
			const verify = waitingCall(credential, { operation: 'verify' });
			const workflow = await Startable.activate(
				world(),
				chain('Wait for a code call', hook(), verify, tell(credential)),
			);
			const call = await waiting(workflow);
			expect(await calls.statusOf(call, { fields: { action: 'SellingCall' } })).toBe(200);
			await calls.stayParked(call);
			await goesOn(call);
			const [{ json }] = (await calls.ended(call)).itemsOf(CALL);
			expect(json).toMatchObject({ event: 'voiceVerification', action: 'VoiceCode' });
		});

		test('sent twice by the service', async () => {
			const userData = resulting.get('6') ?? '';
			expect(await calls.told(await calls.named(userData))).toEqual([`completed ${userData}`]);
		});

		test('as JSON, and in an order and case of its own', async () => {
			const [one, other] = [await waiting(), await waiting()];
			const fields = { action: 'SellingCall', callSid: one.callSid, state: '0', duration: '30' };
			await goesOn(one, {
				contentType: 'application/json',
				body: JSON.stringify({ Request: { ...fields, userData: one.userData } }),
			});
			await goesOn(other, { contentType: 'text/xml', rootName: 'REQUEST' });
		});
	});

	test('ten copies at the same moment make what follows run once', async () => {
		const call = await waiting();
		const statuses = await Promise.all(
			Array.from({ length: 10 }, async () => await calls.statusOf(call)),
		);
		expect(statuses).toContain(200);
		expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		expect(await calls.statusOf(call)).toBeGreaterThanOrEqual(400);
		await sleep(1000);
		expect(calls.followers(call)).toHaveLength(1);
	});

	describe('stays parked in spite of', () => {
		let parked: AcceptedCall;
		beforeAll(async () => {
			parked = await waiting();
		});
		const altered = (url: string, name: string): string =>
			url.replace(
				new RegExp(`(${name}=.*?)([0-9a-f])(?=&|$)`),
				(_, before: string, last: string) => `${before}${last === '1' ? '2' : '1'}`,
			);
		const without = (url: string, ...names: string[]): string => {
			const copy = new URL(url);
			for (const name of names) copy.searchParams.delete(name);
			return copy.href;
		};
		const forgeries: Array<[string, (url: string) => string, number]> = [
			['without our signature', (url) => without(url, 'ytSignature', 'ytExpires'), 403],
			['without the signature alone', (url) => without(url, 'ytSignature'), 403],
			['with an altered signature', (url) => altered(url, 'ytSignature'), 403],
			['with an altered expiry', (url) => altered(url, 'ytExpires'), 403],
			['with a parameter more', (url) => `${url}&more=1`, 403],
			['with a second signature', (url) => `${url}&ytSignature=0`, 403],
			['with another way', (url) => url.replace('?', '/x?'), 404],
		];

		test.each(forgeries)('a result sent to its address %s', async (_, forge, status) => {
			const url = forge(parked.respUrl ?? '');
			expect(await calls.statusOf(parked, { url })).toBe(status);
			await calls.areParked(parked);
		});

		test('a result sent to its own address, expired', async () => {
			const { authToken } = world().simulator.credentials;
			const url = expiredUrl(parked.respUrl ?? '', authToken);
			expect(await calls.statusOf(parked, { url })).toBe(403);
			await calls.areParked(parked);
		});

		test('a result sent to the address of another execution', async () => {
			const other = await waiting();
			const url = (parked.respUrl ?? '').replace(
				`/webhook-waiting/${executionOf(parked)}`,
				`/webhook-waiting/${executionOf(other)}`,
			);
			expect(url).not.toBe(parked.respUrl);
			// n8n 2 has a token in the address, which is for one execution.
			expect(await calls.statusOf(other, { url })).toBe(isOne ? 403 : 401);
			await calls.areParked(parked, other);
			await goesOn(other);
		});

		test('a result sent to the address that can be guessed', async () => {
			const address = `${world().n8n.url}/webhook-waiting/${executionOf(parked)}`;
			// n8n 1 knows no waiting webhook without our path.
			expect(await calls.statusOf(parked, { url: address })).toBe(isOne ? 404 : 401);
			const guessed = `${address}/yuntongxun-result`;
			const sent = await calls.send(parked, { url: guessed });
			if (isOne) {
				// Nothing but our own signature stands in the way there.
				expect(sent.answer).toMatchObject({
					httpStatus: 403,
					body: expect.stringMatching(/not signed/) as string,
				});
			} else {
				expect(sent.answer?.httpStatus).toBe(401);
			}
			await calls.areParked(parked);
		});

		test.each<[string, CallResultOverrides]>([
			['another call', { fields: { callSid: '0'.repeat(32) } }],
			['a call of the other kind', { fields: { action: 'VoiceCode' } }],
			['nothing that we know', { fields: { action: 'Hangup' } }],
		])('the result of %s, which it acknowledges', async (_, overrides) => {
			const sent = await calls.send(parked, overrides);
			expect(sent.answer).toMatchObject({ httpStatus: 200, body: ACKNOWLEDGEMENT });
			await calls.areParked(parked);
		});

		const noResults: Array<[string, CallResultOverrides, number]> = [
			['words', { body: 'hello' }, 400],
			['nothing', { body: '' }, 400],
			['bytes', { body: Buffer.from([0xff, 0xfe, 0, 1]) }, 400],
			['XML that is cut off', { body: '<request><action>SellingCall' }, 400],
			['XML that is cut off, said to be XML', { contentType: 'text/xml', body: '<a><b>' }, 422],
			['JSON that is cut off, said so', { contentType: 'application/json', body: '{"a":' }, 422],
			['the question for a decision', { fields: { action: 'CallAuth' } }, 400],
			['a result without its call', { fields: { callSid: null } }, 400],
		];
		test.each(noResults)('%s, which it refuses', async (_, overrides, status) => {
			expect(await calls.statusOf(parked, overrides)).toBe(status);
			await calls.areParked(parked);
		});

		test('a form, which it refuses', async () => {
			const form = new FormData();
			form.set('action', 'SellingCall');
			form.set('callSid', parked.callSid);
			const response = await fetch(parked.respUrl ?? '', { method: 'POST', body: form });
			expect(response.status).toBe(400);
			await calls.areParked(parked);
		});

		test('a GET, which n8n refuses', async () => {
			const response = await fetch(parked.respUrl ?? '');
			expect(response.status).toBe(404);
			await calls.areParked(parked);
		});

		test('and goes on with its own result after all of these', async () => {
			await calls.stayParked(parked);
			await goesOn(parked);
		});
	});

	describe('several calls in one execution', () => {
		test('one after the other: a late result of the first does not resume the second', async () => {
			const { credential } = world();
			const second = waitingCall(credential, {
				name: 'Second',
				from: `$("${HOOK}").item.json.body`,
			});
			const workflow = await Startable.activate(
				world(),
				chain('Two calls', hook(), waitingCall(credential), second, tell(credential)),
			);
			const userData = calls.nextName();
			await workflow.start({ to: SILENT, userData });
			const first = await calls.parked(userData);
			expect(await calls.statusOf(first)).toBe(200);
			const next = await until('the second call', () =>
				calls.all().find((call) => call.userData === userData && call !== first),
			);
			await calls.untilParked(next);
			expect(await calls.statusOf(first)).toBe(200);
			expect(await calls.statusOf(first, { url: next.respUrl })).toBe(200);
			await calls.stayParked(next);
			expect(await calls.statusOf(next)).toBe(200);
			expect(await calls.told(next)).toEqual([`completed ${userData}`]);
			expect(calls.followers(first)).toEqual([]);
			const execution = await calls.ended(next);
			expect(execution.itemsOf(CALL)[0].json.callSid).toBe(first.callSid);
			expect(execution.itemsOf('Second')[0].json.callSid).toBe(next.callSid);
		});

		test('in a loop: each round goes on with its own result', async () => {
			const { credential } = world();
			const split = node('Split', 'n8n-nodes-base.splitOut', {
				fieldToSplitOut: 'body.people',
				options: {},
			});
			const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, 3);
			const workflow = await Startable.activate(world(), {
				name: 'A loop of calls',
				nodes: [hook(), split, loop, waitingCall(credential, { from: '$json' }), tell(credential)],
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
				for (const late of earlier) expect(await calls.statusOf(late)).toBe(200);
				await calls.stayParked(call);
				const fields = { state: states[round] };
				expect(await calls.statusOf(call, { fields })).toBe(200);
				earlier.push(call);
			}
			const told = await Promise.all(earlier.map(async (call) => await calls.told(call)));
			expect(told).toEqual([
				[`completed ${people[0].userData}`],
				[`noAnswer ${people[1].userData}`],
				[`failed ${people[2].userData}`],
			]);
			const execution = await calls.ended(earlier[0]);
			expect(execution.runsOf(CALL)).toHaveLength(3);
		});

		test('several items are refused before any call', async () => {
			const { credential } = world();
			const split = node('Split', 'n8n-nodes-base.splitOut', {
				fieldToSplitOut: 'body.people',
				options: {},
			});
			const workflow = await Startable.activate(
				world(),
				chain('Several', hook(), split, waitingCall(credential, { from: '$json' })),
			);
			const before = calls.all().length;
			const people = [1, 2].map(() => ({ to: SILENT, userData: calls.nextName() }));
			await workflow.start({ people });
			const { rest } = world().n8n;
			const started = await until('the execution', async () => {
				const [only] = await rest.executionsOf(workflow.workflow);
				return only;
			});
			const execution = await rest.ended(started.id);
			expect(execution.status).toBe('error');
			expect(execution.error?.message).toMatch(
				/results of 2 calls at once, add a Yuntongxun Trigger/,
			);
			expect(calls.all()).toHaveLength(before);
		});
	});

	describe('wherever it stands', () => {
		test('in a workflow that is run by hand', async () => {
			const { n8n, credential } = world();
			const call = waitingCall(credential, { from: '$json' });
			const definition = chain(
				'By hand',
				node(START, 'n8n-nodes-base.manualTrigger'),
				call,
				tell(credential),
			);
			const userData = calls.nextName();
			const workflow = await n8n.rest.createWorkflow({
				...definition,
				pinData: { [START]: [{ json: { to: SILENT, userData } }] },
			});
			const id = await n8n.rest.run(workflow, START);
			const accepted = await calls.parked(userData);
			expect(executionOf(accepted)).toBe(id);
			await goesOn(accepted);
		});

		test('in a sub-workflow', async () => {
			const { n8n, credential } = world();
			const child = await n8n.rest.createWorkflow(
				chain(
					'Sub-workflow',
					node(
						'When Called',
						'n8n-nodes-base.executeWorkflowTrigger',
						{
							inputSource: 'passthrough',
						},
						1.1,
					),
					waitingCall(credential),
				),
			);
			await n8n.rest.activate(child);
			const sub = node(
				'Sub',
				'n8n-nodes-base.executeWorkflow',
				{
					workflowId: { __rl: true, mode: 'id', value: child.id },
					options: { waitForSubWorkflow: true },
				},
				1.2,
			);
			// n8n 1 goes on with what the parent's node got, n8n 2 with what the sub-workflow gave.
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
			expect(await calls.statusOf(call)).toBe(200);
			const own = await calls.ended(call);
			expect(own.itemsOf(CALL)[0].json).toMatchObject({
				callSid: call.callSid,
				outcome: 'completed',
			});
			const asTold = { ...call, callSid: call.userData ?? '' };
			expect(await calls.told(asTold)).toEqual([isOne ? 'no outcome' : 'completed']);
		});

		test('behind a Webhook node that is answered by Respond to Webhook', async () => {
			const { credential } = world();
			const respond = node(
				'Respond',
				'n8n-nodes-base.respondToWebhook',
				{
					respondWith: 'json',
					responseBody: '={{ JSON.stringify($json) }}',
					options: {},
				},
				1.1,
			);
			const workflow = await Startable.activate(
				world(),
				chain('Respond', hook({ responseMode: 'responseNode' }), waitingCall(credential), respond),
			);
			const userData = calls.nextName();
			const answer = workflow.start({ to: SILENT, userData });
			const call = await calls.parked(userData);
			expect(await calls.statusOf(call)).toBe(200);
			expect(await (await answer).json()).toMatchObject({
				callSid: call.callSid,
				outcome: 'completed',
				userData,
			});
		});
	});

	describe('whose result does not come in time', () => {
		test(
			'goes on with the outcome timeout and the fields of the call, once',
			async () => {
				for (const call of limited) {
					expect(await calls.told(call, TICK_MS)).toEqual(['timeout']);
					const execution = await calls.ended(call);
					expect(execution.status).toBe('success');
					expect(execution.itemsOf(CALL).map(({ json }) => json)).toEqual([
						{
							statusCode: '000000',
							callSid: call.callSid,
							dateCreated: expect.any(String) as string,
							createdAt: expect.any(String) as string,
							to: SILENT,
							...('orderid' in execution.itemsOf(CALL)[0].json && {
								orderid: expect.any(String) as string,
							}),
							outcome: 'timeout',
							answered: false,
						},
					]);
				}
			},
			2 * TICK_MS,
		);

		test('is too late then', async () => {
			const [call] = limited;
			expect(await calls.statusOf(call)).toBeGreaterThanOrEqual(400);
			await sleep(1000);
			expect(calls.followers(call)).toHaveLength(1);
		});
	});

	describe('n8n meanwhile', () => {
		test.each(['stopped', 'killed'])(
			'%s and started again: the result resumes, the limit that has passed ends the wait',
			async (how) => {
				const { n8n } = world();
				const awaited = await waiting();
				const passed = await waitingShortly();
				if (how === 'stopped') {
					await n8n.restart();
				} else {
					await n8n.kill();
					await n8n.start();
				}
				await calls.untilParked(awaited);
				await goesOn(awaited);
				expect(await calls.told(passed, TICK_MS)).toEqual(['timeout']);
				expect((await calls.ended(passed)).status).toBe('success');
			},
			RESTART_MS,
		);
	});
});
