import fc from 'fast-check';

/** Text that breaks programs. */
const HOSTILE = [
	['&', '<', '>', '"', "'", ';', '#', '=', ',', '\\', '/', '?', '%', '$', '{', '}', '[', ']'],
	['\t', '\n', '\r', '\r\n', ' ', '\u00a0', '\u3000', '\ufeff', '\u0085', '\u2028', '\u200b'],
	['\u0000', '\u0001', '\u0008', '\u000b', '\u001b', '\u001f', '\u007f', '\ufffe', '\uffff'],
	['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d', '\ude00'],
	['\u202a', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c', '\u0301'],
	['😀', '👨‍👩‍👧', '🇨🇳', '\u{10ffff}', '验证码', '您好', '𠮷', '王 & Söhne', 'ß', 'İ'],
	[']]>', '<![CDATA[', '<!--', '-->', '&amp;', '&lt;', '&#13;', '&#0;', '&x;', '</userData>'],
	['<!DOCTYPE a [<!ENTITY x "y">]>', '<?xml version="1.1"?>', '\\u0000', '\\"', '","to":"1'],
	['__proto__', 'constructor', '={{ $json }}', '../', '..', '.', '%2e%2e', '%00'],
	['\r\nAuthorization: x', '\r\n\r\nGET / HTTP/1.1', '?sig=x', '&sig=x', '@evil.example'],
].flat();

/** Any 16-bit units, lone halves of characters among them, often special somewhere. */
export const anyText = fc.string({
	unit: fc.oneof(
		fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
		fc.constantFrom(...HOSTILE),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
	),
	maxLength: 20,
});

/** The same, sometimes very long. */
export const typedText = fc.oneof(
	{ weight: 199, arbitrary: anyText },
	{
		weight: 1,
		arbitrary: fc
			.tuple(anyText, fc.integer({ min: 100, max: 5000 }))
			.map(([text, times]) => text.repeat(times)),
	},
);

/** A text that XML 1.0 can carry, by section 2.2 of its specification. */
const XML_TEXT = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

export const xmlCanCarry = (text: string): boolean => XML_TEXT.test(text);

/** Whether every character of a text is whole, as UTF-8 needs. */
export const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);
