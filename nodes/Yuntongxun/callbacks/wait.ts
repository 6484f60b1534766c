import type { CallEventName } from './callEvent';

/** When an execution resumes. */
export type ContinueWhen = 'allResults' | 'firstAnswered';

/** A call whose result starts the trigger of its workflow. */
export interface TriggerWish {
	way: 'trigger';
	/** The kind of event that is its result. */
	event: CallEventName;
}

/** A call whose execution waits for its result. */
export interface WaitWish {
	way: 'wait';
	/** The kind of event that is its result. */
	event: CallEventName;
	continueWhen: ContinueWhen;
	/** How long to wait after the last call of the run was placed, in milliseconds. */
	maxWaitMs: number;
}

/** What a call wants to happen with its result, if that takes an address of this n8n. */
export type ResultWish = TriggerWish | WaitWish;

/** How a call waits for its result. */
export interface Wait extends WaitWish {
	/** Signed resume address, if results come through a relay, which then also ends the wait. */
	relayedTo?: string;
	/** What can keep the result from arriving, for the user. */
	doubts: readonly string[];
}

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_CALLS = 500;
