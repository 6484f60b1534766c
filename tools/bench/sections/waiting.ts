import type { WorkflowDefinition, WorkflowNode } from '../../../test/harness/n8nRest';
import {
	beside,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	waitingCall,
} from '../../../test/harness/waitWorkflows';
import type { World } from '../../../test/harness/world';
import { runBarePair } from '../barePair';
import { bareTrigger, flood, nothing } from '../executions';
import { describeOutcome, watchOutcome, type Outcome } from '../outcome';
import { atMost, duration, type Section, type Verdict } from '../report';

const MANY = 500;
const EXECUTIONS = 200;
/** From the acceptance of a call to its result. */
const RESULT_AFTER_MS = 1500;
/** A busy n8n 2 takes long to answer; how long the service waits is not known. */
const PATIENCE_MS = 60_000;

type ResultDelivery = 'none' | 'wait';

/** What was measured: many calls in one execution, and many executions with one call. */
interface Figures {
	none: Outcome;
	wait: Outcome;
	/** Of an empty trigger with as many deliveries. */
	deliveries: number;
	noneAtOnce: Outcome;
	waitAtOnce: Outcome;
	bare: Outcome;
}

/** Waiting for many in one execution, and in many executions at once, beside floors. */
export async function waitingSection(world: World): Promise<Section> {
	const figures: Figures = {
		none: await measureList(world, 'none'),
		wait: await measureList(world, 'wait'),
		deliveries: (await flood(world, bareTrigger(), MANY)).ended,
		noneAtOnce: await measureSingles(world, 'none'),
		waitAtOnce: await measureSingles(world, 'wait'),
		bare: await runBarePair(world, EXECUTIONS, RESULT_AFTER_MS),
	};
	const { none, wait, deliveries, noneAtOnce, waitAtOnce, bare } = figures;
	const ideal = duration(none.ended + RESULT_AFTER_MS);
	return {
		title: 'Waiting for results',
		method: `Results ${RESULT_AFTER_MS} ms after acceptance, through the trigger of the workflow, sent once by a service that waits ${PATIENCE_MS / 1000} s for an answer. First one execution with ${MANY} calls at the node's usual pace, then ${EXECUTIONS} executions at once with one call each. The ideal is the time without waiting, plus the time of a result. The empty trigger answers ${MANY} deliveries in ${duration(deliveries)}; the bare pair is a node that only parks and a trigger that posts every 300 ms until n8n takes it. Memory is what n8n used on top at its highest point.`,
		head: [
			'What',
			'Half of the calls placed',
			'Last call placed',
			'Over after',
			'Not gone on',
			'Memory',
		],
		rows: [
			describeOutcome(`${MANY} calls, Do Nothing`, none),
			describeOutcome(`${MANY} calls, Wait for Result (ideal ${ideal})`, wait),
			describeOutcome(`${EXECUTIONS} executions, Do Nothing`, noneAtOnce),
			describeOutcome(`${EXECUTIONS} executions, Wait for Result`, waitAtOnce),
			describeOutcome(`${EXECUTIONS} executions of the bare pair`, bare),
		],
		verdicts: judge(figures),
	};
}

function judge({ none, wait, deliveries, waitAtOnce, bare }: Figures): Verdict[] {
	const missing = waitAtOnce.missing + wait.missing;
	return [
		atMost(
			`${MANY} in one execution, beside placing and the empty trigger`,
			wait.ended,
			none.ended + deliveries,
			1.3,
		),
		atMost(`${EXECUTIONS} executions, beside the bare pair`, waitAtOnce.ended, bare.ended, 1.2),
		atMost('their memory, beside the bare pair', waitAtOnce.megabytes, bare.megabytes, 1.2),
		{ aim: 'no execution is left behind', seen: String(missing), met: missing === 0 },
	];
}

/** People whose calls have a result by themselves. */
const buildPeople = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ to: String(13_800_000_000 + 10 * at) }));

function buildCall({ credential }: World, resultDelivery: ResultDelivery, from: string) {
	const call = waitingCall(credential, { from });
	return { ...call, parameters: { ...call.parameters, resultDelivery } };
}

async function measureList(world: World, resultDelivery: ResultDelivery): Promise<Outcome> {
	const call = buildCall(world, resultDelivery, '$json');
	return await measure(world, [splitPeople(), call], [{ people: buildPeople(MANY) }], MANY);
}

async function measureSingles(world: World, resultDelivery: ResultDelivery): Promise<Outcome> {
	const call = buildCall(world, resultDelivery, '$json.body');
	return await measure(world, [call], buildPeople(EXECUTIONS), EXECUTIONS);
}

async function measure(
	world: World,
	nodes: WorkflowNode[],
	bodies: object[],
	calls: number,
): Promise<Outcome> {
	const { simulator, credential } = world;
	const definition: WorkflowDefinition = chain('Waiting', hook(), ...nodes, nothing());
	const workflow = await Startable.activate(world, beside(definition, resultTrigger(credential)));
	simulator.reset();
	simulator.configure({ callResultDelayMs: RESULT_AFTER_MS, callResultPatienceMs: PATIENCE_MS });
	const listPlaced = () => simulator.accepted().map(({ at }) => Date.parse(at));
	const outcome = await watchOutcome(world, workflow, bodies, listPlaced);
	const placed = listPlaced().length;
	if (placed !== calls) throw new Error(`${placed} of ${calls} calls were placed`);
	return outcome;
}
