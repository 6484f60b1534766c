import { randomBytes } from 'crypto';

import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { SigningAccount } from '../client/credential';
import { parseJson } from '../util/text';
import { addToken } from './sealedToken';
import { answerJson } from './webhookExchange';

/*
 * How a node that makes calls asks the trigger of its workflow whether it takes their results
 *
 * The question is a POST to the production URL of the trigger, so that it takes the way that a result
 * will take. It is sealed as the address of a result is, so only a trigger with the same account can
 * read it, and answers with the random text in it: no proxy's page is taken for that. A trigger that
 * cannot open it refuses it as any address of another account.
 */

/** Member of an answer that repeats the random text. */
const ANSWER = 'ytAnswer';

/** How long a question is good for, in milliseconds. */
const QUESTION_LIFETIME_MS = 5 * 60_000;

/** A trigger to ask. */
export interface AskedTrigger {
	workflowId: string;
	nodeId: string;
	/** Its name on the canvas. */
	name: string;
	/** Its production URL. */
	url: string;
}

/** A question, to be posted. */
export interface Question {
	address: string;
	/** No notification, so it starts nothing anywhere. */
	body: string;
	/** The random text that the answer repeats. */
	nonce: string;
}

/** What a trigger with the same account says of itself. */
export interface TriggerAnswer {
	/** The events that it starts the workflow for. */
	events: string[];
	/** Whether it is the one that was asked: a copy of a workflow can have come by the same address. */
	isAsked: boolean;
}

/** Builds a question to a trigger, good for five minutes. */
export function buildQuestion(
	{ workflowId, nodeId, url }: AskedTrigger,
	account: SigningAccount,
): Question {
	const nonce = randomBytes(12).toString('base64url');
	const payload = Buffer.from(JSON.stringify([workflowId, nodeId, nonce]));
	const expiresAt = Date.now() + QUESTION_LIFETIME_MS;
	return { address: addToken(url, 'ask', payload, expiresAt, account), body: 'yt', nonce };
}

/** Reads what a trigger answered; undefined if the text does not answer this question. */
export function parseAnswer(text: string, { nonce }: Question): TriggerAnswer | undefined {
	const answer = Object(parseJson(text)) as IDataObject;
	if (answer[ANSWER] !== nonce) return undefined;
	return {
		events: Array.isArray(answer.events) ? answer.events.map(String) : [],
		isAsked: answer.isAsked === true,
	};
}

/** Answers a question, which starts nothing. @param payload of its token */
export function answerQuestion(context: IWebhookFunctions, payload: Buffer): IWebhookResponseData {
	const [workflowId, nodeId, nonce] = JSON.parse(payload.toString('utf8')) as string[];
	const isAsked =
		workflowId === String(context.getWorkflow().id) && nodeId === context.getNode().id;
	return answerJson(context, {
		[ANSWER]: nonce,
		events: context.getNodeParameter('events', []) as string[],
		isAsked,
	});
}
