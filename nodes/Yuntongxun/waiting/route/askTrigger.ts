import { sleep } from 'n8n-workflow';

import { postToOwnN8n } from '../../callbacks/ownN8n';
import type { PostResult, Sender } from '../../callbacks/ownN8n';
import { buildQuestion, parseAnswer } from '../../callbacks/triggerQuestion';
import type { AskedTrigger, Question, TriggerAnswer } from '../../callbacks/triggerQuestion';
import { REJECTIONS } from '../../callbacks/webhookExchange';
import { deriveKey } from '../../client/credential';
import type { ApiCredential } from '../../client/credential';
import { BoundedMap } from '../../util/boundedMap';
import { N8N_SAYS } from '../../util/n8nInternals';

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
	/** Something else answers at its address, or nothing can be reached there. */
	| { kind: 'failed'; failure: Failure }
	/** Nothing has answered in time. */
	| { kind: 'silent' };

/** What came in place of an answer: an HTTP status, or an error's code or name. */
export type Failure = { kind: 'status'; status: number } | { kind: 'error'; errorName: string };

/** How long a trigger may take to answer, in milliseconds: in a burst n8n is busy. */
const TIMEOUT_MS = 10_000;

/** How long after a failure a trigger is asked once more, in milliseconds: n8n may be restarting. */
const ASK_AGAIN_AFTER_MS = 500;

/** How long an answer is remembered, and silence, in milliseconds. */
const REMEMBERED_MS = 60_000;

/** Questions that this process has asked and that have no answer yet, by trigger and account. */
const pending = new Map<string, Promise<TriggerState>>();

/** What was answered, and how long that is good for, in milliseconds since 1970. */
const remembered = new BoundedMap<string, { state: TriggerState; until: number }>(1000);

/**
 * Asks a trigger what it takes. Concurrent executions share the question. Never rejects.
 *
 * @param suffices whether a state lets the calls go on; only such a one is taken from memory, so that
 * nobody who has mended a trigger has to wait
 */
export async function askTrigger(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
	suffices: (state: TriggerState) => boolean,
): Promise<TriggerState> {
	const fingerprint = deriveKey(account, 'fingerprint').toString('base64url');
	const id = JSON.stringify([trigger, fingerprint]);
	const known = remembered.get(id);
	if (known && Date.now() < known.until && suffices(known.state)) return known.state;

	const asking = pending.get(id) ?? askAndRemember(id, () => ask(sender, trigger, account));
	pending.set(id, asking);
	const state = await asking;
	// In a burst n8n is too busy to answer, and what goes directly then may get lost.
	return state.kind === 'silent' && known && suffices(known.state) ? known.state : state;
}

async function askAndRemember(id: string, doAsk: () => Promise<TriggerState>) {
	const state = await doAsk();
	const until = Date.now() + REMEMBERED_MS;
	const known = remembered.get(id);
	pending.delete(id);
	remembered.delete(id);
	switch (state.kind) {
		case 'answered':
			remembered.set(id, { state, until });
			break;
		case 'silent':
			remembered.set(id, { state: known?.state ?? state, until });
			break;
		case 'failed':
		case 'foreign':
		case 'notRegistered':
		case 'unreadable':
	}
	return state;
}

async function ask(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const first = await askOnce(sender, trigger, account);
	if (first.kind !== 'failed') return first;
	await sleep(ASK_AGAIN_AFTER_MS);
	return await askOnce(sender, trigger, account);
}

async function askOnce(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const question = buildQuestion(trigger, account);
	const result = await postToOwnN8n(sender, question.address, question.body, TIMEOUT_MS);
	return toState(result, question);
}

function toState(result: PostResult, question: Question): TriggerState {
	switch (result.kind) {
		case 'timedOut':
			return { kind: 'silent' };
		case 'unreachable':
			return { kind: 'failed', failure: { kind: 'error', errorName: result.errorName } };
		case 'answered':
			return readState(result.statusCode, result.body, question);
	}
}

function readState(status: number, body: string, question: Question): TriggerState {
	if (status === 404 && N8N_SAYS.notRegistered.test(body)) return { kind: 'notRegistered' };
	if (body === REJECTIONS.notOurs.text) return { kind: 'foreign' };
	if (body === REJECTIONS.unavailable.text) return { kind: 'unreadable' };
	const answer = status === 200 ? parseAnswer(body, question) : undefined;
	return answer
		? { kind: 'answered', answer }
		: { kind: 'failed', failure: { kind: 'status', status } };
}
