import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { parseCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';

type WebhookContext = IWebhookFunctions | IHookFunctions;

/**
 * How long a credential that was read is good for, in milliseconds. In a webhook n8n 2 starts an
 * expression isolate for each reading, which costs as much as the request itself.
 */
const REMEMBERED_MS = 10_000;

/**
 * How soon it may be read again where a signature does not fit, in milliseconds: forged requests
 * cost little then, and a changed token is seen soon.
 */
const MIN_REREAD_MS = 1000;

/** How long a failure to read it is remembered, in milliseconds. */
const FAILURE_REMEMBERED_MS = 1000;

/** One reading of a credential. */
interface Reading {
	/** When it began, in milliseconds since 1970. */
	at: number;
	/** Rejects if the credential cannot be used. */
	credential: Promise<ApiCredential>;
	hasFailed: boolean;
}

/** By node and credential. */
const readings = new BoundedMap<string, Reading>(100);

/**
 * The credential of a webhook's node, which may have been read up to ten seconds ago.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function readWebhookCredential(
	context: WebhookContext,
	now: number,
): Promise<ApiCredential> {
	return await readNoOlderThan(context, now, REMEMBERED_MS);
}

/**
 * The credential of a webhook's node, a second old at most, as somebody may have changed it.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function rereadWebhookCredential(
	context: WebhookContext,
	now: number,
): Promise<ApiCredential> {
	return await readNoOlderThan(context, now, MIN_REREAD_MS);
}

async function readNoOlderThan(
	context: WebhookContext,
	now: number,
	maxAgeMs: number,
): Promise<ApiCredential> {
	const id = `${identifyNode(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = readings.get(id);
	if (known && isWithin(known, now, known.hasFailed ? FAILURE_REMEMBERED_MS : maxAgeMs)) {
		return await known.credential;
	}

	const reading: Reading = { at: now, credential: readCredential(context), hasFailed: false };
	readings.set(id, reading);
	reading.credential.catch(() => {
		reading.hasFailed = true;
	});
	return await reading.credential;
}

/**
 * Whether a reading began less than so many milliseconds before or after `now`: requests overtake each
 * other, so it can be a later one's, and one from long after means that the clock was set back.
 */
function isWithin({ at }: Reading, now: number, length: number): boolean {
	return Math.abs(now - at) < length;
}

async function readCredential(context: WebhookContext): Promise<ApiCredential> {
	return parseCredential(await context.getCredentials('yuntongxunApi'));
}
