import { joinMessage, translate } from '../language/translate';

/** Whether the service took what it was asked to do. */
export type Accepted = 'no' | 'unknown' | 'yes';

/** What is known of a request that did not succeed, in the language of the build. Holds no secrets. */
export interface FailureFacts {
	/** What happened: one clause, without a final period. */
	summary: string;
	/** What to do next, in sentences. */
	remedy: string;
	/** The service's own code and words; empty if it gave none. */
	statusCode: string;
	statusMsg: string;
	/** Left out for requests that only read. */
	accepted?: Accepted;
	/** Whether the service rejected it because of load, so that it can be sent again later. */
	overload?: boolean;
}

/** A request to the service that did not succeed. Specification section 7. */
export class ServiceFailure extends Error {
	override readonly name = 'ServiceFailure';

	constructor(readonly facts: FailureFacts) {
		super(joinMessage(summarize(facts), facts.remedy));
	}
}

/** What happened, with the code of the service, if it gave one. */
export function summarize({
	summary,
	statusCode,
}: Pick<FailureFacts, 'summary' | 'statusCode'>): string {
	return statusCode === ''
		? summary
		: translate('{summary} (code {statusCode})', { summary, statusCode });
}

/** The service's own words; empty if it gave none. */
export function quoteService({ statusMsg }: FailureFacts): string {
	return statusMsg === '' ? '' : translate('Yuntongxun says: {statusMsg}', { statusMsg });
}
