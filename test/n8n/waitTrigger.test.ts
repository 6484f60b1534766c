import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../simulator';
import type { Execution } from './harness/execution';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from './harness/n8nRest';
import { until } from './harness/until';
import { Calls, executionOf, numberEnding, SILENT } from './support/calls';
import { expiredUrl, signedUrl } from './support/signing';
import { CALL, chain, hook, ours, Startable, tell, waitingCall } from './support/waiting';
import { node, START, to, TRIGGER } from './support/workflows';
import { CREDENTIAL_TYPE, describeOnEachN8n } from './support/world';

const RESTART_MS = 180_000;
const RELAYED = 20;
const RELAYED_LIMIT_MS = 60_000;
/** Longer than n8n takes to start an execution. */
const QUIET_MS = 2_000;

describeOnEachN8n('A trigger and the calls that report to it', (world) => {
	const calls = new Calls(world);

	beforeAll(() => {
		world().simulator.configure({ callResultDelayMs: 500, checkAcknowledgements: false });
	});

	/** Our trigger, with the account of the calls. */
	function trigger(options: Record<string, unknown> = {}, name = TRIGGER): WorkflowNode {
		return {
			...node(name, 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
				events: ['voiceVerification', 'voiceNotification'],
				options,
			}),
			credentials: { [CREDENTIAL_TYPE]: world().credential },
			webhookId: randomUUID(),
		};
	}

	/** A call that is made by hand and reports to the trigger of its workflow. */
	function reportingCall(options: Record<string, unknown> = {}): WorkflowNode {
		return ours(CALL, world().credential, {
			resource: 'call',
			operation: 'notify',
			to: '={{ $json.to }}',
			content: 'text',
			mediaTxt: 'Hello',
			resultDelivery: 'trigger',
			options: { userData: '={{ $json.userData }}', ...options },
		});
	}

	/** The call, and triggers each of which tells what it gets. */
	function reporting(
		start: { to: string; userData: string },
		triggers: WorkflowNode[],
		call = reportingCall(),
	): WorkflowDefinition {
		const definition = chain('Reports', node(START, 'n8n-nodes-base.manualTrigger'), call);
		const told = tell(world().credential);
		return {
			...definition,
			nodes: [...definition.nodes, ...triggers, told],
			connections: {
				...definition.connections,
				...Object.fromEntries(triggers.map(({ name }) => [name, { main: [to(told.name)] }])),
			},
			pinData: { [START]: [{ json: start }] },
		};
	}

	async function byHand(workflow: StoredWorkflow): Promise<Execution> {
		return await world().n8n.rest.runToEnd(workflow, START);
	}

	const triggerOf = ({ nodes }: StoredWorkflow): WorkflowNode => {
		const found = nodes.find(({ type }) => type.endsWith('yuntongxunTrigger'));
		if (!found) throw new Error('The workflow has no trigger');
		return found;
	};

	describe('in the same workflow', () => {
		const start = () => ({ to: numberEnding('1'), userData: calls.nextName() });

		test('the call finds the trigger while the workflow is active, and only then', async () => {
			const { rest } = world().n8n;
			const first = start();
			const workflow = await rest.createWorkflow(reporting(first, [trigger()]));
			const advice = /no active one.*activate/;

			expect((await byHand(workflow)).error?.message).toMatch(advice);
			expect(calls.all().filter(({ userData }) => userData === first.userData)).toEqual([]);

			await rest.activate(workflow);
			expect((await byHand(workflow)).error).toBeUndefined();
			const call = await calls.named(first.userData);
			expect(call.respUrl).toBe(rest.triggerUrl(triggerOf(workflow)));
			expect(await calls.told(call)).toEqual([`noAnswer ${first.userData}`]);

			await rest.deactivate(workflow);
			// n8n 2 deactivates in the background.
			let before = 0;
			const refusal = await until('n8n to let go of the trigger', async () => {
				before = calls.all().length;
				return (await byHand(workflow)).error?.message;
			});
			expect(refusal).toMatch(advice);
			expect(calls.all()).toHaveLength(before);
		});

		test('an active workflow that starts by itself finds it too', async () => {
			const { credential } = world();
			const own = trigger();
			const call = ours(CALL, credential, {
				...reportingCall().parameters,
				to: '={{ $json.body.to }}',
				options: { userData: '={{ $json.body.userData }}' },
			});
			const definition = chain('Reports by itself', hook(), call);
			const told = tell(credential);
			const workflow = await Startable.activate(world(), {
				...definition,
				nodes: [...definition.nodes, own, told],
				connections: { ...definition.connections, [own.name]: { main: [to(told.name)] } },
			});
			const what = start();
			await workflow.start(what);
			expect(await calls.told(await calls.named(what.userData))).toEqual([
				`noAnswer ${what.userData}`,
			]);
		});

		test('several triggers are refused, since nobody says which', async () => {
			const { rest } = world().n8n;
			const first = start();
			const workflow = await rest.createWorkflow(
				reporting(first, [trigger(), trigger({}, 'Another Trigger')]),
			);
			await rest.activate(workflow);
			expect((await byHand(workflow)).error?.message).toMatch(/it has 2.*leave one/);
			expect(calls.all().filter(({ userData }) => userData === first.userData)).toEqual([]);
		});

		test('no trigger is refused', async () => {
			const workflow = await world().n8n.rest.createWorkflow(reporting(start(), []));
			expect((await byHand(workflow)).error?.message).toMatch(/no active one.*add a/);
		});
	});

	describe('that requires a signed URL', () => {
		const forged: AcceptedCall[] = [];
		let call: AcceptedCall;
		let bare: string;

		beforeAll(async () => {
			const { rest } = world().n8n;
			const start = { to: numberEnding('0'), userData: calls.nextName() };
			const workflow = await rest.createWorkflow(
				reporting(
					start,
					[trigger({ requireSignedUrl: true })],
					reportingCall({ signRespUrl: true, signedUrlLifetime: 1 }),
				),
			);
			await rest.activate(workflow);
			expect((await byHand(workflow)).error).toBeUndefined();
			call = await calls.named(start.userData);
			bare = rest.triggerUrl(triggerOf(workflow));
		});

		test('the result of a call whose URL is signed starts the workflow', async () => {
			const [, expires] = /^[^?]*\?ytExpires=(\d+)&ytSignature=[0-9a-f]{64}$/.exec(
				call.respUrl ?? '',
			) ?? ['', ''];
			expect(Math.abs(Number(expires) - Date.parse(call.at) / 1000 - 60 * 60)).toBeLessThan(120);
			expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
		});

		const forgeries: Array<[string, (signed: string, token: string) => string]> = [
			['unsigned', (signed) => signed.split('?')[0]],
			[
				'signed, a character altered',
				(signed) => signed.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
			],
			['signed for longer', (signed) => signed.replace(/ytExpires=\d/, 'ytExpires=9')],
			['signed, with a parameter more', (signed) => `${signed}&more=1`],
			['signed, expired', (signed, token) => expiredUrl(signed, token)],
			[
				'signed by another account',
				(signed) => signedUrl(signed.split('?')[0], 'made-up', Math.ceil(Date.now() / 1000) + 60),
			],
		];
		test.each(forgeries)('a result to the address %s is refused', async (_, forge) => {
			const { authToken } = world().simulator.credentials;
			const another = { ...call, callSid: randomUUID().replace(/-/g, '') };
			forged.push(another);
			const url = forge(call.respUrl ?? '', authToken);
			expect(await calls.statusOf(another, { url })).toBe(403);
		});

		test('none of these starts anything', async () => {
			expect(forged).toHaveLength(forgeries.length);
			await sleep(QUIET_MS);
			expect(forged.flatMap((each) => calls.followers(each))).toEqual([]);
		});

		test('parameters of one’s own are signed along and stay as they are', async () => {
			const { authToken } = world().simulator.credentials;
			const another = { ...call, callSid: randomUUID().replace(/-/g, '') };
			const expires = Math.ceil(Date.now() / 1000) + 60;
			const url = signedUrl(`${bare}?shop=1%202&x=%2F+`, authToken, expires);
			expect(await calls.statusOf(another, { url: url.replace('shop=1', 'shop=2') })).toBe(403);
			expect(await calls.statusOf(another, { url })).toBe(200);
			expect(await calls.told(another)).toHaveLength(1);
		});
	});

	describe('that ignores duplicates', () => {
		let url: string;
		let started: () => Promise<number>;
		const sid = (call: number) => String(call).padStart(32, '0');

		beforeAll(async () => {
			const { rest } = world().n8n;
			const own = trigger();
			const workflow = await rest.createWorkflow(chain('Once', own, tell(world().credential)));
			await rest.activate(workflow);
			url = rest.triggerUrl(triggerOf(workflow));
			started = async () => (await rest.executionsOf(workflow)).length;
		});

		const asCall = (callSid: string) => ({ callSid }) as AcceptedCall;
		const send = async (callSid: string, action = 'SellingCall') =>
			await calls.statusOf(asCall(callSid), { url, fields: { action } });

		test('ten copies at the same moment start one execution', async () => {
			const statuses = await Promise.all(
				Array.from({ length: 10 }, async () => await send(sid(1))),
			);
			expect(statuses).toEqual(Array(10).fill(200));
			expect(await calls.told(asCall(sid(1)))).toHaveLength(1);
			expect(await started()).toBe(1);
		});

		test('another call and another kind of call are no copies', async () => {
			expect(await send(sid(2))).toBe(200);
			expect(await send(sid(2), 'VoiceCode')).toBe(200);
			expect(await send(sid(2))).toBe(200);
			await until('both', () => calls.followers(asCall(sid(2))).length === 2 || undefined);
			expect(await calls.told(asCall(sid(2)))).toHaveLength(2);
			expect(await started()).toBe(3);
		});

		test('many calls at the same moment, each with a copy, start one execution each', async () => {
			const many = Array.from({ length: 20 }, (_, at) => sid(100 + at));
			await Promise.all([...many, ...many].map(async (each) => await send(each)));
			await until(
				'all of them',
				() => many.every((each) => calls.followers(asCall(each)).length > 0) || undefined,
			);
			await sleep(QUIET_MS);
			expect(many.map((each) => calls.followers(asCall(each)).length)).toEqual(many.map(() => 1));
		});

		test(
			'they are remembered after a restart',
			async () => {
				const before = await started();
				await world().n8n.restart();
				await until('the trigger to be back', async () => {
					const response = await fetch(url);
					return /make a POST request/.test(await response.text()) || undefined;
				});
				for (const each of [sid(1), sid(2), sid(100), sid(119)]) {
					expect(await send(each)).toBe(200);
				}
				await sleep(QUIET_MS);
				expect(await started()).toBe(before);
				expect(await send(sid(3))).toBe(200);
				expect(await calls.told(asCall(sid(3)))).toHaveLength(1);
			},
			RESTART_MS,
		);

		test('a form is no notification', async () => {
			const before = await started();
			const form = new FormData();
			form.set('action', 'SellingCall');
			form.set('callSid', sid(5));
			const response = await fetch(url, { method: 'POST', body: form });
			expect(response.status).toBe(400);
			await sleep(QUIET_MS);
			expect(await started()).toBe(before);
		});

		test('unless that is switched off', async () => {
			const { rest } = world().n8n;
			const own = trigger({ ignoreDuplicates: false });
			const workflow = await rest.createWorkflow(
				chain('Every time', own, tell(world().credential)),
			);
			await rest.activate(workflow);
			const address = rest.triggerUrl(triggerOf(workflow));
			const call = asCall(sid(4));
			const copies = [1, 2].map(async () => await calls.statusOf(call, { url: address }));
			expect(await Promise.all(copies)).toEqual([200, 200]);
			await until('both', () => calls.followers(call).length === 2 || undefined);
			expect(await calls.told(call)).toHaveLength(2);
		});
	});

	describe('that hands results on to executions that wait', () => {
		let relayUrl: string;
		let relayed: Startable;
		let relayWorkflow: StoredWorkflow;

		beforeAll(async () => {
			const { n8n, credential, simulator } = world();
			simulator.configure({ callResultDelayMs: 0 });
			relayWorkflow = await n8n.rest.createWorkflow(
				chain('Relay', trigger({ requireSignedUrl: true }), tell(credential, 'not relayed')),
			);
			await n8n.rest.activate(relayWorkflow);
			relayUrl = n8n.rest.triggerUrl(triggerOf(relayWorkflow));
			relayed = await Startable.activate(
				world(),
				chain('Relayed', hook(), waitingCall(credential, { relayUrl }), tell(credential)),
			);
		});

		test(`${RELAYED} at once, each result right after the acceptance`, async () => {
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
			expect(await world().n8n.rest.executionsOf(relayWorkflow)).toEqual([]);
		});

		test('nothing that is not signed twice, and nothing but results', async () => {
			const userData = calls.nextName();
			await relayed.start({ to: SILENT, userData });
			const call = await calls.named(userData);
			const url = call.respUrl ?? '';
			const resume = new URL(url).searchParams.get('ytResume') ?? '';
			const { authToken } = world().simulator.credentials;
			const later = Math.ceil(Date.now() / 1000) + 60;
			const unsigned = resume.replace(/[?&]ytExpires=.*$/, '');
			const around = (inner: string) => `${relayUrl}?ytResume=${encodeURIComponent(inner)}`;
			for (const forged of [
				around(resume),
				around(unsigned),
				signedUrl(around(unsigned), authToken, later),
				signedUrl(around(resume), 'made-up', later),
				signedUrl(around(signedUrl(unsigned, 'made-up', later)), authToken, later),
				expiredUrl(url, authToken),
				url.replace('=http%3A%2F%2F127.0.0.1', '=http%3A%2F%2Fevil.example.com'),
			]) {
				expect([forged, await calls.statusOf(call, { url: forged })]).toEqual([forged, 403]);
			}
			expect(await calls.statusOf(call, { body: 'hello' })).toBe(400);
			expect(await calls.statusOf(call, { fields: { action: 'CallAuth' } })).toBe(400);
			expect(await calls.statusOf(call, { fields: { callSid: sidOfNobody } })).toBe(200);
			await calls.stayParked(call);
			expect(executionOf(call)).toMatch(/^\d+$/);
			const copies = await Promise.all(
				Array.from({ length: 5 }, async () => await calls.statusOf(call)),
			);
			expect(copies).toEqual(Array(5).fill(200));
			expect(await calls.told(call)).toEqual([`completed ${userData}`]);
		});

		test('nothing where the trigger has no account to check signatures with', async () => {
			const { rest } = world().n8n;
			const { credentials: _none, ...own } = trigger();
			const workflow = await rest.createWorkflow(chain('No account', own));
			await rest.activate(workflow);
			const url = `${rest.triggerUrl(triggerOf(workflow))}?ytResume=http%3A%2F%2Fexample.com`;
			const call = { callSid: sidOfNobody } as AcceptedCall;
			expect(await calls.statusOf(call, { url })).toBe(403);
			expect(await rest.executionsOf(workflow)).toEqual([]);
		});
	});
});

const sidOfNobody = '9'.repeat(32);
