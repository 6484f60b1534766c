import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import { untilListening } from '../harness/http';
import { Calls, numberEnding } from '../harness/callResults';
import {
	beside,
	CALL,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	findTrigger,
	waitingCall,
} from '../harness/waitWorkflows';
import { node } from '../harness/workflows';
import {
	CREDENTIAL_TYPE,
	credentialData,
	describeOnEachN8n,
	storeCredential,
	type StoredCredential,
} from '../harness/world';
import './support/retry';

const RESTART_MS = 180_000;
/** The relay ends the wait at its limit; n8n's own timer would take five minutes more. */
const LIMIT_MS = 40_000;
/** Longer than a trigger remembers its credential. */
const REREAD_MS = 11_000;
const TIMER_MS = 400_000;

/** A call of the list that a workflow below is started with. */
interface Person {
	to: string;
	userData: string;
}

// Which results belong to which call, once each, is decided by test/unit/waiting and test/engine.
describeOnEachN8n('Calls of one run that wait for their results together', (world) => {
	const calls = new Calls(world);
	let many: Startable;
	/** Calls whose limit passed while n8n was down, and others that go on waiting. */
	let overtaken: Record<'ended' | 'waiting', AcceptedCall[]>;

	beforeAll(async () => {
		const { n8n, simulator } = world();
		simulator.configure({ callResultDelayMs: 300, checkAcknowledgements: false });
		many = await manyCalls();
		// First, since n8n's own timer takes five minutes: meanwhile the other tests run.
		const waiting = await parked('55', await manyCalls({ waitLimit: 3600 }));
		const ended = await parked('55', await manyCalls({ waitLimit: 10 }));
		overtaken = { ended, waiting };
		await n8n.kill();
		await sleep(10_000);
		await n8n.start();
		await untilListening(n8n.rest.triggerUrl(findTrigger(many.workflow)));
	}, RESTART_MS);

	/**
	 * A list, a call for each of its items, one text for each that follows, and the relay.
	 *
	 * @param of the credentials of the calls and of the trigger
	 */
	async function manyCalls(
		parameters: Record<string, unknown> = {},
		of: { calls?: StoredCredential; trigger?: StoredCredential } = {},
	): Promise<Startable> {
		const { credential } = world();
		const call = waitingCall(of.calls ?? credential, { from: '$json' });
		call.parameters = { ...call.parameters, waitLimit: 600, ...parameters };
		return await Startable.activate(
			world(),
			beside(
				chain('Many', hook(), splitPeople(), call, tell(credential)),
				resultTrigger(of.trigger ?? credential),
			),
		);
	}

	const people = (digits: string): Person[] =>
		[...digits].map((digit) => ({ to: numberEnding(digit), userData: calls.nextName() }));

	async function placed(all: Person[]): Promise<AcceptedCall[]> {
		return await Promise.all(all.map(async ({ userData }) => await calls.named(userData)));
	}

	/** Starts calls to numbers with these last digits, and waits until their execution does. */
	async function parked(digits: string, workflow = many): Promise<AcceptedCall[]> {
		const all = people(digits);
		await workflow.start({ people: all });
		const accepted = await placed(all);
		await calls.untilWaiting(accepted[0]);
		return accepted;
	}

	const countFollowers = (all: AcceptedCall[]) => all.map((call) => calls.followers(call).length);
	const outcomesIn = async (call: AcceptedCall) =>
		(await calls.ended(call)).getItems(CALL).map(({ json }) => json.outcome);

	test(
		'continue at the limit with the results that came before the credential was changed or deleted',
		async () => {
			const { rest } = world().n8n;
			const waitUnder = async (own: StoredCredential) =>
				await parked('55', await manyCalls({ waitLimit: 40 }, { calls: own, trigger: own }));
			const [changed, deleted] = [
				await storeCredential(world(), 'Changed'),
				await storeCredential(world(), 'Deleted'),
			];
			const open = [await waitUnder(changed), await waitUnder(deleted)];
			for (const [first] of open) expect(await calls.deliver(first)).toBe(200);

			const data = credentialData(world().simulator, { authToken: 'f'.repeat(32) });
			await rest.updateCredential(changed.id, CREDENTIAL_TYPE, changed.name, data);
			await rest.deleteCredential(deleted.id);
			await sleep(REREAD_MS);
			const statuses = await Promise.all(open.map(async ([, late]) => await calls.deliver(late)));
			expect(statuses).toEqual([403, 503]);

			for (const [first] of open) {
				expect(await outcomesIn(first)).toEqual(['completed', 'timeout']);
			}
			for (const status of statuses) {
				expect(world().n8n.log).toContain(`was refused with HTTP ${status}`);
			}
		},
		3 * LIMIT_MS,
	);

	/** n8n's own Wait node, which continues with any POST to the address of the execution. */
	const ownWait = (name: string) => ({
		...node(name, 'n8n-nodes-base.wait', { resume: 'webhook', httpMethod: 'POST' }, 1.1),
		webhookId: randomUUID(),
	});

	test.each([
		['directly', false],
		['through the relay', true],
	])(
		'do not resume another waiting node when a late result arrives %s',
		async (_, isRelayed) => {
			const { credential } = world();
			const definition = chain(
				'Waits behind',
				hook(),
				waitingCall(credential),
				ownWait('First Wait'),
				ownWait('Second Wait'),
				tell(credential, '={{ $json.body ?? "on" }}'),
			);
			const workflow = await Startable.activate(
				world(),
				isRelayed ? beside(definition, resultTrigger(credential)) : definition,
			);
			const accepted = await calls.placeWith(workflow);
			await calls.untilWaiting(accepted);
			expect(await calls.deliver(accepted)).toBe(200);
			await world().n8n.rest.waiting(calls.executionId(accepted), ({ nodesRun }) =>
				nodesRun.includes('First Wait'),
			);
			// The same result again, and one of another call: neither may resume n8n's Wait.
			for (const callSid of [accepted.callSid, '7'.repeat(32)]) {
				const sent = calls.send(accepted, { fields: { callSid } }).catch(() => undefined);
				await Promise.race([sent, sleep(5000)]);
			}
			await calls.stayParked(accepted);
			const execution = await calls.execution(accepted);
			expect(execution.nodesRun).not.toContain('Second Wait');
			expect(calls.followers(accepted)).toEqual([]);
		},
		60_000,
	);

	test(
		'continue once, and nothing else does, if n8n was down when the limit passed',
		async () => {
			const { ended, waiting } = overtaken;
			// n8n's own timer is set five minutes after the limit, and n8n looks once a minute.
			expect(await calls.told(ended[0], TIMER_MS)).toHaveLength(1);
			expect((await calls.ended(ended[0])).status).toBe('success');
			expect(await outcomesIn(ended[0])).toEqual(['timeout', 'timeout']);
			await calls.areParked(waiting[0]);
			for (const call of waiting) expect(await calls.deliver(call)).toBe(200);
			expect(await outcomesIn(waiting[0])).toEqual(['completed', 'completed']);
			expect([...countFollowers(ended), ...countFollowers(waiting)]).toEqual([1, 1, 1, 1]);
		},
		2 * TIMER_MS,
	);
});
