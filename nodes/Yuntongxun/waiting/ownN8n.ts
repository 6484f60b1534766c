import type { IAllExecuteFunctions } from 'n8n-workflow';

import { withDeadline } from '../util/deadline';

/** How long n8n may take to begin its answer, in milliseconds: it may be busy with many executions. */
const TIMEOUT_MS = 20_000;

/** What is needed to post to n8n, and to tell its log of it. */
export type Sender = Pick<IAllExecuteFunctions, 'helpers' | 'logger'>;

/** What came of a POST. */
export type PostResult =
	| { kind: 'answered'; statusCode: number; body: string }
	| { kind: 'timedOut' | 'unreachable'; errorName: string };

/** Posts to an address of this n8n, as the world sees it. Never rejects. */
export async function postToOwnN8n(
	{ helpers }: Pick<Sender, 'helpers'>,
	url: string,
	body: string,
	timeoutMs = TIMEOUT_MS,
): Promise<PostResult> {
	const begun = Date.now();
	try {
		const request = helpers.httpRequest({
			url,
			method: 'POST',
			body,
			// n8n would parse JSON and XML by itself, and answer 422 where it cannot.
			headers: { 'Content-Type': 'text/plain; charset=utf-8' },
			timeout: timeoutMs,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: string }>;
		// n8n's own time-out covers the beginning of an answer only.
		const answer = await withDeadline(AbortSignal.timeout(2 * timeoutMs), request);
		return { kind: 'answered', statusCode: answer.statusCode, body: answer.body };
	} catch (thrown) {
		const kind = Date.now() - begun < timeoutMs ? 'unreachable' : 'timedOut';
		return { kind, errorName: thrown instanceof Error ? thrown.name : 'no answer' };
	}
}
