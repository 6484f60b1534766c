import type { AcceptedCall } from '../../simulator';
import { Calls, numberEnding, SILENT } from '../harness/callResults';
import { until } from '../harness/until';
import {
	beside,
	CALL,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	waitingCall,
} from '../harness/waitWorkflows';
import { node } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const LIMIT_MS = 9 * 60_000;
/** The most that a run can wait for. */
const MANY = 500;
const EXECUTIONS = 200;
const STARTED_AT_ONCE = 50;
/** Longer than n8n takes to park one execution, and far shorter than for many. */
const RESULT_AFTER_MS = 1500;

const MEGABYTE = 1024 * 1024;
/** Just short of what no longer counts as a notification. */
const LARGEST = 31 * 1024;
const FLOOD = 16 * MEGABYTE;
const AT_ONCE = 20;

describeOnEachN8n('Results that come all at once', (world) => {
	const calls = new Calls(world);

	beforeEach(() => {
		world().simulator.reset();
		world().simulator.configure({
			callResultDelayMs: RESULT_AFTER_MS,
			callResultPatienceMs: 60_000,
			checkAcknowledgements: false,
		});
	});

	const people = (count: number, number: string) =>
		Array.from({ length: count }, () => ({ to: number, userData: calls.nextName() }));

	/** Many calls in one execution. */
	async function activateList(): Promise<Startable> {
		const { credential } = world();
		const call = waitingCall(credential, { from: '$json' });
		const nothing = node('Nothing', 'n8n-nodes-base.noOp');
		const list = chain('List', hook(), splitPeople(), call, nothing);
		return await Startable.activate(world(), beside(list, resultTrigger(credential)));
	}

	/** A call in each execution, and one text for each that follows. */
	async function single(): Promise<Startable> {
		const { credential } = world();
		const definition = chain('Single', hook(), waitingCall(credential), tell(credential));
		return await Startable.activate(world(), beside(definition, resultTrigger(credential)));
	}

	/** Checks that the execution of many calls has gone on with the result of each. */
	async function expectAll(): Promise<void> {
		const first = await until('the first call', () => calls.all().at(0));
		const ending = until(
			'the end of the execution',
			async () => {
				const now = await calls.execution(first);
				return now.isComplete ? now : undefined;
			},
			{ timeoutMs: LIMIT_MS, everyMs: 1000 },
		);
		// A busy n8n 2 says by itself, with 503, that its database is not ready.
		await calls.repeatUntil(ending);
		const execution = await ending;
		expect(execution.error).toBeUndefined();
		const outcomes = execution.getItems(CALL).map(({ json }) => json.outcome);
		expect(outcomes).toEqual(Array<string>(MANY).fill('completed'));
		expect(execution.getRuns('Nothing')).toHaveLength(1);
	}

	test(
		`resume an execution of ${MANY} calls`,
		async () => {
			const list = await activateList();
			await list.start({ people: people(MANY, numberEnding('0')) });
			await expectAll();
			expect(calls.all()).toHaveLength(MANY);
		},
		LIMIT_MS,
	);

	test(
		`resume each of ${EXECUTIONS} executions once`,
		async () => {
			const workflow = await single();
			const all = people(EXECUTIONS, numberEnding('0'));
			// All two hundred in one moment n8n 2 would refuse: "Database is not ready!"
			for (let begun = 0; begun < EXECUTIONS; begun += STARTED_AT_ONCE) {
				const some = all.slice(begun, begun + STARTED_AT_ONCE);
				await Promise.all(some.map(async (person) => await workflow.start(person)));
			}
			await expectTold(all);
		},
		LIMIT_MS,
	);

	/** Checks that one text follows the call of each of these people. */
	async function expectTold(all: Array<{ userData: string }>): Promise<void> {
		const expected = all.map(({ userData }) => `completed ${userData}`);
		// What an earlier test has left behind is not of these.
		const told = () =>
			[...calls.allTold().values()].flat().filter((each) => expected.includes(each));
		await calls.repeatUntil(
			until('all that follows', () => told().length >= all.length || undefined, {
				timeoutMs: LIMIT_MS,
				everyMs: 1000,
			}),
		);
		expect(told().sort()).toEqual(expected.sort());
	}

	test(
		'arrive while somebody fills a leaked address',
		async () => {
			const workflow = await single();
			const all = people(10, SILENT);
			await Promise.all(all.map(async (person) => await workflow.start(person)));
			const [leaked, ...others] = await Promise.all(
				all.map(async ({ userData }) => await calls.named(userData)),
			);
			for (const call of others) await calls.untilWaiting(call);

			const statuses = new Set<number>();
			const flood = fill(leaked, statuses);
			for (const call of others) expect(await calls.deliver(call)).toBe(200);
			await flood;
			expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

			// Its own result has its turn as well.
			await until('room for it', async () => (await calls.deliver(leaked)) === 200 || undefined, {
				timeoutMs: LIMIT_MS,
			});
			await expectTold(all);
		},
		LIMIT_MS,
	);

	/** Posts results of made-up calls to the address of one, 16 MB in all. */
	async function fill({ respUrl = '' }: AcceptedCall, statuses: Set<number>): Promise<void> {
		const bodies = Array.from({ length: FLOOD / LARGEST }, (_, at) =>
			JSON.stringify({
				action: 'SellingCall',
				callSid: String(at).padStart(32, '9'),
				state: '0',
				userData: 'x'.repeat(LARGEST - 200),
			}),
		).values();
		const post = async (): Promise<void> => {
			for (const body of bodies) {
				const headers = { 'content-type': 'text/plain', connection: 'close' };
				const response = await fetch(respUrl, { method: 'POST', headers, body });
				await response.arrayBuffer();
				statuses.add(response.status);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, post));
	}
});
