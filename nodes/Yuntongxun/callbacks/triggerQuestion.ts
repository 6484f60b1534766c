import { createHmac, randomBytes } from 'crypto';

import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { equalsSecret } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { findRefusal } from './accountSignature';
import type { CallbackAddress } from './callbackUrl';
import { signUrl, withQuery } from './signedUrl';
import { answerJson, reject } from './webhookExchange';

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

/** A trigger to ask. */
export interface AskedTrigger {
	workflowId: string;
	nodeId: string;
	/** Its production URL. */
	url: string;
}

/** A question, to be posted. */
export interface Question {
	address: string;
	/** No notification, so it starts nothing at a trigger of another workflow. */
	body: string;
	/** The random text that the answer repeats. */
	nonce: string;
}

/** What a trigger says of itself. */
export interface TriggerAnswer {
	/** The events that it starts the workflow for. */
	events: string[];
	holdsAccount: boolean;
	requiresSignedUrl: boolean;
}

/** Builds a question to a trigger, good for five minutes. */
export function buildQuestion(trigger: AskedTrigger, account: ApiCredential): Question {
	const nonce = randomBytes(12).toString('base64url');
	const parameter = `${QUESTION}=${nonce}.${getProof(trigger, nonce)}`;
	const expiresAt = Date.now() + QUESTION_LIFETIME_MS;
	const address = signUrl(withQuery(trigger.url, parameter), account, expiresAt);
	return { address, body: QUESTION, nonce };
}

/**
 * Reads what a trigger answered. What it lacks counts as what a trigger that does not fit would say.
 *
 * @returns undefined if the text does not answer this question
 */
export function parseAnswer(text: string, { nonce }: Question): TriggerAnswer | undefined {
	try {
		const answer = Object(JSON.parse(text)) as IDataObject;
		if (answer[ANSWER] !== nonce) return undefined;
		return {
			events: Array.isArray(answer.events) ? answer.events.map(String) : [],
			holdsAccount: answer.holdsAccount === true,
			requiresSignedUrl: answer.requiresSignedUrl !== false,
		};
	} catch {
		return undefined;
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
	if (!equalsSecret(proof, getProof(own, nonce))) return undefined;

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

/** Proves that we know the workflow of a trigger. */
function getProof(
	{ workflowId, nodeId }: Pick<AskedTrigger, 'workflowId' | 'nodeId'>,
	nonce: string,
): string {
	const key = JSON.stringify(['question', workflowId, nodeId]);
	return createHmac('sha256', key).update(nonce).digest('base64url');
}
