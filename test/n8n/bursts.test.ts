import { Calls, numberEnding } from '../harness/callResults';
import { until } from '../harness/until';
import {
	beside,
	CALL,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	waitAndTell,
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

	const people = (count: number) =>
		Array.from({ length: count }, () => ({ to: numberEnding('0'), userData: calls.nextName() }));

	/** Many calls in one execution. */
	async function activateList(): Promise<Startable> {
		const { credential } = world();
		const call = waitingCall(credential, { from: '$json' });
		const nothing = node('Nothing', 'n8n-nodes-base.noOp');
		const list = chain('List', hook(), splitPeople(), call, nothing);
		return await Startable.activate(world(), beside(list, resultTrigger(credential)));
	}

	/** Checks that the execution of many calls has gone on with the result of each. */
	async function expectAll(): Promise<void> {
		const first = await until('the first call', () => calls.all().at(0));
		const ending = world().n8n.rest.ended(calls.executionId(first), LIMIT_MS, 1000);
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
			await list.start({ people: people(MANY) });
			await expectAll();
			expect(calls.all()).toHaveLength(MANY);
		},
		LIMIT_MS,
	);

	test(
		`resume each of ${EXECUTIONS} executions once`,
		async () => {
			const workflow = await Startable.activate(world(), waitAndTell(world().credential));
			const all = people(EXECUTIONS);
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
});
