import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

/** What n8n says to a delivery to an address that resumes an execution. */
export interface ResumeAnswer {
	/** HTTP status. */
	statusCode: number;
	/** Whether the execution has ended, so that nothing can resume it any more. */
	hasFinished: boolean;
}

/**
 * Delivers once to an address that resumes an execution, and reads what comes back whatever its
 * status. Redirects are not followed.
 *
 * @throws Error where nothing answers within the time-out
 */
export async function deliverToResume(
	{ helpers }: Pick<IAllExecuteFunctions, 'helpers'>,
	delivery: Pick<IHttpRequestOptions, 'url' | 'body' | 'headers' | 'timeout'>,
): Promise<ResumeAnswer> {
	const { statusCode, body } = (await helpers.httpRequest({
		...delivery,
		method: 'POST',
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	})) as { statusCode: number; body: unknown };
	return { statusCode, hasFinished: /finished/.test(String(body)) };
}
