import { ACTIONS, toCallEvent } from '../../callbacks/callEvent';
import type { CallEventName } from '../../callbacks/callEvent';
import type { Rehearsal } from '../../operation/rehearsal';
import { REHEARSED_SECONDS } from '../acceptedAnswer';
import type { RehearsedOutcome } from './deliveryFields';

/** How the service reports a rehearsed call. Specification section 6. */
const REPORTS: Record<RehearsedOutcome, { state: string; duration: string } | undefined> = {
	completed: { state: '0', duration: REHEARSED_SECONDS },
	noAnswer: { state: '1', duration: '0' },
	failed: { state: '2', duration: '0' },
	timeout: undefined,
};

/** Makes the function that makes up the result of a call that ends as chosen. */
export function buildRehearsedResult(
	event: CallEventName,
	outcome: RehearsedOutcome,
): Rehearsal['resultFor'] {
	const report = REPORTS[outcome];
	return ({ callSid, to }, { userData }) =>
		report && {
			callEvent: toCallEvent({
				action: ACTIONS[event],
				callSid: String(callSid),
				number: String(to),
				...report,
				...(typeof userData === 'string' && { userData }),
			}),
			at: Date.now(),
		};
}
