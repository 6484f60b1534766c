import type { IAllExecuteFunctions, Logger } from 'n8n-workflow';

import { withDeadline } from '../util/concurrency';

/** What it takes to post to n8n, and to write to its log: every context of n8n has it. */
export interface Sender {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequest'>;
	logger: Logger;
}

/** The result of a POST. */
export type PostResult =
	| { kind: 'answered'; status: number; body: string }
	/** With the error's code or name. */
	| { kind: 'failed'; reason: string };

/**
 * Posts to an address of this n8n, without a body. Never rejects.
 *
 * @param timeoutMs milliseconds from now to the last byte of the answer
 */
export async function postToOwnN8n(
	{ helpers }: Pick<Sender, 'helpers'>,
	url: string,
	timeoutMs: number,
): Promise<PostResult> {
	// n8n's own timeout covers only the start of an answer.
	const deadline = AbortSignal.timeout(timeoutMs);
	try {
		const request = helpers.httpRequest({
			url,
			method: 'POST',
			timeout: 2 * timeoutMs,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: unknown }>;
		const { statusCode: status, body } = await withDeadline(deadline, request);
		return { kind: 'answered', status, body: typeof body === 'string' ? body : '' };
	} catch (thrown) {
		return { kind: 'failed', reason: deadline.aborted ? 'no answer' : findErrorName(thrown) };
	}
}

/** The code of an error, such as `ECONNREFUSED`, or its name. */
function findErrorName(thrown: unknown): string {
	const { code, cause, name } = Object(thrown) as Record<string, unknown>;
	const { code: innerCode } = Object(cause) as Record<string, unknown>;
	const found = [code, innerCode, name].find((text) => typeof text === 'string' && text !== '');
	return typeof found === 'string' ? found : 'no answer';
}
