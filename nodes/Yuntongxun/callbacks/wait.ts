import type { CallEventName } from './callEvent';

/** When an execution resumes. */
export type ContinueWhen = 'allResults' | 'firstAnswered';

/** How a call waits for its result. */
export interface Wait {
	/** The kind of event that is its result. */
	event: CallEventName;
	continueWhen: ContinueWhen;
	/** How long to wait, in milliseconds, once the last call of the run was placed. */
	limit: number;
	/** Signed resume address, if results come through a relay, which ends the wait at its limit. */
	relayedTo?: string;
}

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_CALLS = 500;
