import { createHash } from 'crypto';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { formatServiceTimestamp } from '../util/serviceTime';
import { parseCredential, UnusableCredential } from './credential';

/**
 * Where a request goes and what it carries, as n8n's nodes write it: its HTTP Request node uses `uri` instead of
 * `url`, and has forms beside `body`.
 */
interface RequestOptions extends Partial<IHttpRequestOptions> {
	uri?: string;
	form?: unknown;
	formData?: unknown;
}

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
 * than that of the base URL
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
	const signed: IHttpRequestOptions & RequestOptions = {
		...options,
		headers: { ...completeHeaders(options), Authorization: authorization },
		qs: { ...options.qs, sig },
	};
	// It would replace the Authorization header.
	delete signed.auth;
	if (signed.url !== undefined) signed.url = removeSig(signed.url);
	if (signed.uri !== undefined) signed.uri = removeSig(signed.uri);
	return signed;
}

/** What n8n's HTTP Request node asks for by itself: several types, while the service reads one. */
const N8N_ACCEPTS = /^application\/json,text\//;

/**
 * The headers of a request, without an older signature, and with those that the service asks for and the node
 * did not give, in any case of letters. Specification section 5, rule 4.
 */
function completeHeaders({
	headers = {},
	body = '',
	form,
	formData,
}: RequestOptions): Record<string, unknown> {
	const given = Object.entries(headers)
		.filter(([name]) => name.toLowerCase() !== 'authorization')
		.filter(([name, value]) => name.toLowerCase() !== 'accept' || !N8N_ACCEPTS.test(String(value)));
	const names = new Set(given.map(([name]) => name.toLowerCase()));
	const hasForm = form !== undefined || formData !== undefined;
	const usual = [['Accept', 'application/json']];
	if (!hasForm) usual.push(['Content-Type', 'application/json;charset=utf-8']);
	if (!hasForm && (body === null || body === '')) usual.push(['Content-Length', '0']);
	const missing = usual.filter(([name]) => !names.has(name.toLowerCase()));
	return Object.fromEntries([...given, ...missing]);
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
