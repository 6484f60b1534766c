import { joinSentences, translate } from '../language/translate';
import { classifyFailure } from './failureTable';
import type { Reply } from './failureTable';
import type { Endpoint } from './request';
import { ServiceFailure } from './serviceFailure';
import type { Accepted, FailureFacts } from './serviceFailure';

/** What to know before sending again. */
const CONSEQUENCE: Record<Accepted, string> = {
	no: '',
	unknown:
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
	yes: 'It was accepted, so do not send it again.',
};

const ONLY_READS = 'Nothing was changed, so it is safe to run it again.';

/** What is known beyond the table of failures. */
interface FailureDetails {
	/** In place of the table's. */
	summary?: string;
	/** Behind the table's remedy. */
	note?: string;
	statusMsg?: string;
}

/** Builds the failure of a request from what came back, with what to do about it. */
export function toServiceFailure(
	reply: Reply,
	{ hasSideEffects }: Endpoint,
	details: FailureDetails = {},
): ServiceFailure {
	const { accepted, retryable, ...row } = classifyFailure(reply);
	const { note = '' } = details;
	const summary = translate(details.summary ?? row.summary);
	const safeToRepeat = accepted === 'no' ? '' : ONLY_READS;
	const consequence = hasSideEffects ? CONSEQUENCE[accepted] : safeToRepeat;

	const facts: FailureFacts = {
		summary:
			reply.kind === 'unreadable'
				? translate('{summary} (HTTP {status})', { summary, status: reply.httpStatus })
				: summary,
		remedy: joinSentences(translate(row.remedy), note, translate(consequence)),
		statusCode: reply.kind === 'statusCode' ? reply.statusCode : '',
		statusMsg: details.statusMsg ?? '',
	};
	if (hasSideEffects) facts.accepted = accepted;
	if (retryable) facts.overload = true;
	return new ServiceFailure(facts);
}
