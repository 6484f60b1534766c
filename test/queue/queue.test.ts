import { requestViolations } from '../../simulator/index';
import { newestSupported } from '../harness/versions';
import { until } from '../harness/until';
import { forEach } from '../harness/atOnce';
import { Calls, numberEnding } from '../harness/callResults';
import { alarmTwo, MODES } from '../harness/modes';
import {
	chain,
	hook,
	ours,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	waitAndTell,
} from '../harness/waitWorkflows';
import { versionsToTest } from '../harness/world';
import { begunBy, countRows, ended, numbers, print, quiet, since } from './support/counting';
import { startFleet, WORKER_CONCURRENCY, type Fleet } from './support/fleet';

/** As many requests as we make of n8n at the same time. */
const AT_ONCE = 25;

const START_LIMIT_MS = 20 * 60_000;
const LIMIT_MS = 900_000;

/** A busy machine may be asked for a part of it all: `QUEUE_SHARE=0.1`. */
const share = Number(process.env.QUEUE_SHARE ?? 1);
const ROUNDS = share < 1 ? [1] : [1, 2, 3];
const NOTIFICATIONS = 1000 * share;
const WAITING = 300 * share;
const SAME_KEY = 50;
const DIFFERENT_KEYS = 200 * share;

describe.each(versionsToTest([newestSupported]))('n8n %s in queue mode', (version) => {
	let fleet: Fleet;
	const calls = new Calls(() => fleet);
	const isOne = version.startsWith('1.');

	beforeAll(async () => {
		fleet = await startFleet(version);
	}, START_LIMIT_MS);
	afterAll(async () => {
		await fleet?.stop();
	}, LIMIT_MS);
	beforeEach(() => {
		fleet.simulator.reset();
	});
	afterEach(() => {
		expect(requestViolations(fleet.simulator)).toEqual([]);
	});

	/** The address of a trigger that takes results of calls made elsewhere, and what is told of each. */
	async function activeTrigger() {
		const { n8n, credential } = fleet;
		const workflow = await n8n.rest.createWorkflow(
			chain('Trigger', resultTrigger(), tell(credential, '={{ $json.userData }}')),
		);
		await n8n.rest.activate(workflow);
		return { workflow, url: n8n.rest.triggerUrl(workflow.nodes[0]) };
	}

	const TIMES = { starttime: '20260102080000', endtime: '20260102080007' };

	test(
		`starts one execution for each of ${NOTIFICATIONS} notifications through the webhook process`,
		async () => {
			const { simulator, workers, n8n } = fleet;
			const { workflow, url } = await activeTrigger();
			const sids = numbers(NOTIFICATIONS).map((at) => String(at).padStart(32, '0'));
			const copies = sids.filter((_, at) => at % 10 === 0);
			const start = Date.now();
			await forEach([...sids, ...copies], AT_ONCE, async (callSid) => {
				const { violations } = await simulator.sendCallResult(callSid, {
					url,
					// A copy has the same times, too.
					fields: { userData: `data of ${callSid}`, ...TIMES },
				});
				expect(violations).toEqual([]);
			});
			const acknowledged = since(start);
			await ended(fleet, workflow, sids.length, 3 * 60_000);
			print(
				`${sids.length} notifications and ${copies.length} copies acknowledged in ${acknowledged}, ` +
					`${sids.length} executions over after ${since(start)}`,
			);
			await quiet();
			expect(calls.allTold()).toEqual(new Map(sids.map((sid) => [sid, [`data of ${sid}`]])));
			expect(await n8n.rest.countExecutions(workflow)).toBe(sids.length);
			expect(await countRows(fleet, workflow, ['success'])).toBe(sids.length);
			// The main process has only handed them on, and both workers had their share.
			for (const worker of workers) {
				expect(begunBy(worker).length).toBeGreaterThan(NOTIFICATIONS / 10);
			}
		},
		LIMIT_MS,
	);

	test(
		`resumes each of ${WAITING} waiting calls once, though a worker is killed meanwhile`,
		async () => {
			const { credential, simulator, workers } = fleet;
			simulator.configure({ callResultDelayMs: 3000 });
			const waiting = await Startable.activate(fleet, waitAndTell(credential));
			const names = numbers(WAITING).map(() => calls.nextName());
			const begunBefore = workers.map((worker) => begunBy(worker).length);
			const start = Date.now();
			const started = forEach(names, AT_ONCE, async (userData) => {
				await waiting.start({ to: numberEnding('0'), userData });
			});
			await until('a third of the calls', () => calls.all().length >= WAITING / 3 || undefined, {
				timeoutMs: LIMIT_MS,
			});
			const [victim] = workers;
			await victim.kill();
			const killedAfter = calls.all().length;
			[workers[0]] = await Promise.all([fleet.addWorker(), started]);
			const isOver = ended(fleet, waiting.workflow, names.length, LIMIT_MS);
			const repeated = await calls.repeatUntil(isOver);
			const duration = since(start);
			await quiet();

			const told = calls.allTold();
			const placed = calls.all();
			const [resumed, cutOff] = [true, false].map((isTold) =>
				placed.filter(({ callSid }) => told.has(callSid) === isTold),
			);
			const lost = await countRows(fleet, waiting.workflow, ['crashed', 'error']);
			print(
				`${names.length} waiting calls over in ${duration}, a worker killed after call ${killedAfter}, ` +
					`${repeated} results sent again that n8n had not answered in time: ` +
					`${resumed.length} resumed, ${lost} executions lost, ${cutOff.length} of them with a call placed`,
			);
			expect(told).toEqual(
				new Map(resumed.map(({ callSid, userData }) => [callSid, [`completed ${userData}`]])),
			);
			expect(new Set(placed.map(({ userData }) => userData)).size).toBe(placed.length);
			// What the dead worker had under way is lost, and no more.
			expect(resumed.length + lost).toBe(names.length);
			expect(lost).toBeLessThanOrEqual(WORKER_CONCURRENCY);
			expect(cutOff.length).toBeLessThanOrEqual(lost);
			const begun = [victim, workers[1]].map((each, at) => begunBy(each).length - begunBefore[at]);
			expect(Math.min(...begun)).toBeGreaterThan(WAITING / 10);
		},
		LIMIT_MS,
	);

	const onTwo = isOne ? test.skip : test;
	onTwo(
		`resumes each of ${WAITING} single calls once while two webhook processes take turns`,
		async () => {
			const { credential, simulator } = fleet;
			simulator.configure({ callResultDelayMs: 500 });
			const waiting = await Startable.activate(fleet, waitAndTell(credential));
			await fleet.withTwoWebhooks(async () => {
				const names = numbers(WAITING).map(() => calls.nextName());
				const start = Date.now();
				await forEach(names, AT_ONCE, async (userData) => {
					await waiting.start({ to: numberEnding('0'), userData });
				});
				const isOver = ended(fleet, waiting.workflow, names.length, LIMIT_MS);
				const repeated = await calls.repeatUntil(isOver);
				print(
					`${names.length} waiting calls over in ${since(start)} with two webhook processes, ` +
						`${repeated} results sent again that n8n had not answered in time`,
				);
				await quiet();
				expect(calls.all()).toHaveLength(names.length);
				expect(calls.allTold()).toEqual(
					new Map(calls.all().map(({ callSid, userData }) => [callSid, [`completed ${userData}`]])),
				);
			});
		},
		LIMIT_MS,
	);

	/** An active workflow that sends a text with what it is started with. */
	const texting = async (options: Record<string, unknown>): Promise<Startable> =>
		await Startable.activate(
			fleet,
			chain(
				'Texting',
				hook(),
				ours('Send', fleet.credential, {
					resource: 'sms',
					operation: 'send',
					to: '={{ $json.body.to }}',
					templateId: '100002',
					datas: ['={{ $json.body.key }}', '0'],
					options,
				}),
			),
		);

	test(
		'sends no more than a limit in total for each worker, though both count at once',
		async () => {
			const maxTotal = 20;
			const workflow = await texting({
				limits: { rule: [{ by: 'total', max: maxTotal, per: 'day' }] },
			});
			const people = numbers(5 * maxTotal).map((at) => ({
				to: String(13_800_000_000 + at),
				key: '1',
			}));
			await forEach(people, AT_ONCE, async (each) => await workflow.start(each));
			await ended(fleet, workflow.workflow, people.length, LIMIT_MS);
			const sent = fleet.simulator.accepted().length;
			print(
				`${people.length} executions at once, a limit of ${maxTotal} in total: ${sent} were sent`,
			);
			// Each worker counts exactly by itself; how far both together pass the limit is printed.
			expect(sent).toBeLessThanOrEqual(fleet.workers.length * maxTotal);
			expect(sent).toBeGreaterThan(maxTotal / 2);
		},
		LIMIT_MS,
	);

	describe('with an idempotency key', () => {
		const withKey = async () => await texting({ idempotencyKey: '={{ $json.body.key }}' });
		const recipient = { to: '13800000000' };

		/** How often something was sent with each of the keys. */
		function sentWith(keys: string[]): number[] {
			const sent = fleet.simulator
				.accepted()
				.flatMap((each) => (each.kind === 'message' ? each.datas[0] : []));
			return keys.map((key) => sent.filter((each) => each === key).length);
		}

		test(
			`sends at most once per worker for ${SAME_KEY} executions with one key`,
			async () => {
				const workflow = await withKey();
				const keys = numbers(Math.ceil(8 * share)).map((at) => `same-${at}`);
				let started = 0;
				const startWith = async (key: string, times: number): Promise<void> => {
					await Promise.all(
						numbers(times).map(async () => await workflow.start({ ...recipient, key })),
					);
					started += times;
					await ended(fleet, workflow.workflow, started, LIMIT_MS);
				};
				for (const key of keys) await startWith(key, SAME_KEY);
				const sent = sentWith(keys);
				print(`${SAME_KEY} executions with one key at once sent, key by key: ${sent.join(', ')}`);
				expect(Math.min(...sent)).toBeGreaterThanOrEqual(1);
				expect(Math.max(...sent)).toBeLessThanOrEqual(fleet.workers.length);

				for (const key of keys) await startWith(key, 3);
				expect(sentWith(keys)).toEqual(sent);
			},
			LIMIT_MS,
		);

		test.each(ROUNDS)(
			'sends once for each of many keys, and hardly ever again (round %i)',
			async (round) => {
				const workflow = await withKey();
				const keys = numbers(DIFFERENT_KEYS).map((at) => `different-${round}-${at}`);
				await forEach(keys, AT_ONCE, async (key) => await workflow.start({ ...recipient, key }));
				await ended(fleet, workflow.workflow, keys.length, LIMIT_MS);
				expect(sentWith(keys)).toEqual(keys.map(() => 1));
				for (const key of keys) await workflow.start({ ...recipient, key });
				await ended(fleet, workflow.workflow, 2 * keys.length, LIMIT_MS);
				const again = sentWith(keys).filter((times) => times > 1).length;
				print(
					`of ${keys.length} different keys at once, ${again} were forgotten when they came again`,
				);
				// Two workers undo each other's records; each makes sure of its own, which seldom fails.
				expect(again).toBeLessThanOrEqual(keys.length / 40);
			},
			LIMIT_MS,
		);

		test.each(ROUNDS)(
			'hardly ever sends twice for a key that a refusal freed (round %i)',
			async (round) => {
				const workflow = await withKey();
				const keys = numbers(DIFFERENT_KEYS).map((at) => `freed-${round}-${at}`);
				const fault = fleet.simulator.fail({
					kind: 'statusCode',
					statusCode: '160040',
					times: Infinity,
				});
				for (const times of [1, 2, 3]) {
					await forEach(keys, AT_ONCE, async (key) => await workflow.start({ ...recipient, key }));
					await ended(fleet, workflow.workflow, times * keys.length, LIMIT_MS);
					fault.remove();
				}
				const sent = sentWith(keys);
				const [stayed, twice] = [0, 2].map((n) => sent.filter((times) => times === n).length);
				print(`of ${keys.length} freed keys, ${stayed} stayed taken, ${twice} were used twice`);
				expect(twice).toBeLessThanOrEqual(keys.length / 40);
			},
			LIMIT_MS,
		);
	});

	test.each(MODES)(
		'finds the trigger of the workflow in mode %s',
		async (mode) => await alarmTwo(fleet, calls, mode),
		LIMIT_MS,
	);

	describe('when a worker is killed after some of 40 SMS', () => {
		const people = numbers(40).map((at) => ({ to: `138000001${String(at).padStart(2, '0')}` }));

		/** How often each of the people got the text. */
		function received(): number[] {
			const sent = fleet.simulator
				.accepted()
				.flatMap((each) => (each.kind === 'message' ? each.to : []));
			return people.map((person) => sent.filter((number) => number === person.to).length);
		}

		/** Starts the texts, kills the worker that sends them after the eighth, and sees it through. */
		async function killed() {
			const { n8n, credential, simulator, workers } = fleet;
			// A busy machine must not get through all of them before the kill.
			simulator.configure({ latencyMs: 1000 });
			const send = ours('Send', credential, {
				resource: 'sms',
				operation: 'send',
				to: '={{ $json.to }}',
				templateId: '100002',
				datas: ['1', '2'],
				options: { idempotencyKey: '={{ "order-" + $json.to }}' },
			});
			const texts = await Startable.activate(fleet, chain('Texts', hook(), splitPeople(), send));
			await texts.start({ people });
			await until('eight texts', () => simulator.accepted().length >= 8 || undefined);
			const [{ id }] = await n8n.rest.listExecutions(texts.workflow);
			const at = workers.findIndex((worker) => begunBy(worker).includes(id));
			await workers[at].kill();
			simulator.configure({ latencyMs: 0 });
			const before = received();
			const start = Date.now();
			await ended(fleet, texts.workflow, 1, LIMIT_MS);
			const { status, error } = await n8n.rest.execution(id);
			print(
				`worker killed after ${before.filter((count) => count > 0).length} of 40 texts: execution ${id} is over as ` +
					`"${status}" after ${since(start)}, received ${received().join('')}; ${error?.message}`,
			);
			await quiet();
			workers[at] = await fleet.addWorker();
			return { texts, status, before };
		}

		test(
			'gives the execution up; run again with the same IDs, it sends what had not begun, and nothing twice',
			async () => {
				const { texts, status, before } = await killed();
				expect(status).not.toBe('success');
				expect(received()).toEqual(before);
				expect(before.reduce((one, other) => one + other)).toBeLessThan(people.length);
				await texts.start({ people });
				await ended(fleet, texts.workflow, 2, LIMIT_MS);
				// The IDs of what was under way may be used up.
				const counts = received();
				expect(Math.max(...counts)).toBe(1);
				expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(10);
			},
			LIMIT_MS,
		);
	});
});
