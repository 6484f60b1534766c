import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../simulator';
import type { StoredWorkflow, WorkflowNode } from './harness/n8nRest';
import { until } from './harness/until';
import { Calls, numberEnding, SILENT } from './support/calls';
import { expiredUrl } from './support/signing';
import { CALL, chain, hook, Startable, tell, waitingCall } from './support/waiting';
import { node, TRIGGER } from './support/workflows';
import { CREDENTIAL_TYPE, describeOnEachN8n } from './support/world';

const RESTART_MS = 180_000;
/** The relay delivers at the limit; n8n's own timer would take three minutes more. */
const LIMIT_MS = 40_000;
const QUIET_MS = 2_000;
const SPLIT = 'Split';

/** A call of the list that a workflow below is started with. */
interface Person {
	to: string;
	userData: string;
}

describeOnEachN8n('Calls of one run that wait for their results together', (world) => {
	const calls = new Calls(world);
	let many: Startable;

	beforeAll(async () => {
		world().simulator.configure({ callResultDelayMs: 300, checkAcknowledgements: false });
		many = await manyCalls();
	});

	function trigger(changes: Partial<WorkflowNode> = {}): WorkflowNode {
		return {
			...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
				events: ['voiceVerification', 'voiceNotification'],
				options: {},
			}),
			credentials: { [CREDENTIAL_TYPE]: world().credential },
			webhookId: randomUUID(),
			...changes,
		};
	}

	/** A list, a call for each of its items, one text for each that follows, and the relay. */
	async function manyCalls(
		parameters: Record<string, unknown> = {},
		settings: Record<string, unknown> = {},
		following: WorkflowNode[] = [],
		own: WorkflowNode = trigger(),
	): Promise<Startable> {
		const { credential } = world();
		const split = node(SPLIT, 'n8n-nodes-base.splitOut', {
			fieldToSplitOut: 'body.people',
			include: 'noOtherFields',
			options: {},
		});
		const call = waitingCall(credential, { from: '$json' });
		const { options, ...others } = parameters;
		const waiting = {
			...call,
			...settings,
			parameters: {
				...call.parameters,
				waitLimit: 600,
				...others,
				options: { ...(call.parameters.options as object), ...(options as object) },
			},
		};
		const definition = chain('Many', hook(), split, waiting, ...following, tell(credential));
		return await Startable.activate(world(), { ...definition, nodes: [...definition.nodes, own] });
	}

	const people = (digits: string): Person[] =>
		[...digits].map((digit) => ({ to: numberEnding(digit), userData: calls.nextName() }));

	async function placed(all: Person[]): Promise<AcceptedCall[]> {
		return await Promise.all(all.map(async ({ userData }) => await calls.named(userData)));
	}

	const followersOf = (all: AcceptedCall[]) => all.map((call) => calls.followers(call).length);
	const outcomesIn = async (call: AcceptedCall) =>
		(await calls.ended(call)).itemsOf(CALL).map(({ json }) => json.outcome ?? json.error);

	test('twenty calls, their results early and at once: on once, in input order', async () => {
		const executions = async () => await world().n8n.rest.executionsOf(many.workflow);
		const before = (await executions()).length;
		const all = people('01201201201201201201');
		await many.start({ people: all });
		const accepted = await placed(all);
		const execution = await calls.ended(accepted[0]);
		expect(execution.status).toBe('success');
		expect(execution.runsOf(CALL)).toHaveLength(1);
		const items = execution.itemsOf(CALL);
		expect(items.map(({ json }) => json.userData)).toEqual(all.map(({ userData }) => userData));
		const outcomes: Record<string, string> = { 0: 'completed', 1: 'noAnswer', 2: 'failed' };
		expect(items.map(({ json }) => json.outcome)).toEqual(
			all.map(({ to: number }) => outcomes[number.slice(-1)]),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_, item) => ({ item })));
		await sleep(QUIET_MS);
		expect(followersOf(accepted)).toEqual(all.map(() => 1));
		expect(await executions()).toHaveLength(before + 1);
	});

	test('shuffled, repeated, forged and foreign results: each call gets its own, once', async () => {
		const all = people('5555');
		await many.start({ people: all });
		const accepted = await placed(all);
		await calls.untilWaiting(accepted[0]);
		const { authToken } = world().simulator.credentials;
		const [first] = accepted;
		const url = first.respUrl ?? '';
		for (const forged of [
			url.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
			url.split('&ytExpires')[0],
			expiredUrl(url, authToken),
		]) {
			expect(await calls.statusOf(first, { url: forged })).toBe(403);
		}
		const foreign = { fields: { callSid: '7'.repeat(32) } };
		expect(await calls.statusOf(first, foreign)).toBe(200);
		expect(await calls.statusOf(first, { fields: { action: 'VoiceCode' } })).toBe(200);
		for (const at of [3, 1, 3, 0, 1]) {
			const fields = { state: at === 3 ? '1' : '0' };
			expect(await calls.statusOf(accepted[at], { fields })).toBe(200);
		}
		// A second report of a call changes nothing.
		expect(await calls.statusOf(accepted[3], { fields: { state: '0' } })).toBe(200);
		await calls.stayParked(first);
		expect(await calls.statusOf(accepted[2], { fields: { state: '2' } })).toBe(200);
		expect(await outcomesIn(first)).toEqual(['completed', 'completed', 'failed', 'noAnswer']);
		await sleep(QUIET_MS);
		expect(followersOf(accepted)).toEqual([1, 1, 1, 1]);
		for (const call of accepted) expect(await calls.statusOf(call)).toBe(200);
		await sleep(QUIET_MS);
		expect(followersOf(accepted)).toEqual([1, 1, 1, 1]);
	});

	test('a complete set goes on within two seconds, the first answered call too', async () => {
		const alarm = await manyCalls({ continueWhen: 'firstAnswered' });
		const lists = [people('55'), people('555')];
		await many.start({ people: lists[0] });
		await alarm.start({ people: lists[1] });
		const [both, others] = [await placed(lists[0]), await placed(lists[1])];
		await calls.untilWaiting(both[0]);
		await calls.untilWaiting(others[0]);
		await calls.statusOf(both[0]);
		await calls.statusOf(others[0], { fields: { state: '1' } });
		await calls.stayParked(both[0], others[0]);
		const start = Date.now();
		await calls.statusOf(both[1]);
		await calls.statusOf(others[2], { fields: { state: '0', duration: '12' } });
		await until('both to go on', () => {
			const counts = [...followersOf(both), ...followersOf(others)];
			return counts.every((count) => count === 1) || undefined;
		});
		const took = Math.max(
			...[...both, ...others].map((call) => Date.parse(calls.followers(call)[0].at) - start),
		);
		// Two seconds are the aim on a quiet machine; this one is not. The limit is minutes away.
		expect(took).toBeLessThan(20_000);
		expect(await outcomesIn(others[0])).toEqual(['noAnswer', 'pending', 'completed']);
		// What comes afterwards changes nothing.
		expect(await calls.statusOf(others[1])).toBe(200);
		await sleep(QUIET_MS);
		expect(followersOf(others)).toEqual([1, 1, 1]);
	});

	test(
		'at the limit the results that came are there, and the rest say timeout',
		async () => {
			const short = await manyCalls({ waitLimit: 8 });
			const all = people('515');
			await short.start({ people: all });
			const accepted = await placed(all);
			expect(await calls.told(accepted[0], LIMIT_MS)).toEqual(['timeout']);
			expect(await outcomesIn(accepted[0])).toEqual(['timeout', 'noAnswer', 'timeout']);
			expect(await calls.statusOf(accepted[2])).toBe(200);
			await sleep(QUIET_MS);
			expect(followersOf(accepted)).toEqual([1, 1, 1]);
		},
		2 * LIMIT_MS,
	);

	test('two runs side by side keep their results apart', async () => {
		const lists = [people('555'), people('555')];
		await Promise.all(lists.map(async (all) => await many.start({ people: all })));
		const [one, other] = await Promise.all(lists.map(placed));
		for (const at of [2, 0, 1]) {
			expect(await calls.statusOf(one[at], { fields: { state: '1' } })).toBe(200);
			if (at !== 1) expect(await calls.statusOf(other[at], { fields: { state: '2' } })).toBe(200);
		}
		expect(await outcomesIn(one[0])).toEqual(['noAnswer', 'noAnswer', 'noAnswer']);
		await calls.stayParked(other[0]);
		expect(await calls.statusOf(other[1], { fields: { state: '0' } })).toBe(200);
		expect(await outcomesIn(other[0])).toEqual(['failed', 'completed', 'failed']);
	});

	test('items without a call stay in their places', async () => {
		const workflow = await manyCalls(
			{ options: { idempotencyKey: '={{ $json.key }}', maxConcurrency: 1 } },
			{ onError: 'continueRegularOutput' },
		);
		const all = people('5055').map((each, at) => ({ ...each, key: `key-${[1, 2, 3, 1][at]}` }));
		all[2].to = 'nonsense';
		await workflow.start({ people: all });
		const [first] = await placed([all[0]]);
		await calls.untilWaiting(first);
		expect(await calls.statusOf(first, { fields: { state: '1' } })).toBe(200);
		const execution = await calls.ended(first);
		const items = execution.itemsOf(CALL).map(({ json }) => json);
		expect(items.map((json) => json.outcome)).toEqual([
			'noAnswer',
			'completed',
			undefined,
			undefined,
		]);
		expect(items[2]).toMatchObject({ error: { accepted: 'no' } });
		expect(items[3]).toMatchObject({ duplicate: true });
	});

	test('with Retry On Fail and Continue the calls of every try are waited for', async () => {
		const workflow = await manyCalls(
			{ options: { maxConcurrency: 1 } },
			{
				onError: 'continueRegularOutput',
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 100,
			},
		);
		const all = people('010');
		world().simulator.fail({ kind: 'statusCode', statusCode: '111142', accept: false });
		await workflow.start({ people: all });
		const accepted = await placed(all);
		// The first was refused, so it is called last.
		expect(accepted.map(({ to: number }) => number)).toEqual(all.map(({ to: number }) => number));
		expect(await outcomesIn(accepted[0])).toEqual(['completed', 'noAnswer', 'completed']);
		await sleep(QUIET_MS);
		expect(followersOf(accepted)).toEqual([1, 1, 1]);
		expect(calls.all().filter(({ userData }) => userData === all[0].userData)).toHaveLength(1);
	});

	describe('another node that waits later', () => {
		/** n8n's own Wait node, which goes on with any POST to the address of the execution. */
		const ownWait = (name: string) => ({
			...node(name, 'n8n-nodes-base.wait', { resume: 'webhook', httpMethod: 'POST' }, 1.1),
			webhookId: randomUUID(),
		});

		test.each([
			['directly', false],
			['through the relay', true],
		])(
			'is not resumed by a late result: %s',
			async (_, isRelayed) => {
				const { credential } = world();
				const call = waitingCall(credential, { from: '$json.body' });
				const definition = chain(
					'Waits behind',
					hook(),
					{ ...call, parameters: { ...call.parameters, continueWhen: 'allResults' } },
					ownWait('First Wait'),
					ownWait('Second Wait'),
					tell(credential, '={{ $json.body ?? "on" }}'),
				);
				const nodes = isRelayed ? [...definition.nodes, trigger()] : definition.nodes;
				const workflow = await Startable.activate(world(), { ...definition, nodes });
				const userData = calls.nextName();
				await workflow.start({ to: SILENT, userData });
				const accepted = await calls.named(userData);
				await calls.untilWaiting(accepted);
				expect(await calls.statusOf(accepted)).toBe(200);
				await until('the first Wait node', async () => {
					const execution = await calls.execution(accepted);
					return execution.nodesRun.includes('First Wait') || undefined;
				});
				await calls.untilWaiting(accepted);
				// The same result again, and one of another call: neither may resume n8n's Wait.
				const late = async (fields: Record<string, string>) =>
					await Promise.race([
						calls.send(accepted, { fields }).catch(() => undefined),
						sleep(5000),
					]);
				await late({});
				await late({ callSid: '7'.repeat(32) });
				await calls.stayParked(accepted);
				const execution = await calls.execution(accepted);
				expect(execution.nodesRun).not.toContain('Second Wait');
				expect(calls.followers(accepted)).toEqual([]);
			},
			60_000,
		);
	});

	describe('n8n meanwhile', () => {
		const back = async (how: string) => {
			const { n8n } = world();
			if (how === 'stopped') {
				await n8n.restart();
			} else {
				await n8n.kill();
				await n8n.start();
			}
			const url = n8n.rest.triggerUrl(triggerOf(many.workflow));
			await until('the trigger to be back', async () => {
				const response = await fetch(url);
				return /make a POST request/.test(await response.text()) || undefined;
			});
		};

		test.each(['stopped', 'killed'])(
			'%s with half of the results in: goes on with all of them',
			async (how) => {
				const all = people('5555');
				await many.start({ people: all });
				const accepted = await placed(all);
				await calls.untilWaiting(accepted[0]);
				for (const at of [0, 2]) {
					expect(await calls.statusOf(accepted[at], { fields: { state: '1' } })).toBe(200);
				}
				await back(how);
				await calls.areParked(accepted[0]);
				for (const at of [1, 3]) expect(await calls.statusOf(accepted[at])).toBe(200);
				expect(await outcomesIn(accepted[0])).toEqual([
					'noAnswer',
					'completed',
					'noAnswer',
					'completed',
				]);
				expect(followersOf(accepted)).toEqual([1, 1, 1, 1]);
			},
			RESTART_MS,
		);

		test(
			'killed at any moment after an acknowledgement: what n8n had not taken yet goes on',
			async () => {
				const lists = Array.from({ length: 12 }, () => people('55'));
				for (const all of lists) await many.start({ people: all });
				const waits = await Promise.all(lists.map(placed));
				for (const [first] of waits) await calls.untilWaiting(first);
				const [spare, ...others] = waits;
				// The first of them have gone on when n8n dies, the last have just been acknowledged.
				for (const call of others.flat()) {
					expect(await calls.statusOf(call, { fields: { state: '1' } })).toBe(200);
				}
				await back('killed');
				// The next delivery to the trigger brings on what it keeps.
				expect(await calls.statusOf(spare[0])).toBe(200);
				const ends = await Promise.all(
					others.map(async ([first]) =>
						until('the end of a wait', async () => {
							const execution = await calls.execution(first);
							if (['waiting', 'running', 'new'].includes(execution.status)) return undefined;
							return [execution.status, ...execution.itemsOf(CALL).map(({ json }) => json.outcome)];
						}),
					),
				);
				const lost = ends.filter(([status]) => status === 'crashed').length;
				process.stdout.write(`   · of ${others.length} waits n8n had ${lost} under way\n`);
				// What n8n had resumed is its own to lose: it ends an execution that it died with.
				for (const [status, ...outcomes] of ends) {
					if (status !== 'crashed') expect(outcomes).toEqual(['noAnswer', 'noAnswer']);
				}
				expect(lost).toBeLessThan(others.length);
				expect(Math.max(...followersOf(others.flat()))).toBe(1);
				await calls.areParked(spare[0]);
			},
			RESTART_MS,
		);

		test(
			'down when the limit passes: goes on once, and nothing else is resumed',
			async () => {
				const short = await manyCalls({ waitLimit: 10 });
				const [all, others] = [people('55'), people('55')];
				await many.start({ people: others });
				const waiting = await placed(others);
				await calls.untilWaiting(waiting[0]);
				// Last, since its limit must not pass before n8n is down.
				await short.start({ people: all });
				const accepted = await placed(all);
				await calls.untilWaiting(accepted[0]);
				expect(await calls.statusOf(accepted[0], { fields: { state: '1' } })).toBe(200);
				await world().n8n.kill();
				// n8n's own timer is set three minutes after the limit.
				await sleep(75_000);
				await world().n8n.start();
				expect(await calls.told(accepted[0], 180_000)).toHaveLength(1);
				expect((await calls.ended(accepted[0])).status).toBe('success');
				await calls.areParked(waiting[0]);
				expect(await calls.statusOf(accepted[1])).toBe(200);
				for (const call of waiting) expect(await calls.statusOf(call)).toBe(200);
				expect(await outcomesIn(waiting[0])).toEqual(['completed', 'completed']);
				expect([...followersOf(accepted), ...followersOf(waiting)]).toEqual([1, 1, 1, 1]);
			},
			2 * RESTART_MS,
		);
	});

	test('the trigger renamed with results pending: none is lost', async () => {
		const { rest } = world().n8n;
		const workflow = await manyCalls();
		const all = people('55');
		await workflow.start({ people: all });
		const accepted = await placed(all);
		await calls.untilWaiting(accepted[0]);
		expect(await calls.statusOf(accepted[0])).toBe(200);
		const renamed = await rest.workflow(workflow.workflow.id);
		const nodes = renamed.nodes.map((each) =>
			each.name === TRIGGER ? { ...each, name: 'Renamed' } : each,
		);
		await rest.updateNodes(renamed, nodes);
		await rest.activate(workflow.workflow);
		// n8n 2 lets go of the webhook for a moment.
		await until('the renamed trigger', async () => {
			const status = await calls.statusOf(accepted[1]);
			return status === 200 || undefined;
		});
		expect(await outcomesIn(accepted[0])).toEqual(['completed', 'completed']);
	});
});

function triggerOf({ nodes }: StoredWorkflow): WorkflowNode {
	const found = nodes.find(({ type }) => type.endsWith('yuntongxunTrigger'));
	if (!found) throw new Error('The workflow has no trigger');
	return found;
}
