import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/identifyNode';
import { resumeAddressIn } from './callbackUrl';
import { isSignedUrl } from './signedUrl';

/**
 * How long a token is good for what it has signed, in milliseconds. In a webhook n8n 2 starts an
 * expression isolate for each reading of a credential, which costs as much as the delivery itself.
 */
const REMEMBERED_MS = 10_000;

/** For what it has not signed it is read again, but no sooner, or forged deliveries cost as much. */
const READ_AGAIN_MS = 1000;

/** One reading of a credential. */
interface Reading {
	/** When it began, in milliseconds since 1970. */
	at: number;
	/** Rejects if the credential cannot be used. */
	authToken: Promise<string>;
}

const readings = new BoundedMap<string, Reading>(100);

/**
 * Whether the account of a webhook's node has signed an address, and the resume address that it may
 * carry. A token that was changed is accepted a second later at most, and the one before it for ten
 * seconds more.
 *
 * @param now milliseconds since 1970
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isSignedByAccount(
	context: IWebhookFunctions,
	url: string,
	now: number,
): Promise<boolean> {
	const urls = [url, resumeAddressIn(url) ?? url];
	return await isMadeByAccount(context, now, (authToken) =>
		urls.every((each) => isSignedUrl(each, authToken, now)),
	);
}

/**
 * Whether something was made with the token of the account of a webhook's node.
 *
 * @param now milliseconds since 1970
 * @param isMadeWith judges a token
 * @throws UnusableCredential, or what n8n throws where it cannot read the credential
 */
export async function isMadeByAccount(
	context: IWebhookFunctions,
	now: number,
	isMadeWith: (authToken: string) => boolean,
): Promise<boolean> {
	const key = `${identifyNode(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = readings.get(key);
	if (known && isWithin(known, now, REMEMBERED_MS)) {
		const isMade = await known.authToken.then(isMadeWith, () => false);
		if (isMade) return true;
	}

	// Another delivery may have read it anew meanwhile.
	const latest = readings.get(key);
	if (latest && isWithin(latest, now, READ_AGAIN_MS)) return isMadeWith(await latest.authToken);

	const authToken = readToken(context);
	readings.set(key, { at: now, authToken });
	return isMadeWith(await authToken);
}

/** Deliveries overtake each other, and a clock can be set back. */
function isWithin({ at }: Reading, now: number, length: number): boolean {
	return Math.abs(now - at) < length;
}

async function readToken(context: IWebhookFunctions): Promise<string> {
	const { authToken } = parseCredential(await context.getCredentials('yuntongxunApi'));
	return authToken;
}
