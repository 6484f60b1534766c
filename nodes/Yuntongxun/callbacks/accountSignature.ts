import type { IWebhookFunctions } from 'n8n-workflow';

import { UnusableCredential } from '../client/credential';
import type { SigningAccount } from '../client/credential';
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
	const isSignedBy = (account: SigningAccount) =>
		addresses.every((each) => isSigned(each, account, now));

	if (isSignedBy(await readWebhookCredential(context, now))) return true;
	return isSignedBy(await rereadWebhookCredential(context, now));
}

/**
 * Why a request to this address is rejected; undefined if the node's account signed it. Where n8n cannot
 * read the credential just now, as without its database, nobody can say that it is not signed.
 *
 * @param now milliseconds since 1970
 */
export async function findRefusal(
	context: IWebhookFunctions,
	address: CallbackAddress,
	now: number,
): Promise<'notSigned' | 'unavailable' | undefined> {
	// Without a usable credential no signature can be right.
	if (!context.getNode().credentials?.yuntongxunApi) return 'notSigned';
	try {
		return (await isSignedByAccount(context, address, now)) ? undefined : 'notSigned';
	} catch (thrown) {
		return thrown instanceof UnusableCredential ? 'notSigned' : 'unavailable';
	}
}
