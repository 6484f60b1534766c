import type { IWebhookFunctions } from 'n8n-workflow';

import { parseAccount } from '../client/account';
import { dropOldest } from './dropOldest';

/**
 * How long a token is remembered, in milliseconds. In a webhook n8n 2 starts an expression isolate
 * for each reading of a credential, which costs as much as the delivery itself.
 */
const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 100;

const remembered = new Map<string, { authToken: string; until: number }>();

/**
 * Whether a request to a webhook is signed by the account of its node. A token that was changed is
 * accepted at once, and the one before it for ten seconds more.
 *
 * @param isSigned checks the signature with a token
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isSignedByAccount(
	context: IWebhookFunctions,
	isSigned: (authToken: string) => boolean,
): Promise<boolean> {
	const { id: node, credentials } = context.getNode();
	const key = [context.getWorkflow().id, node, credentials?.yuntongxunApi?.id].join('/');
	const known = remembered.get(key);
	if (known && Date.now() < known.until && isSigned(known.authToken)) return true;
	const { authToken } = parseAccount(await context.getCredentials('yuntongxunApi'));
	remembered.delete(key);
	remembered.set(key, { authToken, until: Date.now() + REMEMBERED_MS });
	dropOldest(remembered, MOST_REMEMBERED);
	return isSigned(authToken);
}
