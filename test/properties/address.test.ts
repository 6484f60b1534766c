import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { UnusableCredential } from '../../nodes/Yuntongxun/client/credential';
import { signRequest } from '../../nodes/Yuntongxun/client/signing';
import { CREDENTIAL } from '../support/trip';
import { anyText } from '../support/texts';

const NOW = new Date('2026-01-02T03:04:05Z');
const ORIGIN = new URL(String(CREDENTIAL.baseUrl)).origin;

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
