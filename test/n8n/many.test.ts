import { setTimeout as sleep } from 'node:timers/promises';
import { expectNoSecrets } from '../support/secrets';
import { listTexts } from '../harness/calls';
import { describeOnEachN8n } from '../harness/setup';
import type { Execution } from '../harness/storedExecution';
import { until } from '../harness/until';
import { chain, hook, ours, splitPeople, Startable } from '../harness/workflows';

const SEND = 'Send';
const LIMIT_MS = 240_000;
/** A second request would show by then. */
const QUIET_MS = 2_000;
/** How many requests of a run are under way at once. */
const AT_ONCE = 10;

const peopleUpTo = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ to: String(13_800_000_000 + at) }));

describeOnEachN8n('Many items and executions', (setup) => {
	beforeEach(() => setup().simulator.reset());
	afterEach(() => expect(setup().simulator.violations()).toEqual([]));

	/** An active workflow that sends something to each of the people it is started with. */
	async function toPeople(parameters: Record<string, unknown>): Promise<Startable> {
		const send = ours(SEND, setup().credential, { to: '={{ $json.to }}', ...parameters });
		return await Startable.activate(setup(), chain('To people', hook(), splitPeople(), send));
	}

	/** The executions of a workflow once as many have ended as were started, the newest first. */
	async function allEnded({ workflow }: Startable, count: number): Promise<Execution[]> {
		const { rest } = setup().n8n;
		const listEnded = async () => {
			const all = await rest.listExecutions(workflow);
			const ended = all.filter(({ status }) => !['new', 'running'].includes(status));
			return ended.length >= count ? ended : undefined;
		};
		const waits = { timeoutMs: LIMIT_MS, everyMs: 500 };
		const ended = await until(`the end of ${count} executions`, listEnded, waits);
		return await Promise.all(ended.map(async ({ id }) => await rest.ended(id)));
	}

	test(
		'send once for 50 executions with the same idempotency key, also after a restart',
		async () => {
			const { n8n, simulator } = setup();
			const workflow = await toPeople({
				...{ resource: 'sms', operation: 'send', templateId: '100002', datas: ['1', '2'] },
				options: { idempotencyKey: 'one-of-fifty' },
			});
			const people = peopleUpTo(1);
			await Promise.all(Array.from({ length: 50 }, async () => await workflow.start({ people })));
			const items = (await allEnded(workflow, 50)).flatMap((each) => each.getItems(SEND));
			expect(items.filter(({ json }) => json.statusCode === '000000')).toHaveLength(1);
			expect(items.filter(({ json }) => json.duplicate === true)).toHaveLength(49);
			expect(listTexts(simulator)).toHaveLength(1);

			await n8n.kill();
			await n8n.start();
			await workflow.start({ people });
			const [newest] = await allEnded(workflow, 51);
			expect(newest.getItems(SEND).map(({ json }) => json)).toEqual([
				{ duplicate: true, idempotencyKey: 'one-of-fifty', to: people[0].to },
			]);
			expect(listTexts(simulator)).toHaveLength(1);
		},
		LIMIT_MS,
	);

	test(
		'place no more calls once the execution is stopped, and log how many were',
		async () => {
			const { n8n, simulator } = setup();
			const people = peopleUpTo(200);
			simulator.configure({ latencyMs: 300 });
			const workflow = await toPeople({
				resource: 'call',
				operation: 'notify',
				mediaTxt: 'Hello',
			});
			const logBefore = n8n.log.length;
			await workflow.start({ people });
			await until('thirty calls', () => simulator.accepted().length >= 30 || undefined);
			const [{ id }] = await n8n.rest.listExecutions(workflow.workflow);
			await n8n.rest.post(`/rest/executions/${id}/stop`, {});
			const whenStopped = simulator.accepted().length;
			const [stopped] = await allEnded(workflow, 1);
			expect(stopped.status).toBe('canceled');

			const words = await until('the word about it in the log', () =>
				/Accepted: (\d+)\. Perhaps accepted: (\d+)\. The first item .* is (\d+)\./
					.exec(n8n.log.slice(logBefore))
					?.slice(1),
			);
			await sleep(QUIET_MS);
			const calls = simulator.accepted().length;
			const [accepted, perhaps, firstUnsent] = words.map(Number);
			expect(calls).toBeLessThanOrEqual(whenStopped + AT_ONCE);
			expect(accepted).toBeLessThanOrEqual(calls);
			expect(perhaps).toBeLessThanOrEqual(AT_ONCE);
			expect(accepted + perhaps).toBeGreaterThanOrEqual(calls);
			expect(firstUnsent).toBe(accepted + perhaps);
			const written = n8n.log.slice(logBefore);
			expectNoSecrets(written, simulator);
			expect(people.filter(({ to }) => written.includes(to))).toEqual([]);
		},
		LIMIT_MS,
	);
});
