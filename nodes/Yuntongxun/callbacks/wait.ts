import type { CallEventName } from './callEvent';

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_AWAITED_CALLS = 500;

/** A call whose execution waits for its result. */
export interface WaitTarget {
	kind: 'wait';
	/** The kind of event that is its result. */
	event: CallEventName;
	/** How long to wait after the last call of the run was placed, in milliseconds. */
	maxWaitMs: number;
}

/** What a call wants of its result, if that takes an address of this n8n: to start the trigger, or to wait. */
export type ResultTarget = { kind: 'trigger'; event: CallEventName } | WaitTarget;

/** How a call waits for its result. */
export interface AwaitedCall extends WaitTarget {
	/** What can keep the result from arriving, for the user. */
	hints: readonly string[];
}
