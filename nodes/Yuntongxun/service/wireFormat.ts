import { isMembers } from './members';
import type { Member, Members } from './members';
import { buildXml, parseXml } from './xml';

/** The two formats the service speaks. Specification section 1, rule 2. */
export type WireFormat = 'json' | 'xml';

/** The fields of a request by their names; every value is text. Specification section 1, rule 3. */
export interface Fields {
	[name: string]: string | string[];
}

/** Values of the headers `Accept` and `Content-Type`. Specification section 5, rule 4. */
export const MEDIA_TYPES: Record<WireFormat, { accept: string; contentType: string }> = {
	json: { accept: 'application/json', contentType: 'application/json;charset=utf-8' },
	xml: { accept: 'application/xml', contentType: 'application/xml;charset=utf-8' },
};

/** What XML 1.0 has no way to write; lone surrogates are no characters in either format. */
const NOT_IN_XML =
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether XML can carry the text. */
export function fitsXml(text: string): boolean {
	return !NOT_IN_XML.test(text);
}

/** Where a field lies in XML other than in an element of its own. Specification 4.2 and 4.3. */
const XML_PLACES: Record<string, (value: string | string[], fields: Fields) => Members> = {
	datas: (data) => ({ datas: { data } }),
	mediaName: (name, { mediaNameType }) => ({
		mediaName: mediaNameType === undefined ? name : { '@type': mediaNameType, '#text': name },
	}),
	mediaNameType: () => ({}),
};

const ENCODERS: Record<WireFormat, (root: string, fields: Fields) => string> = {
	json: (_root, fields) => JSON.stringify(fields),
	xml: (root, fields) => {
		const content: Members = {};
		for (const [name, value] of Object.entries(fields)) {
			Object.assign(content, XML_PLACES[name]?.(value, fields) ?? { [name]: value });
		}
		return buildXml(root, content);
	},
};

/**
 * Writes the body of a request. Specification section 4.
 *
 * @param root name of the XML root element; JSON has none
 */
export function encode(format: WireFormat, root: string, fields: Fields): string {
	return ENCODERS[format](root, fields);
}

/**
 * Reads an answer or a notification, whichever of the two formats it is in: the first character
 * tells, since labels lie. Blanks around a text are kept.
 *
 * @returns the members of the JSON object or of the XML root element
 * @throws Error where the text is not one well-formed object
 */
export function decode(text: string): Members {
	const body = text.replace(/^\ufeff/, '').trim();
	const content = membersOf(body.startsWith('<') ? parseXml(body) : parseJson(body));
	if (!isMembers(content)) throw new Error('The text is not an object');
	return content;
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Reads JSON with numbers kept as the text they came as: ids are longer than a number holds. */
function parseJson(text: string): unknown {
	const plain: unknown = JSON.parse(text);
	const quoted = text.replace(STRING_OR_NUMBER, (token) =>
		token.startsWith('"') ? token : `"${token}"`,
	);
	return quoted === text ? plain : JSON.parse(quoted);
}

/** Null is no value, and text between XML elements is layout. */
function membersOf(value: unknown): Member {
	if (Array.isArray(value)) return value.map(membersOf);
	if (typeof value !== 'object' || value === null) return String(value ?? '');
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, member]) => member !== null && name !== '#text')
			.map(([name, member]) => [name, membersOf(member)]),
	);
}
