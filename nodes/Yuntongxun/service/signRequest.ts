import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, UnusableCredential } from './account';
import { sign, timestampAt } from './signature';

/**
 * Signs a request that some node is about to make. What an earlier signing left is replaced.
 * Specification section 5.
 *
 * @returns options to send; the given ones are left as they are
 * @throws UnusableCredential where the credential breaks a rule, or the request goes to another
 * host than that of the base URL
 */
export function signRequest(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
	now: Date,
): IHttpRequestOptions {
	const { accountSid, authToken, baseUrl } = accountOf(credential);
	const url = addressOf(options);
	if (url?.origin !== baseUrl.origin) {
		throw new UnusableCredential(
			'The Yuntongxun API credential signs requests to its own Base URL only',
		);
	}
	const { sig, authorization } = sign(accountSid, authToken, timestampAt(now));
	const headers = Object.entries(options.headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'authorization',
	);
	return {
		...options,
		headers: { ...Object.fromEntries(headers), Authorization: authorization },
		qs: { ...options.qs, sig },
	};
}

/** n8n's own HTTP Request node names the address `uri`; a relative one belongs to `baseURL`. */
function addressOf(options: IHttpRequestOptions & { uri?: string }): URL | undefined {
	try {
		return new URL(joined(options.baseURL, options.url ?? options.uri ?? ''));
	} catch {
		return undefined;
	}
}

function joined(baseURL: string | undefined, url: string): string {
	if (!baseURL || /^[a-z][a-z\d+.-]*:/i.test(url) || url.startsWith('//')) return url;
	return `${baseURL.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}
