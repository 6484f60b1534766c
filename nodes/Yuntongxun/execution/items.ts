import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { beginInOrder } from './inOrder';
import { settledIn } from './settled';

/** An item that gave no result. */
export interface ItemFailure {
	/** What is thrown where the node stops at failures. */
	error: NodeApiError | NodeOperationError;
	/** What goes on to the next node where the node continues. */
	report: IDataObject;
	/** Whether another try could reach somebody a second time. */
	mayHaveHappened: boolean;
	/** What proves that a part of it happened nevertheless. */
	receipts: IDataObject[];
}

/**
 * What the work for an item came to. `begun: false` where it is certain that nothing was sent;
 * `notBegun` where the run had stopped before its turn.
 */
export type Result = { output: IDataObject[] } | { thrown: unknown; begun?: false } | 'notBegun';

/** Thrown in the place of work whose turn came after the run had stopped. */
export class NotBegun extends Error {}

/** What a job has to do with the run that it is a part of. */
export interface Turn {
	/** Whether something may still be begun: nobody has stopped the run, and no item has failed. */
	proceed(): boolean;
	/** Tells that an item has failed, before the job is through. */
	failed(): void;
}

/** Work for one item, or for several that share it. */
export interface Job {
	/** In input order. */
	items: number[];
	/** Gives a result for each of the items. Never rejects. */
	run(turn: Turn): Promise<Result[]>;
}

/** An item that passed its check, and what the check made of it. */
export interface Checked<T> {
	index: number;
	errand: T;
}

/** What the items are put through. */
export interface Work<T> {
	/** Checks an item before anything is sent for any of them; throws what is wrong with it. */
	check(index: number): T;
	/** The jobs for the items that passed, given in input order, and how many may run at once. */
	plan(checked: Array<Checked<T>>): { jobs: Job[]; width: number };
	/**
	 * Puts into words what was thrown.
	 *
	 * @param errand undefined where the check threw
	 * @param begun whether something can have been sent
	 */
	explain(thrown: unknown, index: number, errand: T | undefined, begun: boolean): ItemFailure;
	/** What proves that something happened for an item; nothing where nothing did. */
	receipt(output: IDataObject): IDataObject | undefined;
	/** What of such a proof n8n's log may hold: nothing that tells who was reached. */
	forLog(receipt: IDataObject): IDataObject;
	/** What the user should know though nothing is wrong. Asked for when the run is over. */
	hints(errands: T[]): string[];
}

type Outcome = { output: IDataObject[] } | { failure: ItemFailure };

/** What became of an item for good. */
interface Settlement<T> {
	errand: T;
	outcome: Outcome;
}

/**
 * Puts all items through the work: first every check, then the jobs, begun in input order.
 *
 * @returns the output of every item, in input order; failed ones as error items
 * @throws NodeApiError or NodeOperationError of the failed item of lowest index, unless the node
 * continues on failures. Its context lists what had happened by then, as `accepted`, and which
 * items had not been begun, as `notAttempted`.
 */
export async function runItems<T>(
	context: IExecuteFunctions,
	work: Work<T>,
): Promise<INodeExecutionData[]> {
	const continues = context.continueOnFail();
	const settled = settledIn<Settlement<T>>(context);
	const outcomes: Array<Outcome | undefined> = [];
	const errands = new Map<number, T>();
	const open: Array<Checked<T>> = [];

	for (const index of context.getInputData().keys()) {
		const earlier = settled.get(index);
		if (earlier !== undefined) {
			outcomes[index] = earlier.outcome;
			errands.set(index, earlier.errand);
			continue;
		}
		outcomes[index] = undefined;
		try {
			const errand = work.check(index);
			errands.set(index, errand);
			open.push({ index, errand });
		} catch (thrown) {
			outcomes[index] = { failure: work.explain(thrown, index, undefined, false) };
		}
	}

	const cancelled = context.getExecutionCancelSignal();
	let stopped = !continues && outcomes.some(isFailure);
	const turn: Turn = {
		proceed: () => !stopped && cancelled?.aborted !== true,
		failed: () => {
			stopped = !continues;
		},
	};
	const keep = (index: number, result: Result) => {
		if (result === 'notBegun') return;
		const errand = errands.get(index) as T;
		const outcome =
			'output' in result
				? result
				: { failure: work.explain(result.thrown, index, errand, result.begun ?? true) };
		outcomes[index] = outcome;
		if ('output' in outcome || outcome.failure.mayHaveHappened) {
			settled.set(index, { errand, outcome });
		}
		if ('failure' in outcome) turn.failed();
	};
	const { jobs, width } = work.plan(open);
	await beginInOrder(jobs, width, async ({ items, run }) => {
		if (!turn.proceed()) return;
		const results = await run(turn);
		items.forEach((index, position) => keep(index, results[position]));
	});

	giveHints(context, work.hints([...errands.values()]));
	if (cancelled?.aborted) logAccount(context, outcomes, work);
	if (!continues && outcomes.some(isFailure)) throw firstFailure(outcomes, work.receipt);
	return outcomes.flatMap((outcome, index) =>
		outputOf(outcome).map((json) => ({ json, pairedItem: { item: index } })),
	);
}

/** Of the tries of one run n8n shows the hints of the last one only, so each gives them all. */
function giveHints(context: IExecuteFunctions, hints: string[]): void {
	context.addExecutionHints(
		...[...new Set(hints)].map((message) => ({ message, location: 'outputPane' as const })),
	);
}

/** n8n drops the output of a node that the user stopped, so what had happened goes to its log. */
function logAccount(
	context: IExecuteFunctions,
	outcomes: ReadonlyArray<Outcome | undefined>,
	{ receipt, forLog }: Pick<Work<unknown>, 'receipt' | 'forLog'>,
): void {
	const accepted = accountOf(outcomes, receipt).map(({ itemIndex, ...proof }) => ({
		itemIndex,
		...forLog(proof),
	}));
	const unclear = outcomes.flatMap((outcome, index) =>
		isFailure(outcome) && outcome.failure.mayHaveHappened ? [index] : [],
	);
	if (accepted.length === 0 && unclear.length === 0) return;
	context.logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(accepted)}. Perhaps accepted, by item: ${JSON.stringify(unclear)}.`,
	);
}

const isFailure = (outcome: Outcome | undefined): outcome is { failure: ItemFailure } =>
	outcome !== undefined && 'failure' in outcome;

function outputOf(outcome: Outcome | undefined): IDataObject[] {
	if (outcome === undefined) return [];
	return 'output' in outcome ? outcome.output : [{ error: outcome.failure.report }];
}

function firstFailure(
	outcomes: ReadonlyArray<Outcome | undefined>,
	receipt: Work<unknown>['receipt'],
): NodeApiError | NodeOperationError {
	const { error } = outcomes.filter(isFailure)[0].failure;
	error.context.accepted = accountOf(outcomes, receipt);
	error.context.notAttempted = outcomes.flatMap((outcome, index) =>
		outcome === undefined ? [index] : [],
	);
	return error;
}

/** What had happened by the end of the run, item by item. */
function accountOf(
	outcomes: ReadonlyArray<Outcome | undefined>,
	receipt: Work<unknown>['receipt'],
): IDataObject[] {
	return outcomes.flatMap((outcome, itemIndex) =>
		receiptsOf(outcome, receipt).map((proof) => ({ itemIndex, ...proof })),
	);
}

function receiptsOf(
	outcome: Outcome | undefined,
	receipt: Work<unknown>['receipt'],
): IDataObject[] {
	if (outcome === undefined) return [];
	if ('failure' in outcome) return outcome.failure.receipts;
	return outcome.output.map(receipt).filter((proof) => proof !== undefined);
}
