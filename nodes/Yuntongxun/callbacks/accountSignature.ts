import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { nodeKey } from '../util/nodeKey';
import { resumeAddressIn } from './callbackUrl';
import { isSignedUrl } from './signedUrl';

/**
 * How long a token is remembered, in milliseconds. In a webhook n8n 2 starts an expression isolate
 * for each reading of a credential, which costs as much as the delivery itself.
 */
const REMEMBERED_MS = 10_000;

const remembered = new BoundedMap<string, { authToken: string; until: number }>(100);

/**
 * Whether the account of a webhook's node has signed an address, and the resume address that it may
 * carry. A token that was changed is accepted at once, and the one before it for ten seconds more.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isSignedByAccount(context: IWebhookFunctions, url: string, now: number) {
	const urls = [url, resumeAddressIn(url) ?? url];
	const areSigned = (authToken: string) => urls.every((each) => isSignedUrl(each, authToken, now));
	const key = `${nodeKey(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = remembered.get(key);
	if (known && now < known.until && areSigned(known.authToken)) return true;
	const { authToken } = parseCredential(await context.getCredentials('yuntongxunApi'));
	remembered.set(key, { authToken, until: now + REMEMBERED_MS });
	return areSigned(authToken);
}
