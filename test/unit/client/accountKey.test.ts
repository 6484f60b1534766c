import { createHmac } from 'node:crypto';

import { deriveKey } from '../../../nodes/Yuntongxun/client/account';

const ACCOUNT = { authToken: 'made-up-token', accountSid: 'made-up-id' };
const hmac = (key: string | Buffer, ...parts: Array<string | Buffer>) =>
	parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest();

it('is what RFC 5869 makes of token, id and purpose', () => {
	// One block of output: extract, then expand with the counter 1.
	const extracted = hmac(ACCOUNT.accountSid, ACCOUNT.authToken);
	const expanded = hmac(extracted, 'n8n-nodes-yuntongxun a purpose', Buffer.from([1]));
	expect(deriveKey(ACCOUNT, 'a purpose').toString('hex')).toBe(expanded.toString('hex'));
});

it('is another one for another purpose, token or id', () => {
	const keys = [
		deriveKey(ACCOUNT, 'one'),
		deriveKey(ACCOUNT, 'other'),
		deriveKey({ ...ACCOUNT, authToken: 'another-token' }, 'one'),
		deriveKey({ ...ACCOUNT, accountSid: 'another-id' }, 'one'),
	];
	expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(keys.length);
});
