import { setTimeout as sleep } from 'node:timers/promises';
import { expectNoSecrets } from '../support/secrets';
import type { AcceptedCall, AcceptedMessage } from '../../simulator/index';
import type { WorkflowNode } from '../harness/n8nRest';
import type { Execution } from '../harness/storedExecution';
import { until } from '../harness/until';
import { chain, hook, ours, splitPeople, Startable } from '../harness/waitWorkflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const SEND = 'Send';
const LIMIT_MS = 240_000;
/** A second request would show by then. */
const QUIET_MS = 2_000;

const numberAt = (at: number): string => `138${String(at).padStart(8, '0')}`;
const peopleUpTo = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ to: numberAt(at) }));

describeOnEachN8n('Many items and executions', (world) => {
	beforeEach(() => world().simulator.reset());
	afterEach(() => {
		expect(world().simulator.violations()).toEqual([]);
	});

	const texts = (): AcceptedMessage[] =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	/** An active workflow that sends something to each of the people it is started with. */
	async function toPeople(
		parameters: Record<string, unknown>,
		settings: Pick<WorkflowNode, 'onError' | 'credentials'> = {},
	): Promise<Startable> {
		const send = {
			...ours(SEND, world().credential, { to: '={{ $json.to }}', ...parameters }),
			...settings,
		};
		return await Startable.activate(world(), chain('To people', hook(), splitPeople(), send));
	}

	const text = (options: Record<string, unknown>) => ({
		resource: 'sms',
		operation: 'send',
		templateId: '100002',
		datas: ['1', '2'],
		options,
	});

	/** The executions of a workflow once as many have ended as were started, the newest first. */
	async function allEnded({ workflow }: Startable, count: number): Promise<Execution[]> {
		const { rest } = world().n8n;
		const ids = await until(
			`the end of ${count} executions`,
			async () => {
				const all = await rest.listExecutions(workflow);
				const ended = all.filter(({ status }) => !['new', 'running'].includes(status));
				return ended.length >= count ? ended.map(({ id }) => id) : undefined;
			},
			{ timeoutMs: LIMIT_MS, everyMs: 500 },
		);
		return await Promise.all(ids.map(async (id) => await rest.ended(id)));
	}

	/** What became of the only item of each execution. */
	const listOutcomes = (executions: Execution[]): string[] =>
		executions.flatMap((execution) =>
			execution
				.getItems(SEND)
				.map(({ json }) => (json.duplicate === true ? 'duplicate' : String(json.statusCode))),
		);

	test(
		'send once for 50 executions with the same idempotency key, also after a restart',
		async () => {
			const { n8n } = world();
			const workflow = await toPeople(text({ idempotencyKey: 'one-of-fifty' }));
			const people = peopleUpTo(1);
			await Promise.all(Array.from({ length: 50 }, async () => await workflow.start({ people })));
			const outcomes = listOutcomes(await allEnded(workflow, 50));
			expect(outcomes.sort()).toEqual(['000000', ...Array<string>(49).fill('duplicate')]);
			expect(texts()).toHaveLength(1);

			await n8n.restart();
			await until('n8n to take requests again', async () => {
				return await workflow.start({ people }).catch(() => undefined);
			});
			const [newest] = await allEnded(workflow, 51);
			expect(newest.getItems(SEND).map(({ json }) => json)).toEqual([
				{ duplicate: true, idempotencyKey: 'one-of-fifty', to: people[0].to },
			]);
			expect(texts()).toHaveLength(1);
		},
		LIMIT_MS,
	);

	test(
		'place no more calls once the execution is stopped, and log how many were',
		async () => {
			const { n8n, simulator } = world();
			const people = peopleUpTo(200);
			simulator.configure({ latencyMs: 300 });
			const concurrency = 10;
			const workflow = await toPeople({
				resource: 'call',
				operation: 'notify',
				mediaTxt: 'Hello',
			});
			await workflow.start({ people });
			const logBefore = n8n.log.length;
			await until('thirty calls', () => simulator.accepted().length >= 30 || undefined);
			const [{ id }] = await n8n.rest.listExecutions(workflow.workflow);
			await n8n.rest.stopExecution(id);
			const whenStopped = simulator.accepted().length;
			const [stopped] = await allEnded(workflow, 1);
			expect(stopped.status).toBe('canceled');

			const log = await until('the word about it in the log', () => {
				return /Accepted: (\d+)\. Perhaps accepted: (\d+)\. The first item .* is (\d+)\./
					.exec(n8n.log.slice(logBefore))
					?.slice(1);
			});
			await sleep(QUIET_MS);
			const calls = simulator
				.accepted()
				.filter((each): each is AcceptedCall => each.kind === 'call');
			expect(calls.length).toBeLessThanOrEqual(whenStopped + concurrency);
			const [accepted, perhaps, firstUnsent] = log.map(Number);
			expect(accepted).toBeLessThanOrEqual(calls.length);
			expect(perhaps).toBeLessThanOrEqual(concurrency);
			expect(accepted + perhaps).toBeGreaterThanOrEqual(calls.length);
			expect(firstUnsent).toBe(accepted + perhaps);
			const written = n8n.log.slice(logBefore);
			expectNoSecrets(written, simulator);
			expect(people.filter(({ to }) => written.includes(to))).toEqual([]);
		},
		LIMIT_MS,
	);
});
