import fc from 'fast-check';

import { sign } from '../../nodes/Yuntongxun/client/signing';
import { md5 } from './support/md5';
import { anyText } from './support/texts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

// RFC 1321, section A.5.
it.each([
	['', 'd41d8cd98f00b204e9800998ecf8427e'],
	['a', '0cc175b9c0f1b6a831c399e269772661'],
	['abc', '900150983cd24fb0d6963f7d28e17f72'],
	['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
	['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
	[
		'12345678901234567890123456789012345678901234567890123456789012345678901234567890',
		'57edf4a22be3c955ac49da2e2107b67a',
	],
])('the MD5 to compare with gives what its standard says for %j', (text, digest) => {
	expect(md5(bytesOf(text))).toBe(digest);
});

it('signing gives what another implementation gives', () => {
	const part = fc.oneof(
		fc.stringMatching(/^[0-9a-f]{32}$/),
		fc.string({ unit: 'grapheme', maxLength: 80 }),
		anyText,
	);
	fc.assert(
		fc.property(part, part, fc.stringMatching(/^\d{14}$/), (sid, token, timestamp) => {
			expect(sign(sid, token, timestamp)).toEqual({
				sig: md5(bytesOf(sid + token + timestamp)).toUpperCase(),
				authorization: btoa(String.fromCharCode(...bytesOf(`${sid}:${timestamp}`))),
			});
		}),
	);
});
