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
		await rest.allEnded(workflow, count, LIMIT_MS);
		const all = await rest.listExecutions(workflow);
		return await Promise.all(all.map(async ({ id }) => await rest.ended(id)));
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
		'place no more calls once the execution is stopped, and log so',
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

			// What it says is decided by test/unit/executor/outputs.
			const readLog = () => n8n.log.slice(logBefore);
			const isLogged = () => /Accepted: \d+\. Perhaps accepted: /.test(readLog()) || undefined;
			await until('the word about it in the log', isLogged);
			await sleep(QUIET_MS);
			expect(simulator.accepted().length).toBeLessThanOrEqual(whenStopped + AT_ONCE);
			expectNoSecrets(readLog(), simulator);
			expect(people.filter(({ to }) => readLog().includes(to))).toEqual([]);
		},
		LIMIT_MS,
	);
});
