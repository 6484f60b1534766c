import type { Setup } from '../../../test/harness/setup';
import { until } from '../../../test/harness/until';
import {
	chain,
	hook,
	node,
	resultTrigger,
	splitPeople,
	Startable,
	waitingCall,
} from '../../../test/harness/workflows';
import { measurePeak } from '../memory';
import { duration, ratio, type Section } from '../report';

const CALLS = 500;
const EXECUTIONS = 200;
/** From the acceptance of a call to its result. */
const RESULT_AFTER_MS = 1500;
const LIMIT_MS = 5 * 60_000;

type ResultDelivery = 'none' | 'wait';

interface Figure {
	ms: number;
	/** What n8n took at most; undefined where that is not known. */
	megabytes?: number;
}

/** Waiting for many results in one execution, and in many executions at once, beside not waiting. */
export async function waitingSection(setup: Setup): Promise<Section> {
	const figures: Array<Record<ResultDelivery, Figure>> = [];
	for (const isList of [true, false]) {
		const none = await measure(setup, isList, 'none');
		figures.push({ none, wait: await measure(setup, isList, 'wait') });
	}
	const [list, singles] = figures;
	const row = (what: string, { none, wait }: Record<ResultDelivery, Figure>) => [
		what,
		duration(none.ms),
		duration(wait.ms),
		ratio(wait.ms, none.ms + RESULT_AFTER_MS),
		`${none.megabytes ?? '?'} MB`,
		`${wait.megabytes ?? '?'} MB`,
	];
	return {
		title: 'Waiting for results',
		method: `Results ${RESULT_AFTER_MS} ms after acceptance, through the trigger of the workflow. The ideal is the time without waiting, plus the time of a result.`,
		head: ['What', 'Do Nothing', 'Wait for Result', 'beside the ideal', 'n8n at most', 'waiting'],
		rows: [
			row(`${CALLS} calls of one execution`, list),
			row(`${EXECUTIONS} executions with one call each`, singles),
		],
	};
}

/** People whose calls have a result by themselves. */
const buildPeople = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ to: String(13_800_000_000 + 10 * at) }));

/** The time until all executions have succeeded, and what n8n took of memory meanwhile. */
async function measure(
	setup: Setup,
	isList: boolean,
	resultDelivery: ResultDelivery,
): Promise<Figure> {
	const { n8n, simulator, credential } = setup;
	const call = waitingCall(credential, isList ? '$json' : '$json.body');
	const nodes = [
		...(isList ? [splitPeople()] : []),
		{ ...call, parameters: { ...call.parameters, resultDelivery } },
		node('Nothing', 'n8n-nodes-base.noOp'),
	];
	const definition = chain('Waiting', hook(), ...nodes, resultTrigger(credential));
	const startable = await Startable.activate(setup, definition);
	simulator.reset();
	simulator.configure({ callResultDelayMs: RESULT_AFTER_MS });
	const bodies = isList ? [{ people: buildPeople(CALLS) }] : buildPeople(EXECUTIONS);
	const { result: ms, megabytes } = await measurePeak(n8n, async () => {
		const began = Date.now();
		await Promise.all(bodies.map(async (body) => await startable.start({ ...body })));
		await until(
			'all executions to succeed',
			async () =>
				(await n8n.rest.countExecutions(startable.workflow, 'success')) >= bodies.length ||
				undefined,
			{ timeoutMs: LIMIT_MS, everyMs: 100 },
		);
		return Date.now() - began;
	});
	return { ms, megabytes };
}
