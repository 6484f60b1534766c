/** Whether the service took what it was asked to do. `partly`: some of several requests. */
export type Accepted = 'no' | 'unknown' | 'yes' | 'partly';

/** What is known of a request that did not succeed. Holds no secrets. */
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
		const code = facts.statusCode === '' ? '' : ` (code ${facts.statusCode})`;
		super([`${facts.summary}${code}`, facts.remedy].filter(Boolean).join('. '));
	}
}
