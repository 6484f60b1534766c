import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackAddress } from './callbackUrl';
import { isSigned } from './signedUrl';
import { readWebhookCredential, rereadWebhookCredential } from './webhookCredential';

/**
 * Whether the account of a webhook's node has signed an address, and the resume address in it, if
 * any. A changed token is accepted after a second at most, and the old one for up to ten seconds more.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isSignedByAccount(
	context: IWebhookFunctions,
	address: CallbackAddress,
	now: number,
): Promise<boolean> {
	const { resume = address } = address;
	const isSignedWith = (authToken: string) =>
		isSigned(address, authToken, now) && isSigned(resume, authToken, now);

	const known = await readWebhookCredential(context, now);
	if (isSignedWith(known.authToken)) return true;

	const latest = await rereadWebhookCredential(context, now);
	return isSignedWith(latest.authToken);
}
