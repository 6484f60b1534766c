import { setTimeout as sleep } from 'node:timers/promises';
import { requestViolations } from '../../simulator/index';
import { Calls, listCalls, listTexts, MODES, numberEnding, placeTwoInMode } from '../harness/calls';
import { START_LIMIT_MS, versionsToTest, type Stoppable } from '../harness/setup';
import type { RunningN8n } from '../harness/startN8n';
import { until } from '../harness/until';
import { newestSupported } from '../harness/versions';
import {
	chain,
	hook,
	ours,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	waitAndTell,
} from '../harness/workflows';
import { startQueueMode, WORKER_CONCURRENCY, type QueueMode } from './support/queueMode';

/** As many requests as we make of n8n at the same time. */
const AT_ONCE = 25;
const LIMIT_MS = 900_000;
/** What is done a second time by mistake would show by then. */
const QUIET_MS = 5_000;

/** A busy machine may be asked for a part of it all: `QUEUE_SHARE=0.1`. */
const share = Number(process.env.QUEUE_SHARE ?? 1);
const NOTIFICATIONS = 1000 * share;
const WAITING = 300 * share;
const SAME_KEY = 50;

/** Numbers from 0 on. */
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A line of figures among Jest's own. */
const print = (words: string): boolean => process.stdout.write(`   · ${words}\n`);

/** Does something for each of many, with {@link AT_ONCE} under way at the same time. */
async function forEach<T>(many: T[], run: (each: T) => Promise<unknown>): Promise<void> {
	const left = many.values();
	const work = async (): Promise<void> => {
		for (const each of left) await run(each);
	};
	await Promise.all(numbers(AT_ONCE).map(work));
}

/** Ids of the executions that a worker has begun or gone on with, by its log. */
const begunBy = ({ log }: RunningN8n): string[] =>
	[...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

describe.each(versionsToTest([newestSupported]))('n8n %s in queue mode', (version) => {
	const begun: Stoppable[] = [];
	let setup: QueueMode;
	const calls = new Calls(() => setup);

	beforeAll(async () => {
		setup = await startQueueMode(version, begun);
	}, START_LIMIT_MS);
	afterAll(async () => {
		for (const each of begun) await each.stop();
	}, LIMIT_MS);
	beforeEach(() => setup.simulator.reset());
	afterEach(() => expect(requestViolations(setup.simulator)).toEqual([]));

	const allEnded = async ({ workflow }: Pick<Startable, 'workflow'>, wanted: number) =>
		await setup.n8n.rest.allEnded(workflow, wanted, LIMIT_MS);

	/** What was told after the results of all calls so far, by the calls' ids. */
	const allTold = (): Map<string, string[]> => {
		const told = new Map<string, string[]>();
		for (const { datas } of listTexts(setup.simulator)) {
			const [callSid, words] = datas;
			told.set(callSid, [...(told.get(callSid) ?? []), words]);
		}
		return told;
	};

	/** Sends again, as a service may, each result that nobody acknowledged, until the executions have ended. */
	async function repeatUntilEnded(of: Startable, wanted: number): Promise<number> {
		let repeated = 0;
		const over = allEnded(of, wanted).then(() => true);
		while (!(await Promise.race([over, sleep(1000, false)]))) {
			const { notifications } = setup.simulator.record;
			const answered = notifications.filter(({ answer }) => answer?.httpStatus === 200);
			const done = new Set(answered.map(({ callSid }) => callSid));
			const tried = notifications.filter(({ answer, error }) => (error ?? answer) !== undefined);
			for (const callSid of new Set(tried.map((each) => each.callSid))) {
				if (callSid === undefined || done.has(callSid)) continue;
				repeated++;
				await setup.simulator.sendCallResult(callSid);
			}
		}
		return repeated;
	}

	test(
		`starts one execution for each of ${NOTIFICATIONS} notifications through the webhook process`,
		async () => {
			const { simulator, workers, n8n, credential } = setup;
			// One that takes results of calls made elsewhere.
			const workflow = await n8n.rest.createWorkflow(
				chain('Trigger', resultTrigger(), tell(credential, '={{ $json.userData }}')),
			);
			await n8n.rest.activate(workflow);
			const url = n8n.rest.triggerUrl(workflow.nodes[0]);
			const sids = numbers(NOTIFICATIONS).map((at) => String(at).padStart(32, '0'));
			const copies = sids.filter((_, at) => at % 10 === 0);
			await forEach([...sids, ...copies], async (callSid) => {
				// A copy has the same times, too.
				const times = { starttime: '20260102080000', endtime: '20260102080007' };
				const fields = { userData: `data of ${callSid}`, ...times };
				const { violations } = await simulator.sendCallResult(callSid, { url, fields });
				expect(violations).toEqual([]);
			});
			await allEnded({ workflow }, sids.length);
			await sleep(QUIET_MS);
			expect(allTold()).toEqual(new Map(sids.map((sid) => [sid, [`data of ${sid}`]])));
			expect(await n8n.rest.countExecutions(workflow)).toBe(sids.length);
			expect(await n8n.rest.countExecutions(workflow, 'success')).toBe(sids.length);
			// The main process has only handed them on, and both workers had their share.
			for (const worker of workers) {
				expect(begunBy(worker).length).toBeGreaterThan(NOTIFICATIONS / 10);
			}
		},
		LIMIT_MS,
	);

	/** Starts an execution with a call that waits, for each of these names. */
	const startWaiting = async (waiting: Startable, names: string[]) =>
		await forEach(names, async (userData) => {
			await waiting.start({ to: numberEnding('0'), userData });
		});

	test(
		`resumes each of ${WAITING} waiting calls once, though a worker is killed meanwhile`,
		async () => {
			const { n8n, credential, simulator, workers } = setup;
			simulator.configure({ callResultDelayMs: 3000 });
			const waiting = await Startable.activate(setup, waitAndTell(credential));
			const names = numbers(WAITING).map(() => calls.nextName());
			const started = startWaiting(waiting, names);
			const isUnderWay = () => listCalls(simulator).length >= WAITING / 3 || undefined;
			await until('a third of the calls', isUnderWay, { timeoutMs: LIMIT_MS });
			await workers[0].kill();
			[workers[0]] = await Promise.all([setup.addWorker(), started]);
			const repeated = await repeatUntilEnded(waiting, names.length);
			await sleep(QUIET_MS);

			const told = allTold();
			const placed = listCalls(simulator);
			const resumed = placed.filter(({ callSid }) => told.has(callSid));
			const [crashed, failed] = await Promise.all(
				['crashed', 'error'].map(async (status) => {
					return await n8n.rest.countExecutions(waiting.workflow, status);
				}),
			);
			const lost = crashed + failed;
			print(`${resumed.length} resumed, ${lost} lost, ${repeated} results sent again`);
			expect(told).toEqual(
				new Map(resumed.map(({ callSid, userData }) => [callSid, [`completed ${userData}`]])),
			);
			expect(new Set(placed.map(({ userData }) => userData)).size).toBe(placed.length);
			// What the dead worker had under way is lost, and no more.
			expect(resumed.length + lost).toBe(names.length);
			expect(lost).toBeLessThanOrEqual(WORKER_CONCURRENCY);
			expect(placed.length - resumed.length).toBeLessThanOrEqual(lost);
		},
		LIMIT_MS,
	);

	const testOnTwo = version.startsWith('1.') ? test.skip : test;
	testOnTwo(
		`resumes each of ${WAITING} single calls once while two webhook processes take turns`,
		async () => {
			const { credential, simulator } = setup;
			simulator.configure({ callResultDelayMs: 500 });
			const waiting = await Startable.activate(setup, waitAndTell(credential));
			await setup.withTwoWebhooks(async () => {
				await startWaiting(
					waiting,
					numbers(WAITING).map(() => calls.nextName()),
				);
				const repeated = await repeatUntilEnded(waiting, WAITING);
				print(`${repeated} results sent again that n8n had not answered in time`);
				await sleep(QUIET_MS);
				const placed = listCalls(simulator);
				expect(placed).toHaveLength(WAITING);
				expect(allTold()).toEqual(
					new Map(placed.map(({ callSid, userData }) => [callSid, [`completed ${userData}`]])),
				);
			});
		},
		LIMIT_MS,
	);

	describe('with an idempotency key', () => {
		/** An active workflow that sends a text with the key that it is started with. */
		const activate = async (): Promise<Startable> => {
			const send = ours('Send', setup.credential, {
				...{ resource: 'sms', operation: 'send', to: '13800000000', templateId: '100002' },
				datas: ['={{ $json.body.key }}', '0'],
				options: { idempotencyKey: '={{ $json.body.key }}' },
			});
			return await Startable.activate(setup, chain('Texting', hook(), send));
		};

		/** How often something was sent with each of the keys. */
		function sentWith(keys: string[]): number[] {
			const sent = listTexts(setup.simulator).map(({ datas }) => datas[0]);
			return keys.map((key) => sent.filter((each) => each === key).length);
		}

		test(
			`sends at most once per worker for ${SAME_KEY} executions with one key`,
			async () => {
				const workflow = await activate();
				const keys = numbers(Math.ceil(8 * share)).map((at) => `same-${at}`);
				for (const [at, key] of keys.entries()) {
					await Promise.all(numbers(SAME_KEY).map(async () => await workflow.start({ key })));
					await allEnded(workflow, (at + 1) * SAME_KEY);
				}
				const sent = sentWith(keys);
				print(`${SAME_KEY} executions with one key at once sent, key by key: ${sent.join(', ')}`);
				expect(Math.min(...sent)).toBeGreaterThanOrEqual(1);
				expect(Math.max(...sent)).toBeLessThanOrEqual(setup.workers.length);

				for (const key of keys) await workflow.start({ key });
				await allEnded(workflow, keys.length * (SAME_KEY + 1));
				expect(sentWith(keys)).toEqual(sent);
			},
			LIMIT_MS,
		);
	});

	test.each(MODES)(
		'finds the trigger of the workflow in mode %s',
		async (mode) => await placeTwoInMode(setup, calls, mode),
		LIMIT_MS,
	);

	test(
		'gives up what a killed worker was sending; run again with the same IDs, it sends what had not begun, and nothing twice',
		async () => {
			const { n8n, credential, simulator, workers } = setup;
			const people = numbers(40).map((at) => ({ to: `138000001${String(at).padStart(2, '0')}` }));
			/** How often each of the people got the text. */
			const countReceived = (): number[] => {
				const sent = listTexts(simulator).flatMap(({ to }) => to);
				return people.map((person) => sent.filter((number) => number === person.to).length);
			};
			// A busy machine must not get through all of them before the kill.
			simulator.configure({ latencyMs: 1000 });
			const send = ours('Send', credential, {
				...{ resource: 'sms', operation: 'send', to: '={{ $json.to }}', templateId: '100002' },
				datas: ['1', '2'],
				options: { idempotencyKey: '={{ "order-" + $json.to }}' },
			});
			const texts = await Startable.activate(setup, chain('Texts', hook(), splitPeople(), send));
			await texts.start({ people });
			await until('eight texts', () => simulator.accepted().length >= 8 || undefined);
			const [{ id }] = await n8n.rest.listExecutions(texts.workflow);
			const at = workers.findIndex((worker) => begunBy(worker).includes(id));
			await workers[at].kill();
			simulator.configure({ latencyMs: 0 });
			const before = countReceived();
			await allEnded(texts, 1);
			await sleep(QUIET_MS);
			workers[at] = await setup.addWorker();
			expect((await n8n.rest.execution(id)).status).not.toBe('success');
			expect(countReceived()).toEqual(before);
			expect(before).toContain(0);

			await texts.start({ people });
			await allEnded(texts, 2);
			// The IDs of what was under way may be used up.
			const received = countReceived();
			expect(Math.max(...received)).toBe(1);
			expect(received.filter((times) => times === 0).length).toBeLessThanOrEqual(10);
		},
		LIMIT_MS,
	);
});
