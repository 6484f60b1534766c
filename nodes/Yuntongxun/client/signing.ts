import { createHash, randomUUID } from 'crypto';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { formatServiceTimestamp } from '../util/serviceTime';
import { parseCredential, UnusableCredential } from './credential';
import { addUsualHeaders } from './usualHeaders';
import type { RequestOptions } from './usualHeaders';

/**
 * Computes the signature of a request. Both values contain the same timestamp, as the service requires.
 * Specification section 5, rules 1 and 3.
 *
 * @param timestamp from `formatServiceTimestamp`, taken once for the request
 * @returns the query parameter `sig`, 32 upper-case hexadecimal digits, and the header Authorization
 */
export function sign(accountSid: string, authToken: string, timestamp: string) {
	const digest = createHash('md5').update(accountSid + authToken + timestamp);
	return {
		sig: digest.digest('hex').toUpperCase(),
		authorization: Buffer.from(`${accountSid}:${timestamp}`).toString('base64'),
	};
}

/**
 * Signs a request of any node, adds the headers that it lacks, and replaces an earlier signature.
 * Specification section 5.
 *
 * @param now the moment to sign with; the service accepts it for 24 hours
 * @returns new options; the given ones are not changed
 * @throws UnusableCredential if the credential breaks a rule, or the request goes to another host
 * than that of the base URL; Error if the node no longer waits for it
 */
export function signRequest(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
	now: Date,
): IHttpRequestOptions {
	const { accountSid, authToken, baseUrl } = parseCredential(credential);
	if (findOrigin(options) !== baseUrl.origin) {
		throw new UnusableCredential(
			'The Yuntongxun API credential signs requests to its own Base URL only',
		);
	}
	const { sig, authorization } = sign(accountSid, authToken, formatServiceTimestamp(now));
	const headers = Object.entries(options.headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'authorization',
	);
	takeOffMark(options);
	const signed: IHttpRequestOptions & RequestOptions & Record<string, unknown> = {
		...options,
		headers: {
			...addUsualHeaders(Object.fromEntries(headers), options),
			Authorization: authorization,
		},
		qs: { ...options.qs, sig },
	};
	// It would replace the Authorization header.
	delete signed.auth;
	delete signed[MARK];
	if (signed.url !== undefined) signed.url = removeSig(signed.url);
	if (signed.uri !== undefined) signed.uri = removeSig(signed.uri);
	return signed;
}

/**
 * The origin that a request goes to; undefined if its address is none that may be signed. A relative
 * address leads to the origin of its base.
 */
function findOrigin({ baseURL, url, uri }: RequestOptions): string | undefined {
	const address = url ?? uri;
	if (address === undefined) return undefined;

	const isWhole = /^https:\/\//i.test(address);
	const namesHostOrProtocol = /^[a-z][a-z\d+.-]*:|^[/\\]{2}/i.test(address);
	if (!isWhole && namesHostOrProtocol) return undefined;
	const whole = isWhole ? address : String(baseURL);
	return URL.canParse(whole) ? new URL(whole).origin : undefined;
}

/** Removes an older signature, which would be sent beside the new one. */
const removeSig = (address: string) =>
	address.replace(/(?<=[?&])sig=[^&]*(?:&|$)/g, '').replace(/[?&]$/, '');

/**
 * The member of a request's options that marks it until it is signed. n8n may copy the options. Another
 * copy of this package, as after an update, has another name for it.
 */
export const MARK = `yuntongxunRequest ${randomUUID()}`;

/** The marks of requests that were not signed, and are not given up. */
const unsigned = new Set<unknown>();

/** Whether n8n hands marks over at all. */
let arrive = false;

/** @returns the mark of a new request */
export function createMark(): string {
	const mark = randomUUID();
	unsigned.add(mark);
	return mark;
}

/** Notes that a request is being signed. @throws Error if its sender no longer waits for it */
export function takeOffMark(options: object): void {
	if (!Object.hasOwn(options, MARK)) return;
	arrive = true;
	const isAwaited = unsigned.delete((options as Record<string, unknown>)[MARK]);
	if (!isAwaited) throw new Error('The node has given up this request, so it was not signed');
}

/** Gives a request up: it is not signed any more. @returns whether it certainly was not */
export function giveUpMark(mark: string): boolean {
	return unsigned.delete(mark) && arrive;
}
