import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCredential, UnusableCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';
import { openToken } from './sealedToken';
import type { OpenedToken, SealedToken } from './sealedToken';

/**
 * How old a credential that was read may be, in milliseconds. In a webhook n8n 2 starts an expression
 * isolate for each reading, which costs as much as the request itself.
 */
const CREDENTIAL_LIFETIME_MS = 10_000;

/**
 * How old it may be where a token does not open, in milliseconds: forged requests cost little then,
 * and a changed token is seen soon. A failure to read it is remembered as long.
 */
const MIN_REREAD_MS = 1000;

/** Reads of a credential, and for how long each is good, by node and credential. */
const reads = new BoundedMap<string, CredentialRead>(100);

interface CredentialRead {
	/** When it began, in milliseconds since 1970. */
	at: number;
	lifetimeMs: number;
	/** Rejects if the credential cannot be used. */
	credential: Promise<ApiCredential>;
}

/** What came of a token: it cannot be opened by the node's account, or not right now. */
export type TokenReading =
	{ state: 'opened'; token: OpenedToken } | { state: 'foreign' } | { state: 'unavailable' };

/**
 * Opens the token of an address with the account of the webhook's node. A changed token of the account
 * is taken after a second at most, and the old one for up to ten seconds more. Where n8n cannot read
 * the credential just now, as without its database, nobody can say that the address is another's.
 *
 * @param sealed undefined if the address has none
 * @param now milliseconds since 1970
 */
export async function openOwnToken(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	now: number,
): Promise<TokenReading> {
	if (!sealed || !hasCredential(context)) return { state: 'foreign' };
	try {
		for (const maxAgeMs of [CREDENTIAL_LIFETIME_MS, MIN_REREAD_MS]) {
			const token = openToken(sealed, await readCredential(context, now, maxAgeMs), now);
			if (token) return { state: 'opened', token };
		}
		return { state: 'foreign' };
	} catch (thrown) {
		return { state: thrown instanceof UnusableCredential ? 'foreign' : 'unavailable' };
	}
}

/** Whether the webhook's node has a credential. */
export function hasCredential(context: IWebhookFunctions): boolean {
	return context.getNode().credentials?.yuntongxunApi !== undefined;
}

/** The credential of a webhook's node, which may have been read so many milliseconds ago. */
async function readCredential(
	context: IWebhookFunctions,
	now: number,
	maxAgeMs: number,
): Promise<ApiCredential> {
	const id = `${identifyNode(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = reads.get(id);
	// Requests overtake each other, so it can be a later one's, but not from long after: a clock was set back.
	const isGood = known && Math.abs(now - known.at) < Math.min(maxAgeMs, known.lifetimeMs);
	if (isGood) return await known.credential;

	const credential = context.getCredentials('yuntongxunApi').then(parseCredential);
	const read = { at: now, lifetimeMs: CREDENTIAL_LIFETIME_MS, credential };
	reads.set(id, read);
	credential.catch(() => {
		read.lifetimeMs = MIN_REREAD_MS;
	});
	return await credential;
}
