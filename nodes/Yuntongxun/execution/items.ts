import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { earlierTries } from './earlierTries';
import { RunStopped } from './notBegun';
import { mapConcurrent } from '../util/mapConcurrent';

/** Why an item has no output. */
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

/** What became of an item. */
export type Outcome = Output | { failure: ItemFailure };

/** What goes on to the next node. */
interface Output {
	output: IDataObject[];
	/** Whether nothing was sent because it had been sent before. */
	duplicate?: boolean;
}

/** One input item on its way through the node. */
export interface Item<T> {
	readonly index: number;
	/** Undefined if the check refused the item. */
	task?: T;
	/** Undefined if the run stopped before anything was done for the item. */
	outcome?: Outcome;
}

/** An item that passed its check. */
export type CheckedItem<T> = Item<T> & { readonly task: T };

/** How a job takes part in its run. */
export interface Turn {
	/** Whether something may still be sent: no user stopped the run and no item failed. */
	proceed(): boolean;
	/** Tells the run that an item failed, before the job has ended. */
	failed(): void;
}

/** Work for one item, or for several that share it. */
export interface Job {
	/** Item indexes, in input order. */
	items: number[];
	/**
	 * Never rejects.
	 *
	 * @returns an outcome for each of the items; undefined if the run stopped before its turn
	 */
	run(turn: Turn): Promise<Array<Outcome | undefined>>;
}

/** What is done with the items. T is the task that the check makes of an item. */
export interface Work<T> {
	/** Checks an item before anything is sent for any item. @throws what is wrong with it */
	check(index: number): T;
	/**
	 * The jobs for checked items, given in input order, and how many may run at once.
	 *
	 * @throws NotBegun if the items cannot be done in one run, so that all of them fail
	 */
	plan(items: Array<CheckedItem<T>>): { jobs: Job[]; width: number };
	/**
	 * Turns what was thrown for an item into a failure.
	 *
	 * @param task undefined if the check threw, so that certainly nothing was sent
	 */
	explain(thrown: unknown, index: number, task?: T): ItemFailure;
	/** What proves that something happened for an item; undefined if nothing did. */
	receipt(output: IDataObject): IDataObject | undefined;
	/** The part of a receipt that n8n's log may hold: nothing that tells who was reached. */
	forLog(receipt: IDataObject): IDataObject;
	/** What the user should know though nothing is wrong. Called at the end of the run. */
	hints(tasks: T[]): string[];
}

/**
 * Checks all items, then runs the jobs, started in input order.
 *
 * @returns every input item with its task and outcome, in input order, those of earlier tries of
 * the same run included; {@link nodeItems} makes n8n's items of them
 * @throws NodeApiError or NodeOperationError of the failed item with the lowest index, unless the
 * node continues on failures. Its context lists what was accepted as `accepted`, and the items for
 * which nothing was tried as `notAttempted`.
 */
export async function runItems<T>(
	context: IExecuteFunctions,
	work: Work<T>,
): Promise<Array<Item<T>>> {
	const continues = context.continueOnFail();
	const done = earlierTries<Item<T>>(context);
	const items = [...context.getInputData().keys()].map(
		(index): Item<T> => done.get(index) ?? checked(index, work),
	);
	const open = items.filter(
		(item): item is CheckedItem<T> => item.task !== undefined && item.outcome === undefined,
	);

	const cancelled = context.getExecutionCancelSignal();
	let stopped = false;
	const turn: Turn = {
		proceed: () => !stopped && cancelled?.aborted !== true,
		failed: () => {
			stopped = !continues;
		},
	};
	const { jobs, width } = planned(open, work);
	if (items.some(hasFailed)) turn.failed();
	await mapConcurrent(jobs, width, async (job) => {
		if (!turn.proceed()) return;
		const outcomes = await job.run(turn);
		job.items.forEach((index, position) => {
			const item = items[index];
			item.outcome = outcomes[position];
			if (isFinal(item.outcome)) done.set(index, item);
			if (hasFailed(item)) turn.failed();
		});
	});

	giveHints(context, work.hints(items.flatMap(({ task }) => task ?? [])));
	if (cancelled?.aborted) logAccepted(context, items, work);
	const failed = items.find(hasFailed);
	if (!continues && failed) throw errorOf(failed, items, work.receipt);
	return items;
}

/**
 * What the node hands on: the output of every item, in input order and paired with its input; a
 * failed item becomes an error item.
 */
export function nodeItems(items: ReadonlyArray<Item<unknown>>): INodeExecutionData[] {
	return items.flatMap(({ index, outcome }) =>
		jsonOf(outcome).map((json) => ({ json, pairedItem: { item: index } })),
	);
}

/**
 * The outcome of work.
 *
 * @param explain turns what the work threw into a failure
 * @returns undefined if the run stopped before the work began
 */
export async function outcomeOf(
	work: Promise<IDataObject[]>,
	explain: (thrown: unknown) => ItemFailure,
): Promise<Outcome | undefined> {
	try {
		return { output: await work };
	} catch (thrown) {
		return thrown instanceof RunStopped ? undefined : { failure: explain(thrown) };
	}
}

function checked<T>(index: number, { check, explain }: Work<T>): Item<T> {
	try {
		return { index, task: check(index) };
	} catch (thrown) {
		return { index, outcome: { failure: explain(thrown, index) } };
	}
}

function planned<T>(
	items: Array<CheckedItem<T>>,
	{ plan, explain }: Work<T>,
): ReturnType<Work<T>['plan']> {
	try {
		return plan(items);
	} catch (thrown) {
		for (const item of items) item.outcome = { failure: explain(thrown, item.index, item.task) };
		return { jobs: [], width: 0 };
	}
}

/** Whether another try must not change the outcome. */
function isFinal(outcome: Outcome | undefined): boolean {
	if (outcome === undefined) return false;
	return 'output' in outcome || outcome.failure.mayHaveHappened;
}

/** n8n shows the hints of the last try only, so each try gives them all. */
function giveHints(context: IExecuteFunctions, hints: string[]): void {
	context.addExecutionHints(
		...[...new Set(hints)].map((message) => ({ message, location: 'outputPane' as const })),
	);
}

/** n8n drops the output of a node that the user stopped, so its log keeps what was accepted. */
function logAccepted(
	context: IExecuteFunctions,
	items: ReadonlyArray<Item<unknown>>,
	{ receipt, forLog }: Pick<Work<unknown>, 'receipt' | 'forLog'>,
): void {
	const accepted = acceptedIn(items, receipt).map(({ itemIndex, ...proof }) => ({
		itemIndex,
		...forLog(proof),
	}));
	const unclear = items
		.filter(hasFailed)
		.filter(({ outcome }) => outcome.failure.mayHaveHappened)
		.map(({ index }) => index);
	if (accepted.length === 0 && unclear.length === 0) return;
	context.logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(accepted)}. Perhaps accepted, by item: ${JSON.stringify(unclear)}.`,
	);
}

interface Failed {
	outcome: { failure: ItemFailure };
}

const hasFailed = <T>(item: Item<T>): item is Item<T> & Failed =>
	item.outcome !== undefined && 'failure' in item.outcome;

function jsonOf(outcome: Outcome | undefined): IDataObject[] {
	if (outcome === undefined) return [];
	return 'output' in outcome ? outcome.output : [{ error: outcome.failure.report }];
}

function errorOf(
	{ outcome }: Failed,
	items: ReadonlyArray<Item<unknown>>,
	receipt: Work<unknown>['receipt'],
): NodeApiError | NodeOperationError {
	const { error } = outcome.failure;
	error.context.accepted = acceptedIn(items, receipt);
	error.context.notAttempted = items
		.filter((item) => item.outcome === undefined)
		.map(({ index }) => index);
	return error;
}

/** The receipts of all items, each with the index of its item. */
function acceptedIn(
	items: ReadonlyArray<Item<unknown>>,
	receipt: Work<unknown>['receipt'],
): IDataObject[] {
	return items.flatMap(({ index, outcome }) =>
		receiptsOf(outcome, receipt).map((proof) => ({ itemIndex: index, ...proof })),
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
