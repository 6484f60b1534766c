import { hkdfSync } from 'crypto';

import type { ServiceAccount } from './account';

const KEY_BYTES = 32;

/**
 * A key for a purpose, derived from the account's token with HKDF-SHA256 (RFC 5869). The token
 * cannot be worked out from it, and neither can the key for another purpose or account.
 *
 * @param purpose names what the key is for
 * @returns 32 bytes, the same on every n8n that holds the account
 */
export function deriveKey(
	{ authToken, accountSid }: Pick<ServiceAccount, 'authToken' | 'accountSid'>,
	purpose: string,
): Buffer {
	const label = `n8n-nodes-yuntongxun ${purpose}`;
	return Buffer.from(hkdfSync('sha256', authToken, accountSid, label, KEY_BYTES));
}
