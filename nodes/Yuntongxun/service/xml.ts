import { EntityDecoder, EntityEncoder } from '@nodable/entities';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Member } from './members';

const encoder = new EntityEncoder({ encodeAllNamed: false });

const builder = new XMLBuilder({
	ignoreAttributes: false,
	attributeNamePrefix: '@',
	processEntities: false,
	// A reader turns a bare carriage return into a line feed, so it goes as a reference.
	tagValueProcessor: (_name, value) => encoder.encode(String(value)).replace(/\r/g, '&#13;'),
});

/**
 * Writes an XML document with a declaration. A member named `@…` becomes an attribute and `#text`
 * the text beside it.
 */
export function buildXml(root: string, content: Member): string {
	return builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, [root]: content });
}

/** Entities that a document declares for itself are refused: nothing honest here needs them. */
const decoder = new EntityDecoder({
	ncr: { nullNCR: 'throw' },
	onInputEntity: () => 'throw',
});

const parser = new XMLParser({
	parseTagValue: false,
	trimValues: false,
	ignoreDeclaration: true,
	ignorePiTags: true,
	maxNestedTags: 20,
	entityDecoder: decoder,
});

/**
 * Reads a whole XML document without its attributes; text is left as it stands.
 *
 * @returns the root element's content
 * @throws Error where the text is not one well-formed document or is nested deeper than 20
 */
export function parseXml(text: string): Member {
	if (XMLValidator.validate(text) !== true) throw new Error('The text is not well-formed XML');
	const roots = Object.values(parser.parse(text) as Record<string, Member>);
	if (roots.length !== 1 || Array.isArray(roots[0])) {
		throw new Error('The text does not have one root element');
	}
	return roots[0];
}
