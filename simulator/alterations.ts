import { gzipSync } from 'node:zlib';
import type { WrittenAnswer } from './answers';
import type { Format } from './envelope';

/** Texts to insert into an answer, by its format. */
type ByFormat = Readonly<Record<Format, string>>;

const XML_DECLARATION = /^<\?xml[^>]*\?>/;

/** Before the end of the answer. */
const atTheEnd = ({ body }: WrittenAnswer, format: Format, put: ByFormat): string =>
	format === 'json'
		? `${body.slice(0, -1)},${put.json}}`
		: body.replace('</Response>', `${put.xml}</Response>`);

const STATUS_CODE: Readonly<Record<Format, RegExp>> = {
	json: /"statusCode":"(\d+)"/,
	xml: /<statusCode>(\d+)<\/statusCode>/,
};

/** Only the status code, without the result of the operation. */
const statusAlone = ({ body }: WrittenAnswer, format: Format): string => {
	const [, statusCode = ''] = STATUS_CODE[format].exec(body) ?? [];
	return format === 'json'
		? `{"statusCode":"${statusCode}"}`
		: `<Response><statusCode>${statusCode}</statusCode></Response>`;
};

/** The fields of the result; the members around it stay. */
const RESULT_FIELDS: Readonly<Record<Format, RegExp>> = {
	json: /"((?!statusCode|statusMsg|totalCount)\w+)":"[^"]*"/g,
	xml: /<((?!statusCode|statusMsg|totalCount)\w+)>[^<]*<\/\1>/g,
};

const nested = (format: Format, depth: number): string =>
	format === 'json'
		? `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`
		: `${'<deep>'.repeat(depth)}${'</deep>'.repeat(depth)}`;

const deeper =
	(depth: number): Alter =>
	(answer, format) =>
		atTheEnd(answer, format, { json: nested('json', depth), xml: nested('xml', depth) });

/** A text in GBK, which is not valid UTF-8. */
const GBK = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);

type Alter = (answer: WrittenAnswer, format: Format) => string | Buffer;

/** What can happen to a real answer on its way, by name. */
const ALTERATIONS = {
	byteOrderMark: ({ body }) => `\ufeff${body}`,
	compressed: ({ body }) => gzipSync(body),
	crossed: ({ body }, format) =>
		format === 'json' ? body.replace(/\}$/, ',}') : body.replace('</Response>', '</response>'),
	deep: deeper(100),
	veryDeep: deeper(10_000),
	foreignBytes: (answer, format) => {
		const put = { json: '"note":"#"', xml: '<note>#</note>' };
		const [before, after] = atTheEnd(answer, format, put).split('#');
		return Buffer.concat([Buffer.from(before), GBK, Buffer.from(after)]);
	},
	half: ({ body }) => body.slice(0, body.length / 2),
	inAList: ({ body }, format) =>
		format === 'json' ? `[${body}]` : `<list>${body.replace(XML_DECLARATION, '')}</list>`,
	inPrototype: ({ body }, format) =>
		format === 'json'
			? `{"__proto__":${body}}`
			: `<Response><__proto__>${body.replace(XML_DECLARATION, '')}</__proto__></Response>`,
	prototypeKeys: (answer, format) =>
		atTheEnd(answer, format, {
			json: '"__proto__":{"statusCode":"160040","polluted":"1"},"constructor":{"prototype":{"polluted":"1"}},"hasOwnProperty":"1"',
			xml: '<__proto__><polluted>1</polluted></__proto__><constructor><prototype><polluted>1</polluted></prototype></constructor><hasOwnProperty>1</hasOwnProperty>',
		}),
	statusAlone,
	statusInside: ({ body }, format) =>
		format === 'json'
			? body.replace(STATUS_CODE.json, '"statusCode":{"value":"$1"}')
			: body.replace(STATUS_CODE.xml, '<statusCode><value>$1</value></statusCode>'),
	trailing: ({ body }, format) => body + (format === 'json' ? '{}' : '<more/>'),
	utf16: ({ body }) => Buffer.from(`\ufeff${body}`, 'utf16le'),
	withoutValues: ({ body }, format) =>
		body.replace(RESULT_FIELDS[format], (_field, name: string) =>
			format === 'json' ? `"${name}":" "` : `<${name}> </${name}>`,
		),
} satisfies Record<string, Alter>;

export type Alteration = keyof typeof ALTERATIONS;

/** A real answer, altered. */
export function altered(answer: WrittenAnswer, format: Format, name: Alteration): Buffer {
	const alter: Alter = ALTERATIONS[name];
	return Buffer.from(alter(answer, format));
}
