import { buildXml, parseXml } from './xml';

/** One object of a request, an answer or a notification: its values by name. */
export interface WireObject {
	[name: string]: WireValue;
}

/** Text, an object, or several values of one name. The service has no other kinds. */
export type WireValue = string | WireObject | WireValue[];

/** How deep an object may be nested; the service's own are far from it. */
export const MAX_DEPTH = 20;

/** The two formats the service speaks. Specification section 1, rule 2. */
export type DataFormat = 'json' | 'xml';

/** The fields of a request by name. Every value is text. Specification section 1, rule 3. */
export interface Fields {
	[name: string]: string | string[];
}

/**
 * Writes the body of a request. Specification section 4. In XML, variables are wrapped in an element
 * (4.3), and the kind of audio is an attribute (4.2).
 *
 * @param root name of the XML root element; JSON has none
 */
export function encode(format: DataFormat, root: string, fields: Fields): string {
	if (format === 'json') return JSON.stringify(fields);

	const { mediaNameType, ...content }: WireObject = fields;
	if (fields.datas !== undefined) content.datas = { data: fields.datas };
	if (fields.mediaName !== undefined && mediaNameType !== undefined) {
		content.mediaName = { '@type': mediaNameType, '#text': fields.mediaName };
	}
	return buildXml(root, content);
}

/**
 * Reads an answer in either format. Blanks around a text are kept. A number in JSON, which the service
 * never writes, becomes text as JavaScript writes it.
 *
 * @param root name of the XML root element, in any case; JSON has none
 * @param code name of a member that must be text and nothing else. Specification section 1, rule 3
 * @returns the members of the JSON object or of the XML root element
 * @throws Error if the text is not one well-formed object, its XML root has another name, or the code
 * is no text
 */
export function decode(text: string, root: string, code?: string): WireObject {
	const document = parseDocument(text);

	const isNamed = document.root?.toLowerCase() === root.toLowerCase();
	if (document.root !== undefined && !isNamed) throw new Error(`The root element is not ${root}`);

	const content = toWireValue(document.content);
	if (!isWireObject(content)) throw new Error('The text is not an object');
	const isCoded = code === undefined || typeof (document.content as WireObject)[code] === 'string';
	if (!isCoded) throw new Error('The code is no text');
	return content;
}

/**
 * Reads any document in either format, as `decode` reads an answer.
 *
 * @returns the name of the XML root element, undefined for JSON, and what the document holds
 * @throws Error if the text is not one well-formed document
 */
export function decodeAny(text: string): { root?: string; content: WireValue } {
	const { root, content } = parseDocument(text);
	return { root, content: toWireValue(content) };
}

/** Whether a text is XML, by its first character behind blanks and a byte order mark: content types lie. */
export const isXml = (text: string): boolean => text.trimStart().startsWith('<');

function parseDocument(text: string): { root?: string; content: unknown } {
	const body = text.trim();
	return isXml(text) ? parseXml(body) : { content: JSON.parse(body) as unknown };
}

/** Text between XML elements, which is layout. */
const LAYOUT = '#text';

/** Converts a value. Drops layout and members that are null; other nulls become ''. */
function toWireValue(value: unknown, depth = 0): WireValue {
	if (depth > MAX_DEPTH) throw new Error('The text is nested too deep');
	if (Array.isArray(value)) return value.map((each) => toWireValue(each, depth + 1));
	if (!isWireObject(value)) return String(value ?? '');
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, member]) => member !== null && name !== LAYOUT)
			.map(([name, member]) => [name, toWireValue(member, depth + 1)]),
	);
}

/** Whether a value is an object, rather than text or a list. */
export function isWireObject(value: unknown): value is WireObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of that name, trimmed; empty if the object has no such text. */
export function getTextMember(object: WireObject, name: string): string {
	const value = Object.hasOwn(object, name) ? object[name] : '';
	return typeof value === 'string' ? value.trim() : '';
}
