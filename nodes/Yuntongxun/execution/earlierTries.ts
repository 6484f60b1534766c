import type { IExecuteFunctions } from 'n8n-workflow';

const runs = new WeakMap<object, Map<number, unknown>>();

/**
 * What earlier tries of this run of the node have done, by item index. n8n's Retry On Fail runs a
 * node again with all its items, in the same process, and nobody may be reached twice by that.
 *
 * @returns a map that the tries of one run share
 */
export function earlierTries<T>(context: IExecuteFunctions): Map<number, T> {
	const run = identityOf(context);
	const done = (runs.get(run) ?? new Map()) as Map<number, T>;
	runs.set(run, done);
	return done;
}

/** An object that stays the same over the tries of one run and is another one in the next run. */
function identityOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	// A tool of an AI agent gets the record of the agent's run, which outlives many calls of the
	// tool. Its arguments are new with each call and stay the same over the tries of that call.
	return executeData.node.name === context.getNode().name
		? executeData
		: context.getInputData()[0].json;
}
