import { createHmac, randomBytes, timingSafeEqual } from 'crypto';
import { sleep } from 'n8n-workflow';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { findRefusal } from '../callbacks/accountSignature';
import type { CallbackAddress } from '../callbacks/callbackUrl';
import { signUrl, withQuery } from '../callbacks/signedUrl';
import { answerJson, reject, REJECTIONS } from '../callbacks/webhookAnswers';
import { deriveKey } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { N8N_SAYS, postToOwnN8n } from './ownN8n';
import type { PostResult, Sender } from './ownN8n';

/*
 * How a node that makes calls asks the trigger of its workflow whether it takes their results
 *
 * The question is a POST to the production URL of the trigger, so that it takes the way that a
 * result will take. It proves two things, each in its own way:
 *
 * 1. That the node knows the workflow. `ytAsk` is a random text and an HMAC over it, whose key is
 *    the ids of the workflow and of the trigger's node. These are in no address, so whoever can make
 *    this proof can read the workflow, and with it everything that the answer says. To anybody else
 *    the trigger answers as to any text that is no notification, so it gives nothing away. A trigger
 *    of another workflow that has come by the same address, as after a copy, does that as well.
 * 2. Which account the node has: the address is signed as that of a result is. A trigger with
 *    another account cannot verify the signature, but because of the first proof it may say so.
 *
 * The answer repeats the random text, so that no proxy's page is taken for it.
 */

/** Query parameter with the question. */
const QUESTION = 'ytAsk';

/** Member of an answer that repeats the random text. */
const ANSWER = 'ytAnswer';

/** How long a question is good for, in milliseconds. */
const QUESTION_LIFETIME_MS = 5 * 60_000;

/** While a workflow is saved or published, n8n has no webhook for it for a moment, so ask again. */
const ASK_AGAIN_AFTER_MS = 500;

/**
 * How long an answer is remembered, in milliseconds. `notRegistered` and `foreign` are not remembered:
 * users activate the workflow or replace the trigger, and try again at once.
 */
const REMEMBERED_MS = 60_000;

/** A trigger to ask. */
export interface AskedTrigger {
	workflowId: string;
	nodeId: string;
	/** Its production URL. */
	url: string;
}

/** What is known of a trigger. */
export type TriggerState =
	/** It has answered. */
	| { kind: 'ready'; events: string[]; holdsAccount: boolean; requiresSignedUrl: boolean }
	/** n8n says that nothing is registered at its address. */
	| { kind: 'notRegistered' }
	/** A trigger of another workflow listens at its address. */
	| { kind: 'foreign' }
	/** Neither n8n nor a trigger has answered. */
	| { kind: 'unanswered' };

/** What this process has asked, by address and account, and how long the answer is good for. */
const asked = new BoundedMap<string, { state: Promise<TriggerState>; until: number }>(1000);

/**
 * Asks a trigger, unless it was asked less than a minute ago. Concurrent executions share the
 * question. Never rejects.
 */
export async function askTrigger(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const fingerprint = deriveKey(account, 'fingerprint').toString('base64url');
	const id = JSON.stringify([trigger, fingerprint]);
	const known = asked.get(id);
	if (known && Date.now() < known.until) return await known.state;

	const entry = { state: ask(sender, trigger, account), until: Infinity };
	asked.set(id, entry);
	const { kind } = await entry.state;
	const isRemembered = kind !== 'notRegistered' && kind !== 'foreign';
	entry.until = isRemembered ? Date.now() + REMEMBERED_MS : 0;
	return await entry.state;
}

async function ask(
	sender: Sender,
	trigger: AskedTrigger,
	account: ApiCredential,
): Promise<TriggerState> {
	const first = await askOnce(sender, trigger, account);
	if (first.kind !== 'notRegistered') return first;
	await sleep(ASK_AGAIN_AFTER_MS);
	return await askOnce(sender, trigger, account);
}

async function askOnce(
	sender: Sender,
	trigger: AskedTrigger,
	{ authToken }: ApiCredential,
): Promise<TriggerState> {
	const nonce = randomBytes(12).toString('base64url');
	const parameter = `${QUESTION}=${nonce}.${getProof(trigger, nonce)}`;
	const expiresAt = Date.now() + QUESTION_LIFETIME_MS;
	const address = signUrl(withQuery(trigger.url, parameter), authToken, expiresAt);
	// A trigger of another workflow may get this: no notification, so that it starts nothing.
	return readAnswer(await postToOwnN8n(sender, address, QUESTION), nonce);
}

/** Proves that we know the workflow of a trigger. */
function getProof(
	{ workflowId, nodeId }: Pick<AskedTrigger, 'workflowId' | 'nodeId'>,
	nonce: string,
): string {
	const key = JSON.stringify(['question', workflowId, nodeId]);
	return createHmac('sha256', key).update(nonce).digest('base64url');
}

/** How a trigger answers what it does not recognize as a question. */
const UNKNOWN_TO_TRIGGER: readonly string[] = [
	REJECTIONS.notANotification.text,
	REJECTIONS.notSigned.text,
];

function readAnswer(result: PostResult, nonce: string): TriggerState {
	if (result.kind !== 'answered') return { kind: 'unanswered' };
	const { statusCode, body } = result;
	if (statusCode === 404 && N8N_SAYS.notRegistered.test(body)) return { kind: 'notRegistered' };
	if (UNKNOWN_TO_TRIGGER.includes(body)) return { kind: 'foreign' };
	return statusCode === 200 ? parseAnswer(body, nonce) : { kind: 'unanswered' };
}

/** What an answer lacks counts as what a trigger that does not fit would say. */
function parseAnswer(body: string, nonce: string): TriggerState {
	try {
		const answer = Object(JSON.parse(body)) as IDataObject;
		if (answer[ANSWER] !== nonce) return { kind: 'unanswered' };
		return {
			kind: 'ready',
			events: Array.isArray(answer.events) ? answer.events.map(String) : [],
			holdsAccount: answer.holdsAccount === true,
			requiresSignedUrl: answer.requiresSignedUrl !== false,
		};
	} catch {
		return { kind: 'unanswered' };
	}
}

/**
 * Answers a question to a trigger, which starts nothing.
 *
 * @param now milliseconds since 1970
 * @returns undefined if the request is not a question of this workflow
 */
export async function answerQuestion(
	context: IWebhookFunctions,
	address: CallbackAddress,
	now: number,
): Promise<IWebhookResponseData | undefined> {
	const parameter = address.query.get(QUESTION);
	if (parameter === null) return undefined;
	const [nonce, proof = ''] = parameter.split('.');
	const own = { workflowId: String(context.getWorkflow().id), nodeId: context.getNode().id };
	if (!isEqual(proof, getProof(own, nonce))) return undefined;

	const refusal = await findRefusal(context, address, now);
	// It may hold the account, so it must not say that it does not.
	if (refusal === 'unavailable') return reject(context, refusal);

	const options = context.getNodeParameter('options', {}) as IDataObject;
	return answerJson(context, {
		[ANSWER]: nonce,
		events: context.getNodeParameter('events', []) as string[],
		holdsAccount: refusal === undefined,
		requiresSignedUrl: options.requireSignedUrl === true,
	});
}

function isEqual(given: string, made: string): boolean {
	const [one, other] = [Buffer.from(given), Buffer.from(made)];
	return one.length === other.length && timingSafeEqual(one, other);
}
