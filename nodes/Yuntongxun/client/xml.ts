import { EntityDecoder, EntityEncoder } from '@nodable/entities';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const encoder = new EntityEncoder({ encodeAllNamed: false });

const builder = new XMLBuilder({
	ignoreAttributes: false,
	attributeNamePrefix: '@',
	processEntities: false,
	tagValueProcessor: (_name, value) => escapeXml(String(value)),
});

/** A text as XML has to have it. A reader turns a bare carriage return into a line feed, so it becomes a reference. */
export function escapeXml(text: string): string {
	return encoder.encode(text).replace(/\r/g, '&#13;');
}

/**
 * Writes an XML document with a declaration. A member named `@…` becomes an attribute and `#text`
 * the text beside it.
 */
export function buildXml(root: string, content: unknown): string {
	return builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, [root]: content });
}

/** A surrogate as a numeric reference. Some libraries write an emoji as two of these. */
const HALF = /&#(?:x0*(d[89a-f][\da-f]{2})|0*(5[5-7]\d{3}));/gi;

/** Joins surrogates, which the library drops. One without its other half is dropped. */
class WholeCharacterDecoder extends EntityDecoder {
	override decode(text: string): string {
		const halves = text.replace(HALF, (reference: string, hex?: string, decimal?: string) => {
			const half = String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16));
			return half.isWellFormed() ? reference : half;
		});
		return super.decode(halves).replace(/\p{Surrogate}/gu, '');
	}
}

/** Rejects entities that a document declares: the service never does that. */
const decoder = new WholeCharacterDecoder({
	ncr: { nullNCR: 'throw' },
	onInputEntity: () => 'throw',
});

const parser = new XMLParser({
	parseTagValue: false,
	trimValues: false,
	ignoreDeclaration: true,
	ignorePiTags: true,
	entityDecoder: decoder,
});

/**
 * Reads an XML document, without attributes. Text stays as it is.
 *
 * @returns the name and the content of the root element
 * @throws Error if the text is not one well-formed document, or is nested too deep
 */
export function parseXml(text: string): { root: string; content: unknown } {
	if (XMLValidator.validate(text) !== true) throw new Error('The text is not well-formed XML');

	const [only, ...more] = Object.entries(parser.parse(text) as Record<string, unknown>);
	if (only === undefined || more.length > 0 || Array.isArray(only[1])) {
		throw new Error('The text does not have one root element');
	}

	const [root, content] = only;
	return { root, content };
}

/** What is not a character of XML 1.0, apart from halves of a pair. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ufffd]/g;

/** Puts blanks in place of control characters that XML cannot carry. */
export const blankOutsideXml = (text: string): string => text.replace(NOT_IN_XML, ' ');
