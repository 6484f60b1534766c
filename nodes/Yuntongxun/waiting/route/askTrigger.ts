import { buildQuestion, parseAnswer } from '../../callbacks/triggerQuestion';
import type { AskedTrigger, Question, TriggerAnswer } from '../../callbacks/triggerQuestion';
import { REJECTIONS } from '../../callbacks/webhookExchange';
import type { ApiCredential } from '../../client/credential';
import { N8N_SAYS } from '../../util/n8nInternals';
import { postToOwnN8n } from '../post/ownN8n';
import type { Sender } from '../post/ownN8n';

/** Why a trigger has not answered: the names of what is in the way of a result. */
export type Unanswered =
	| 'notRegistered'
	| 'foreign'
	| 'unreadable'
	| 'blocked'
	| 'replaced'
	| 'untrusted'
	| 'unreachable'
	| 'silent';

/** What came of a question; without an answer perhaps an HTTP status, or an error's code or name. */
export type TriggerState =
	| { kind: 'answered'; answer: TriggerAnswer }
	| { kind: Unanswered; status?: number; errorName?: string };

/** How long a trigger may take to answer, in milliseconds: in a burst n8n is busy. */
const QUESTION_TIMEOUT_MS = 10_000;

/** What n8n 2 calls its own refusal to send a request. */
const SSRF_ERROR = 'SsrfBlockedIpError';

/** Codes of Node.js for a certificate that it does not accept. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/** Asks a trigger what it takes. Never rejects. */
export async function askTrigger(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const question = buildQuestion(trigger, account);
	const result = await postToOwnN8n(sender, question.address, question.body, QUESTION_TIMEOUT_MS);
	switch (result.kind) {
		case 'timedOut':
			return { kind: 'silent' };
		case 'unreachable':
			return toUnreachable(result.errorName);
		case 'answered':
			return readState(result.statusCode, result.body, question);
	}
}

function toUnreachable(errorName: string): TriggerState {
	if (errorName === SSRF_ERROR) return { kind: 'blocked' };
	return { kind: CERTIFICATE.test(errorName) ? 'untrusted' : 'unreachable', errorName };
}

function readState(status: number, body: string, question: Question): TriggerState {
	if (status === 404 && N8N_SAYS.notRegistered.test(body)) return { kind: 'notRegistered' };
	if (body === REJECTIONS.notOurs.text) return { kind: 'foreign' };
	if (body === REJECTIONS.unavailable.text) return { kind: 'unreadable' };
	const answer = status === 200 ? parseAnswer(body, question) : undefined;
	return answer ? { kind: 'answered', answer } : { kind: 'replaced', status };
}
