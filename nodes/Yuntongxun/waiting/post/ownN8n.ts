import type { IAllExecuteFunctions, Logger } from 'n8n-workflow';

import { withDeadline } from '../../util/concurrency';

/** How long n8n may take to answer, in milliseconds: it may be busy. */
const N8N_TIMEOUT_MS = 20_000;

/** What it takes to post to n8n, and to write to its log: every context of n8n has it. */
export interface Sender {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequest'>;
	logger: Logger;
}

/** The result of a POST. */
export type PostResult =
	| { kind: 'answered'; statusCode: number; body: string }
	/** With the error's code or name. */
	| { kind: 'timedOut' | 'unreachable'; errorName: string };

/**
 * Posts to a public address of this n8n. Never rejects.
 *
 * @param timeoutMs milliseconds from now to the last byte of the answer
 */
export async function postToOwnN8n(
	{ helpers }: Pick<Sender, 'helpers'>,
	url: string,
	body: string,
	timeoutMs = N8N_TIMEOUT_MS,
): Promise<PostResult> {
	// n8n's own timeout covers only the start of an answer.
	const deadline = AbortSignal.timeout(timeoutMs);
	try {
		const request = helpers.httpRequest({
			url,
			method: 'POST',
			body,
			// n8n parses JSON and XML itself, and answers 422 if it cannot.
			headers: { 'Content-Type': 'text/plain; charset=utf-8' },
			timeout: 2 * timeoutMs,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: string }>;
		const answer = await withDeadline(deadline, request);
		return { kind: 'answered', statusCode: answer.statusCode, body: answer.body };
	} catch (thrown) {
		const kind = deadline.aborted ? 'timedOut' : 'unreachable';
		return { kind, errorName: findErrorName(thrown) };
	}
}

/** The code of an error, such as `ECONNREFUSED`, or its name. */
function findErrorName(thrown: unknown): string {
	const { code, cause, name } = Object(thrown) as Record<string, unknown>;
	const { code: innerCode } = Object(cause) as Record<string, unknown>;
	const found = [code, innerCode, name].find((text) => typeof text === 'string' && text !== '');
	return typeof found === 'string' ? found : 'no answer';
}
