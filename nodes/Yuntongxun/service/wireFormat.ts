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

/** What XML 1.0 has no way to write. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Whether the text has no half of a character: UTF-8 cannot carry one, in either format. */
export function isWhole(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}

/** Whether XML can carry the text. */
export function fitsXml(text: string): boolean {
	return !NOT_IN_XML.test(text) && isWhole(text);
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

const TEXT_OR_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/** What stands before each name while JSON is read, so that a name can be there twice. */
const PLACE = /^\d+:/;

/**
 * Reads JSON with numbers kept as the text they came as, since ids are longer than a number holds,
 * and with several members of one name kept as a list, as in XML.
 */
function parseJson(text: string): unknown {
	JSON.parse(text);
	let place = 0;
	return JSON.parse(
		text.replace(TEXT_OR_NUMBER, (token, written?: string, colon?: string) => {
			if (written === undefined) return `"${token}"`;
			return colon === undefined ? token : `"${place++}:${written.slice(1)}:`;
		}),
		(_name, value: unknown) => (isObject(value) ? membersByName(value) : value),
	);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function membersByName(placed: Record<string, unknown>): Record<string, unknown> {
	const members = new Map<string, unknown[]>();
	for (const [placedName, value] of Object.entries(placed)) {
		const name = placedName.replace(PLACE, '');
		const values = members.get(name);
		if (values) values.push(value);
		else members.set(name, [value]);
	}
	return Object.fromEntries(
		[...members].map(([name, values]) => [name, values.length > 1 ? values.flat() : values[0]]),
	);
}

/** How deep an honest answer or notification goes, several times over. */
const DEEPEST = 20;

/** Null is no value, and text between XML elements is layout. */
function membersOf(value: unknown, depth = 0): Member {
	if (depth > DEEPEST) throw new Error('The text is nested too deep');
	if (Array.isArray(value)) return value.map((each) => membersOf(each, depth + 1));
	if (!isObject(value)) return String(value ?? '');
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, member]) => member !== null && name !== '#text')
			.map(([name, member]) => [name, membersOf(member, depth + 1)]),
	);
}
