import type { IAllExecuteFunctions, Logger } from 'n8n-workflow';

import { withDeadline } from '../util/deadline';

/** How long n8n may take to start its answer, in milliseconds: it may be busy. */
const TIMEOUT_MS = 20_000;

/** What it takes to post to n8n, and to write to its log: every context of n8n has it. */
export interface Sender {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequest'>;
	logger: Logger;
}

/**
 * What n8n itself answers at the address of a webhook: words that are the same in 1.123 and 2.41,
 * unless noted.
 */
export const N8N_SAYS = {
	/**
	 * At an address that nothing listens at, or not with this method; also where n8n still has a webhook
	 * of a workflow that was deactivated on the command line, or deleted.
	 */
	notRegistered:
		/"message":\s*"(?:(?:The requested|This) webhook .*not registered|(?:Active|Published) version not found|Could not find workflow with id)/,
	// The next five: at the address of an execution that waits, or has waited.
	noExecution: /execution .*does not exist/,
	isFinished: /finished/,
	isRunning: /running already/,
	waitsElsewhere: /does not contain a waiting webhook/,
	noNode: /Could not find node to process webhook/,
	/** 2.x */
	invalidToken: /"error":\s*"Invalid token"/,
};

/** The result of a POST. */
export type PostResult =
	| { kind: 'answered'; statusCode: number; body: string }
	| { kind: 'timedOut' | 'unreachable'; errorName: string };

/** Posts to a public address of this n8n. Never rejects. */
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
			// n8n parses JSON and XML itself, and answers 422 if it cannot.
			headers: { 'Content-Type': 'text/plain; charset=utf-8' },
			timeout: timeoutMs,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: string }>;
		// n8n's own timeout covers only the start of an answer.
		const answer = await withDeadline(AbortSignal.timeout(2 * timeoutMs), request);
		return { kind: 'answered', statusCode: answer.statusCode, body: answer.body };
	} catch (thrown) {
		// The time decides: n8n's helper, our deadline and the system each throw an error of their own.
		const kind = Date.now() - begun < timeoutMs ? 'unreachable' : 'timedOut';
		return { kind, errorName: thrown instanceof Error ? thrown.name : 'no answer' };
	}
}
