import type { CallEventName } from '../callbacks/notification';

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_AWAITED_CALLS = 500;

/** What a call wants of its result, if that takes an address of this n8n: to start the trigger, or to wait. */
export type ResultTarget =
	| { kind: 'trigger'; event: CallEventName }
	/** With how long to wait after the last call of the run was placed, in milliseconds. */
	| { kind: 'wait'; event: CallEventName; maxWaitMs: number };

/** How the result of a call gets to the execution. */
export interface FoundRoute {
	/** Builds the address for the service. Its life counts from now, so build it when the call is placed. */
	buildUrl(): string;
	/** How long the call waits, as in its target; undefined if it does not wait. */
	maxWaitMs?: number;
	/** What can keep the result from arriving, for the user. */
	hints: readonly string[];
}
