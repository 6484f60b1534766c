import type { INodeCredentialsDetails, IWebhookFunctions } from 'n8n-workflow';

import { parseCredential, UnusableCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';
import { openToken } from './sealedToken';
import type { SealedToken } from './sealedToken';

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

/** What came of a token: it cannot be opened by the node's account, or not right now. */
export type TokenReading =
	{ state: 'opened'; payload: Buffer } | { state: 'notOurs' | 'unavailable' };

/**
 * Opens the token of an address with the account of the webhook's node. A changed token of the account
 * is taken after ten seconds at most, and the old one until then. Where n8n cannot read the
 * credential just now, as without its database, nobody can say that the address is another's.
 *
 * @param sealed undefined if the address has none
 * @param now milliseconds since 1970
 */
export async function openOwnToken(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	now: number,
): Promise<TokenReading> {
	const chosen = findCredential(context);
	if (!sealed || !chosen) return { state: 'notOurs' };
	try {
		const payload = openToken(sealed, await readCredential(context, chosen, now), now);
		return payload ? { state: 'opened', payload } : { state: 'notOurs' };
	} catch (thrown) {
		return { state: thrown instanceof UnusableCredential ? 'notOurs' : 'unavailable' };
	}
}

/** Whether the webhook's node has a credential. */
export function hasCredential(context: IWebhookFunctions): boolean {
	return findCredential(context) !== undefined;
}

function findCredential(context: IWebhookFunctions): INodeCredentialsDetails | undefined {
	return context.getNode().credentials?.yuntongxunApi;
}

async function readCredential(
	context: IWebhookFunctions,
	chosen: INodeCredentialsDetails,
	now: number,
): Promise<ApiCredential> {
	const id = `${identifyNode(context)}/${chosen.id}`;
	const known = reads.get(id);
	// Requests overtake each other, so it can be a later one's, but not from long after: a clock was set back.
	if (known && Math.abs(now - known.at) < MAX_AGE_MS) return await known.credential;

	const credential = context.getCredentials('yuntongxunApi').then(parseCredential);
	reads.set(id, { at: now, credential });
	// Those at the same moment share a failure, the next one reads again.
	credential.catch(() => reads.delete(id));
	return await credential;
}
