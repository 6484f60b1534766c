import type { IExecuteFunctions } from 'n8n-workflow';

/** What became, for good, of each item of one run of a node: asking again gives the same. */
export type Settled<T> = Map<number, T>;

const runs = new WeakMap<object, Settled<unknown>>();

/**
 * What this run of the node has settled so far. n8n's Retry On Fail runs a node again with all its
 * items, in the same process, and nobody must be reached twice by that.
 */
export function settledIn<T>(context: IExecuteFunctions): Settled<T> {
	const run = identityOf(context);
	const settled = (runs.get(run) ?? new Map()) as Settled<T>;
	runs.set(run, settled);
	return settled;
}

/** An object that stays the same over the tries of one run, and is another one in the next run. */
function identityOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	// A tool of an AI agent gets the record of the agent's run, which outlives many calls of the
	// tool; what is new with each call, and kept over its tries, are the arguments.
	return executeData.node.name === context.getNode().name
		? executeData
		: context.getInputData()[0].json;
}
