import { sleep } from 'n8n-workflow';

import { buildQuestion, parseAnswer } from '../../callbacks/triggerQuestion';
import type { AskedTrigger, Question, TriggerAnswer } from '../../callbacks/triggerQuestion';
import { REJECTIONS } from '../../callbacks/webhookExchange';
import { deriveKey } from '../../client/credential';
import type { ApiCredential } from '../../client/credential';
import { N8N_SAYS } from '../../util/n8nInternals';
import { postToOwnN8n } from '../post/ownN8n';
import type { Sender } from '../post/ownN8n';

/** What is known of a trigger. */
export type TriggerState =
	/** It has answered. */
	| { kind: 'answered'; answer: TriggerAnswer }
	/** n8n says that nothing is registered at its address. */
	| { kind: 'notRegistered' }
	/** A trigger without a credential, or with another account's, listens at its address. */
	| { kind: 'foreign' }
	/** It cannot read its credential. */
	| { kind: 'unreadable' }
	/** n8n itself blocks requests to its address. */
	| { kind: 'blocked' }
	/** Something else has answered there, with this HTTP status. */
	| { kind: 'replaced'; status: number }
	/** Its certificate is not accepted, or nothing can be reached; with an error's code or name. */
	| { kind: 'untrusted' | 'unreachable'; errorName: string }
	/** Nothing has answered in time. */
	| { kind: 'silent' };

/** How long a trigger may take to answer, in milliseconds: in a burst n8n is busy. */
const QUESTION_TIMEOUT_MS = 10_000;

/** How long after a failure a trigger is asked once more, in milliseconds: n8n may be restarting. */
const ASK_AGAIN_AFTER_MS = 500;

/** What a moment later may be over. */
const MAY_PASS: ReadonlyArray<TriggerState['kind']> = ['replaced', 'untrusted', 'unreachable'];

/** What n8n 2 calls its own refusal to send a request. */
const SSRF_ERROR = 'SsrfBlockedIpError';

/** Codes of Node.js for a certificate that it does not accept. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/** Questions that this process has asked and that have no answer yet, by trigger and account. */
const pending = new Map<string, Promise<TriggerState>>();

/** Asks a trigger what it takes. Concurrent executions share the question. Never rejects. */
export async function askTrigger(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const id = identifyQuestion(trigger, account);
	const asking = pending.get(id) ?? askTwice(sender, trigger, account);
	pending.set(id, asking);
	const state = await asking;
	pending.delete(id);
	return state;
}

/** Identifies a trigger and the account of a call, without a secret. */
export function identifyQuestion(trigger: AskedTrigger, account: ApiCredential): string {
	const fingerprint = deriveKey(account, 'fingerprint').toString('base64url');
	return JSON.stringify([trigger, fingerprint]);
}

async function askTwice(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const first = await askOnce(sender, trigger, account);
	if (!MAY_PASS.includes(first.kind)) return first;
	await sleep(ASK_AGAIN_AFTER_MS);
	return await askOnce(sender, trigger, account);
}

async function askOnce(
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
