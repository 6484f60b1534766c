import type { IWebhookFunctions } from 'n8n-workflow';

import { parseAccount } from '../client/account';
import { BoundedMap } from '../util/boundedMap';
import { nodeKey } from '../util/nodeKey';

/**
 * How long a token is remembered, in milliseconds. In a webhook n8n 2 starts an expression isolate
 * for each reading of a credential, which costs as much as the delivery itself.
 */
const REMEMBERED_MS = 10_000;

const remembered = new BoundedMap<string, { authToken: string; until: number }>(100);

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
	const key = `${nodeKey(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = remembered.get(key);
	if (known && Date.now() < known.until && isSigned(known.authToken)) return true;
	const { authToken } = parseAccount(await context.getCredentials('yuntongxunApi'));
	remembered.set(key, { authToken, until: Date.now() + REMEMBERED_MS });
	return isSigned(authToken);
}
