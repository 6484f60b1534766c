import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackAddress } from './callbackUrl';
import { isSigned } from './signedUrl';
import { readWebhookCredential, rereadWebhookCredential } from './webhookCredential';

/**
 * Whether the node's account signed this address and any resume address it carries. A changed token
 * is accepted after a second at most, and the old one for up to ten seconds more.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isSignedByAccount(
	context: IWebhookFunctions,
	address: CallbackAddress,
	now: number,
): Promise<boolean> {
	const addresses = address.resume ? [address, address.resume] : [address];
	const isSignedWith = (authToken: string) =>
		addresses.every((each) => isSigned(each, authToken, now));

	const known = await readWebhookCredential(context, now);
	if (isSignedWith(known.authToken)) return true;

	const latest = await rereadWebhookCredential(context, now);
	return isSignedWith(latest.authToken);
}
