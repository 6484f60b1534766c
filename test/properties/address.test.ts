import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { UnusableCredential } from '../../nodes/Yuntongxun/client/credential';
import { signRequest } from '../../nodes/Yuntongxun/client/signing';
import { CREDENTIAL, requestFor } from '../support/trip';
import { anyText } from '../support/texts';

const NOW = new Date('2026-01-02T03:04:05Z');
const CALL = {
	to: '13800000000',
	content: 'text',
	mediaTxt: 'Hello',
	resultDelivery: 'none',
	options: {},
};
const ORIGIN = new URL(String(CREDENTIAL.baseUrl)).origin;

/** What a header's value is made of, by RFC 9110, section 5.5, without what is not ASCII. */
const HEADER_VALUE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

it('any text in the credential stays within its segment of the path and within its header, or is refused', async () => {
	const part = fc.oneof(
		anyText,
		fc.constantFrom('a', '.', '..', '...', '%2e', '%2e%2E', 'a/b', ''),
	);
	await fc.assert(
		fc.asyncProperty(part, part, part, async (accountSid, authToken, softVersion) => {
			const credential = { ...CREDENTIAL, accountSid, authToken, softVersion };
			let request: IHttpRequestOptions;
			try {
				request = await requestFor('call', 'notify', CALL, credential);
			} catch (thrown) {
				expect(thrown).toBeInstanceOf(UnusableCredential);
				return;
			}
			const { origin, pathname, search, hash } = new URL(request.url);
			expect([origin, search, hash]).toEqual([ORIGIN, '', '']);
			expect(pathname.split('/').map(decodeURIComponent)).toEqual([
				'',
				softVersion.trim() || '2013-12-26',
				'Accounts',
				accountSid.trim(),
				'Calls',
				'LandingCalls',
			]);
			for (const [name, value] of Object.entries(request.headers ?? {})) {
				expect([name, String(value)]).toEqual([name, expect.stringMatching(HEADER_VALUE)]);
			}
			expect(Object.keys(request.headers ?? {}).sort()).toEqual([
				'Accept',
				'Authorization',
				'Content-Length',
				'Content-Type',
			]);
			expect(request.qs).toEqual({ sig: expect.stringMatching(/^[0-9A-F]{32}$/) });
		}),
	);
});

const piece = fc.oneof(
	anyText,
	fc.constantFrom(
		...[ORIGIN, 'https://', 'HTTPS://', 'http://', '//', '\\\\', 'https:', 'app.example.com'],
		...['app.example.com:8883', '@', ':', ':8883', ':443', '.', 'evil.example'],
		...['/x', '?a=b', '#'],
	),
);
const address = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

/** Where axios, which n8n sends with, goes for such options. */
function findOrigin({ baseURL, url }: { baseURL?: string; url: string }): string | undefined {
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
	const whole =
		baseURL !== undefined && !isAbsolute
			? `${baseURL.replace(/\/?\/$/, '')}/${url.replace(/^\/+/, '')}`
			: url;
	try {
		return new URL(whole).origin;
	} catch {
		return undefined;
	}
}

it('a request of any node, to any address, is signed for the host of the base URL only', () => {
	fc.assert(
		fc.property(
			fc.option(address, { nil: undefined }),
			address,
			fc.constantFrom('url', 'uri'),
			(baseURL, url, name) => {
				const options = { [name]: url, ...(baseURL !== undefined && { baseURL }) };
				let signed;
				try {
					signed = signRequest(CREDENTIAL, options as unknown as IHttpRequestOptions, NOW);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(UnusableCredential);
					return;
				}
				const sent = signed as unknown as Record<string, string>;
				expect(findOrigin({ baseURL, url: sent[name] })).toBe(ORIGIN);
			},
		),
	);
});
