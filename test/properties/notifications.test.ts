import fc from 'fast-check';

import { toItemJson } from '../../nodes/Yuntongxun/callbacks/notification';
import type { WireObject } from '../../nodes/Yuntongxun/client/codec';
import { hostileBodies } from '../support/hostile';
import { expectLinear } from '../support/linear';
import { readBody, readOne } from '../support/notifications';
import { PUSHES, readPush } from '../support/corpus';
import { anyText } from '../support/texts';

const NUMBER = '13800000000';

/** Pieces of which people and programs make texts. */
const piece = fc.constantFrom(
	...['<', '>', '&', '</', '/>', '<content>', '</content>', '<userData>', '</userData>'],
	...['</Request>', '<status>9</status>', '<fromNum>1</fromNum>', '<action>CallAuth</action>'],
	...['&amp;', '&#0;', '<![CDATA[', ']]>', '<!--', '-->', '"', '\n', ' ', 'a', '退', '1'],
);
/** As it arrives: halves of a character cannot. */
const asArrived = (text: string) => Buffer.from(text).toString();

const REPLY: WireObject = { action: 'SMSArrived', smsType: '0', fromNum: NUMBER, status: '0' };

const order = fc.shuffledSubarray([...Object.keys(REPLY), 'content'], { minLength: 5 });

/** How a reply comes, and perhaps another one behind it. */
const WRAPPERS: Array<[string, string]> = [
	['<Request>|</Request>', '{|}'],
	['<a><Request>|</Request></a>', '{"Request":{|}}'],
	['<a><Request>|</Request><Request>|</Request></a>', '[{|},{|}]'],
	['<a><b><Request>|</Request></b></a>', '[{"Request":{|}}]'],
];

const xmlBreak = fc.constantFrom('</content><fromNum>1</fromNum><content>', '</b><b>', '<Request>');
const xmlPieces = fc
	.array(fc.oneof(piece, xmlBreak, anyText), { maxLength: 8 })
	.map((all) => all.join(''));

const jsonMember = fc.constantFrom(
	...['"fromNum":"1', '"status":"9', '"content":"x', '"smsType":"1', '"action":"CallAuth'],
);
const jsonBreak = fc.constantFrom(
	...['"x"},"y":{"action":"SMSArrived', '"x"},{"action":"A', '"x"},"y":{"content":"2'],
);
const jsonPieces = fc
	.array(fc.oneof(jsonMember, jsonBreak, anyText), { maxLength: 5 })
	.map((all) => all.join('",'));

it.each(WRAPPERS)(
	'what a person types changes no member that the service sent: %s, %s',
	(xml, json) => {
		fc.assert(
			fc.property(xmlPieces, jsonPieces, order, (inXml, inJson, names) => {
				const typed = (name: string, text: string) =>
					name === 'content' ? text : String(REPLY[name]);
				const elements = names.map((name) => `<${name}>${typed(name, inXml)}</${name}>`);
				const texts = names.map((name) => `"${name}":"${typed(name, inJson)}"`);
				const bodies = [
					xml.replaceAll('|', () => elements.join('')),
					json.replaceAll('|', () => texts.join(',')),
				];
				for (const body of bodies) {
					// A name that the service did not send can be set in JSON: nobody can tell who wrote it.
					expect(readOne(body)?.members ?? REPLY).toMatchObject(REPLY);
				}
			}),
		);
	},
);

it('what a person types in XML is the text as it was typed', () => {
	fc.assert(
		fc.property(xmlPieces, (text) => {
			const body = `<Request><action>SMSArrived</action><content>1 < 2${text}</content></Request>`;
			expect(readOne(body)?.members.content).toBe(`1 < 2${asArrived(text)}`);
		}),
	);
});

it('whatever becomes of a push on its way, reading it never throws and changes no prototype', () => {
	const push = fc.constantFrom(...PUSHES.map(readPush).filter(({ length }) => length > 0));
	const prototype = fc.constantFrom('"__proto__":{"x":"1"},', '<__proto__><x>1</x></__proto__>');
	const change = fc.record({
		at: fc.double({ min: 0, max: 1, noNaN: true }),
		length: fc.nat({ max: 9 }),
		text: fc.oneof(piece, prototype),
	});
	const names = Object.getOwnPropertyNames(Object.prototype);
	fc.assert(
		fc.property(push, fc.array(change, { maxLength: 4 }), (bytes, changes) => {
			const body = changes.reduce((each, { at, length, text }) => {
				const start = Math.floor(at * each.length);
				const [before, after] = [each.subarray(0, start), each.subarray(start + length)];
				return Buffer.concat([before, Buffer.from(text), after]);
			}, bytes);
			for (const notification of readBody(body) ?? []) {
				const { notification: all, ...named } = toItemJson(notification, 0);
				for (const each of [named, all as object]) {
					expect(Object.getPrototypeOf(each)).toBe(Object.prototype);
					expect(Object.hasOwn(each, '__proto__')).toBe(false);
				}
			}
		}),
	);
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
});

it.each(Object.entries(hostileBodies('c1')))('%s is no notification', (_, body) => {
	expect(readBody(body)).toBeUndefined();
});

/** Bodies that patterns with several ways through them fall for. */
const LONG: Record<string, (length: number) => string> = {
	'nested elements': (length) => `${'<a>'.repeat(length / 8)}&${'</a>'.repeat(length / 8)}`,
	'elements of other names': (length) => {
		const elements = Array.from({ length: length / 16 }, (_, at) => `<b${at}>&</b${at}>`);
		return `<a><action>x</action>${elements.join('')}</a>`;
	},
	'signs of elements': (length) => `<a>${'<'.repeat(length)}</a>`,
	blanks: (length) => `<a>${' '.repeat(length)}&${' '.repeat(length)}</a>`,
	'a tag of blanks': (length) => `<a${' '.repeat(length)}&</a>`,
	'texts that close': (length) => `<a><content>${'</content>'.repeat(length / 10)}&</a>`,
	'a declaration': (length) => `<?xml ${'encoding='.repeat(length / 9)}?><a>&</a>`,
	'typed members in other letters': (length) => {
		const open = (at: number) =>
			[...'content'].map((sign, bit) => ((at >> bit) % 2 ? sign.toUpperCase() : sign)).join('');
		return `<a>${Array.from({ length: length / 9 }, (_, at) => `<${open(at)}>`).join('')}</a>`;
	},
	references: (length) => `<a><action>x</action><b>${'&'.repeat(length / 8)}</b></a>`,
	'a list of notifications in JSON': (length) => `[${'{"action":"a"},'.repeat(length / 15)}{}]`,
	'wrappers in JSON': (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
	'control characters in JSON': (length) => `{"action":"${'\n'.repeat(length - 20)}"}`,
	'a member and names in other letters': (length) => {
		const names = Array.from({ length: length / 16 }, (_, at) => `"n${at}":"1"`);
		return `{"Action":"x",${names.join()}}`;
	},
};

it.each(Object.entries(LONG))('%s hold up n8n for no longer than reading takes', (_, write) => {
	const body = (length: number) => Buffer.from(write(length).slice(0, length));
	expectLinear(1 << 15, body, readBody);
});
