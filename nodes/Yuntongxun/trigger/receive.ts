import { hash } from 'crypto';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { findToken, openToken } from '../callbacks/callbackUrl';
import type { SealedToken } from '../callbacks/callbackUrl';
import { getOutcome, isAboutSms, isCallResult, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { readNotifications } from '../callbacks/readNotifications';
import {
	acknowledge,
	readRequest,
	reject,
	rejectQuietly,
	undoIfN8nFails,
} from '../callbacks/webhookExchange';
import { parseCredential, UnusableCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';
import { findDoors } from '../waiting/knock';
import { mailbox } from '../waiting/mailbox';
import { unpackResumeKey } from '../waiting/resumeKey';

interface TriggerOptions {
	outcomes?: string[];
}

/**
 * Answers a request to the trigger. Its address says what it is for: to start the workflow, or to resume an
 * execution that waits.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const { url, body } = await readRequest(context);
	// A node run by hand posts an empty request here, to see whether n8n has registered the trigger.
	const isEmpty = context.getRequestObject().rawBody?.length === 0;
	if (isEmpty) return rejectQuietly(context, 'notANotification');

	const receivedAt = Date.now();
	const notifications = readNotifications(body);
	if (!notifications) return reject(context, 'notANotification');

	const sealed = findToken(url);
	const isForWait = sealed?.purpose === 'wait';
	if (!isForWait && startsWithoutToken(context, notifications)) {
		return startWorkflow(context, notifications, receivedAt);
	}
	const reading = await openOwnToken(context, sealed, receivedAt);
	if (reading.state !== 'opened') {
		const [reason, why] = REFUSALS[reading.state];
		return reject(context, reason, why);
	}

	return isForWait
		? putIntoMailbox(context, reading.payload, notifications, receivedAt)
		: startWorkflow(context, notifications, receivedAt);
}

/** How a request whose token was not opened is rejected, and why, for n8n's log. */
const REFUSALS = {
	noToken: ['notOurs', ''],
	notOurs: [
		'notOurs',
		', since its token was not made by this account for this address, or has expired',
	],
	noCredential: ['notOurs', ', since the trigger has no usable credential'],
	unavailable: ['unavailable', ', since n8n could not read the credential'],
} as const;

/**
 * Whether notifications start the workflow without a token: where the trigger has no credential, and SMS, which come
 * to an address that is set in the service's console.
 */
function startsWithoutToken(
	context: IWebhookFunctions,
	notifications: readonly Notification[],
): boolean {
	return findCredentialId(context) === undefined || notifications.every(isAboutSms);
}

/** Keeps the result of a call for the execution that waits for it. */
function putIntoMailbox(
	context: IWebhookFunctions,
	payload: Buffer,
	notifications: readonly Notification[],
	receivedAt: number,
): IWebhookResponseData {
	const results = notifications
		.filter((notification) => !isAboutSms(notification))
		.map((callEvent) => ({ callEvent, at: receivedAt }));
	const key = unpackResumeKey(payload);
	return mailbox.put(context, findDoors(context), key, results)
		? acknowledge(context)
		: reject(context, 'unavailable', ', since too many results wait for their executions');
}

/**
 * Starts the workflow, once for all notifications of a request that the trigger listens for;
 * acknowledges any others.
 */
function startWorkflow(
	context: IWebhookFunctions,
	notifications: readonly Notification[],
	receivedAt: number,
): IWebhookResponseData {
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const events = context.getNodeParameter('events', []) as string[];
	const chosen = notifications
		.filter(({ event }) => events.includes(event))
		.filter((notification) => hasChosenOutcome(notification, options));
	// Test events may be sent again and again.
	const starting = context.getMode() === 'manual' ? chosen : reserveStart(context, chosen);
	if (starting.length === 0) return acknowledge(context);

	const items = starting.map((notification) => ({ json: toItemJson(notification, receivedAt) }));
	return { ...acknowledge(context), workflowData: [items] };
}

/** Outcomes apply to results of calls only. */
function hasChosenOutcome(notification: Notification, { outcomes = [] }: TriggerOptions): boolean {
	if (!isCallResult(notification)) return true;
	return outcomes.length === 0 || outcomes.includes(getOutcome(notification));
}

const MAX_SEEN = 20_000;
const MEMORY_MS = 24 * 60 * 60 * 1000;

/**
 * When each notification was seen, in milliseconds since 1970, by trigger and fingerprint. A restart forgets it, and so
 * do 20,000 later ones of all triggers: a copy then starts the workflow again.
 */
const seenAt = new BoundedMap<string, number>(MAX_SEEN);

/**
 * Reserves the start of the workflow for those notifications of which no copy has reserved it: a later copy cannot,
 * unless n8n fails to start it. Exact within one process: with no await in between, only one of several copies can
 * be new.
 */
function reserveStart(context: IWebhookFunctions, notifications: Notification[]): Notification[] {
	const now = Date.now();
	const reserved = new Map<string, Notification>();
	for (const notification of notifications) {
		const key = `${identifyNode(context)}/${toFingerprint(notification)}`;
		if (now - (seenAt.get(key) ?? -Infinity) >= MEMORY_MS) reserved.set(key, notification);
	}
	for (const key of reserved.keys()) seenAt.set(key, now);
	undoIfN8nFails(context, () => reserved.forEach((_, key) => seenAt.delete(key)));
	return [...reserved.values()];
}

/** All that was delivered, with its members in any order. */
function toFingerprint({ members }: Notification): string {
	const inOrder = Object.keys(members).sort();
	return hash('sha256', JSON.stringify(inOrder.map((name) => [name, members[name]])));
}

/**
 * How old a credential that was read may be, in milliseconds. In a webhook n8n 2 starts an expression
 * isolate for each reading, which costs as much as the request itself.
 */
const MAX_AGE_MS = 10_000;

interface CredentialRead {
	/** When it began, in milliseconds since 1970. */
	at: number;
	/** Rejects if the credential cannot be used. */
	credential: Promise<ApiCredential>;
}

/** By node and credential. */
const reads = new BoundedMap<string, CredentialRead>(100);

/** What came of a token, or why it was not opened. */
type TokenReading = { state: 'opened'; payload: Buffer } | { state: keyof typeof REFUSALS };

/**
 * Opens the token of an address with the account of the trigger. A changed token of the account is taken after ten
 * seconds at most, and the old one until then. While n8n cannot read the credential, such as without its database,
 * nobody can tell whose address it is.
 *
 * @param sealed undefined if the address has none
 * @param now milliseconds since 1970
 */
export async function openOwnToken(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	now: number,
): Promise<TokenReading> {
	if (!sealed) return { state: 'noToken' };
	const id = findCredentialId(context);
	if (id === undefined) return { state: 'noCredential' };
	try {
		const payload = openToken(sealed, await readCredential(context, id, now), now);
		return payload ? { state: 'opened', payload } : { state: 'notOurs' };
	} catch (thrown) {
		return { state: thrown instanceof UnusableCredential ? 'noCredential' : 'unavailable' };
	}
}

function findCredentialId(context: IWebhookFunctions): string | undefined {
	const chosen = context.getNode().credentials?.yuntongxunApi;
	return chosen && String(chosen.id);
}

async function readCredential(
	context: IWebhookFunctions,
	credentialId: string,
	now: number,
): Promise<ApiCredential> {
	const id = `${identifyNode(context)}/${credentialId}`;
	const known = reads.get(id);
	// Requests overtake each other, so the age can be slightly negative; if it is much below 0, a clock was set back.
	if (known && Math.abs(now - known.at) < MAX_AGE_MS) return await known.credential;

	const credential = context.getCredentials('yuntongxunApi').then(parseCredential);
	reads.set(id, { at: now, credential });
	// Requests at the same moment share a failure; the next one reads again.
	credential.catch(() => reads.delete(id));
	return await credential;
}
