import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { settledIn } from './settled';

/** An item that gave no result. */
export interface ItemFailure {
	/** What is thrown where the node stops at failures. */
	error: NodeApiError | NodeOperationError;
	/** What goes on to the next node where the node continues. */
	report: IDataObject;
	/** Whether another try could reach somebody a second time. */
	mayHaveHappened: boolean;
}

/** What is to be done for an item that passed its checks. */
export interface Job {
	/** What the user should know though nothing is wrong. */
	hints: string[];
	/** Does the work and gives the item's output. */
	run(): Promise<IDataObject[]>;
}

/** What the items are put through. */
export interface Work {
	/** Checks an item before anything is sent for any of them. */
	prepare(index: number): Job;
	/** Puts into words what was thrown: by the check, or by the work itself (`sent`). */
	explain(thrown: unknown, index: number, sent: boolean): ItemFailure;
	/** What proves that something happened for an item; nothing where nothing did. */
	receipt(output: IDataObject): IDataObject | undefined;
}

type Outcome = { output: IDataObject[]; hints: string[] } | { failure: ItemFailure };

/**
 * Puts all items through the work: first every check, then the work, in input order.
 *
 * @returns the output of every item, in input order; failed ones as error items
 * @throws NodeApiError or NodeOperationError of the failed item of lowest index, unless the node
 * continues on failures. Its context lists what had happened by then, as `accepted`, and which
 * items had not been begun, as `notAttempted`.
 */
export async function runItems(
	context: IExecuteFunctions,
	{ prepare, explain, receipt }: Work,
): Promise<INodeExecutionData[]> {
	const continues = context.continueOnFail();
	const count = context.getInputData().length;
	const settled = settledIn<Outcome>(context);
	const outcomes = new Map<number, Outcome>(settled);
	const jobs = new Map<number, Job>();

	for (let index = 0; index < count; index++) {
		if (outcomes.has(index)) continue;
		try {
			jobs.set(index, prepare(index));
		} catch (thrown) {
			outcomes.set(index, { failure: explain(thrown, index, false) });
		}
	}
	let mustStop = !continues && [...outcomes.values()].some((each) => 'failure' in each);
	for (const [index, job] of jobs) {
		if (mustStop) break;
		const outcome = await outcomeOf(job, (thrown) => explain(thrown, index, true));
		outcomes.set(index, outcome);
		if ('output' in outcome || outcome.failure.mayHaveHappened) settled.set(index, outcome);
		mustStop = !continues && 'failure' in outcome;
	}
	giveHints(context, jobs, outcomes);
	if (mustStop) throw firstFailure(outcomes, count, receipt);
	return [...outcomes]
		.sort(([a], [b]) => a - b)
		.flatMap(([index, outcome]) =>
			('output' in outcome ? outcome.output : [{ error: outcome.failure.report }]).map((json) => ({
				json,
				pairedItem: { item: index },
			})),
		);
}

/** Of the tries of one run n8n shows the hints of the last one only, so each gives them all. */
function giveHints(
	context: IExecuteFunctions,
	jobs: Map<number, Job>,
	outcomes: Map<number, Outcome>,
): void {
	const hints = [...jobs.values(), ...outcomes.values()].flatMap((each) =>
		'hints' in each ? each.hints : [],
	);
	context.addExecutionHints(
		...[...new Set(hints)].map((message) => ({ message, location: 'outputPane' as const })),
	);
}

async function outcomeOf(
	{ run, hints }: Job,
	explain: (thrown: unknown) => ItemFailure,
): Promise<Outcome> {
	try {
		return { output: await run(), hints };
	} catch (thrown) {
		return { failure: explain(thrown) };
	}
}

function firstFailure(
	outcomes: Map<number, Outcome>,
	count: number,
	receipt: Work['receipt'],
): NodeApiError | NodeOperationError {
	const inOrder = [...outcomes].sort(([a], [b]) => a - b);
	const failures = inOrder.flatMap(([, outcome]) =>
		'failure' in outcome ? [outcome.failure] : [],
	);
	const { error } = failures[0];
	error.context.accepted = inOrder.flatMap(([itemIndex, outcome]) =>
		('output' in outcome ? outcome.output : [])
			.map(receipt)
			.filter((proof) => proof !== undefined)
			.map((proof) => ({ itemIndex, ...proof })),
	);
	error.context.notAttempted = [...Array(count).keys()].filter((index) => !outcomes.has(index));
	return error;
}
