import type { CallEventName } from './callEvent';

/*
 * The shapes of a wait, in the order in which a call meets them
 *
 * | shape                    | what it says                                              | file                   |
 * | ------------------------ | --------------------------------------------------------- | ---------------------- |
 * | `ResultWish`, `WaitWish` | what the form of a call wants to happen with its result   | here                   |
 * | `AwaitedCall`            | how a call waits, once its route is found                 | here                   |
 * | `ParkedWait`             | what n8n stores with the parked execution                 | `waiting/completion`   |
 * | `WaitStatus`             | what is missing, as the waiting node tells the relay      | `waiting/completion`   |
 * | `Aggregate`              | the results of one wait, and how their delivery stands    | `waiting/aggregate`    |
 * | `InboxWait`              | what the inbox remembers of a wait that it stores         | `waiting/inbox`        |
 * | `SealedWait`             | address and results of a wait in static data, encrypted   | `waiting/inbox`        |
 * | `OpenedWait`             | the same, readable                                        | `waiting/sealedResults` |
 */

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_AWAITED_CALLS = 500;

/** When an execution resumes. */
export type ContinueWhen = 'allResults' | 'firstAnswered';

/** A call whose result starts the trigger of its workflow. */
export interface TriggerWish {
	kind: 'trigger';
	/** The kind of event that is its result. */
	event: CallEventName;
}

/** A call whose execution waits for its result. */
export interface WaitWish {
	kind: 'wait';
	/** The kind of event that is its result. */
	event: CallEventName;
	continueWhen: ContinueWhen;
	/** How long to wait after the last call of the run was placed, in milliseconds. */
	maxWaitMs: number;
}

/** What a call wants to happen with its result, if that takes an address of this n8n. */
export type ResultWish = TriggerWish | WaitWish;

/** How a call waits for its result. */
export interface AwaitedCall extends WaitWish {
	/** Signed resume address, if results come through a relay, which then also ends the wait. */
	relayedTo?: string;
	/** What can keep the result from arriving, for the user. */
	doubts: readonly string[];
}
