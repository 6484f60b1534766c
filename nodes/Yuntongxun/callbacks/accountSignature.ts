import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCredential, UnusableCredential } from '../client/credential';
import type { ApiCredential, SigningAccount } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';
import type { CallbackAddress } from './callbackUrl';
import { isSigned } from './signedUrl';

/**
 * How old a credential that was read may be, in milliseconds. In a webhook n8n 2 starts an expression
 * isolate for each reading, which costs as much as the request itself.
 */
const REMEMBERED_MS = 10_000;

/**
 * How old it may be where a signature does not fit, in milliseconds: forged requests cost little then,
 * and a changed token is seen soon. A failure to read it is remembered as long.
 */
const MIN_REREAD_MS = 1000;

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

	if (isSignedBy(await readCredential(context, now, REMEMBERED_MS))) return true;
	return isSignedBy(await readCredential(context, now, MIN_REREAD_MS));
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

/** The credential of a webhook's node, which may have been read so many milliseconds ago. */
async function readCredential(
	context: IWebhookFunctions,
	now: number,
	maxAgeMs: number,
): Promise<ApiCredential> {
	const id = `${identifyNode(context)}/${context.getNode().credentials?.yuntongxunApi?.id}`;
	const known = readings.get(id);
	if (known && isWithin(known, now, known.hasFailed ? MIN_REREAD_MS : maxAgeMs)) {
		return await known.credential;
	}

	const reading: Reading = { at: now, credential: readStored(context), hasFailed: false };
	readings.set(id, reading);
	reading.credential.catch(() => {
		reading.hasFailed = true;
	});
	return await reading.credential;
}

async function readStored(context: IWebhookFunctions): Promise<ApiCredential> {
	return parseCredential(await context.getCredentials('yuntongxunApi'));
}

/**
 * Whether a reading began less than so many milliseconds before or after `now`: requests overtake each
 * other, so it can be a later one's, and one from long after means that the clock was set back.
 */
function isWithin({ at }: Reading, now: number, length: number): boolean {
	return Math.abs(now - at) < length;
}
