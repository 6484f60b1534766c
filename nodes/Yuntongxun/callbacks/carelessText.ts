import { decodeAny } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';

/*
 * Notifications that are not well-formed, as programs write them that put texts together: XML whose
 * texts have a raw `&` or `<`, JSON whose texts have raw control characters. Reading takes time in
 * proportion to the length of the text, whatever it holds.
 */

/** A control character below the blank; JSON permits none in a text. */
const CONTROL_CHARACTER = /[^\u0020-\uffff]/g;

/** What stands in front of the first member of an XML document. */
const OPENING = /^(?:<\?xml\s[^<>]*\?>\s*)?<([\w.:-]+)(?:\s[^<>]*)?>\s*/;

/** A member whose text a person may have typed, so that anything can stand in it, tags included. */
const TYPED_TEXT = /^<(content|userData)(?:\s[^<>]*)?(?<!\/)>/i;

/** Any other member; a raw `<` would leave open where it ends. */
const ELEMENT = /^<([\w.:-]+)(?:\s[^<>]*)?(?:\/>|>([^<]*)<\/\1>)\s*/;

/** A member, and where the next one begins. */
interface ReadElement {
	name: string;
	text: string;
	end: number;
}

/**
 * Reads a document that is not well-formed: one notification in XML, or JSON with blanks in place of
 * its control characters. Texts of such XML are taken as they stand, references included.
 *
 * @returns undefined if it cannot be told what it holds
 */
export function decodeCareless(text: string): { root?: string; content: WireValue } | undefined {
	// Drops a byte order mark as well.
	const body = text.trim();
	if (body.startsWith('<')) return readElements(body);
	try {
		return decodeAny(body.replace(CONTROL_CHARACTER, ' '));
	} catch {
		return undefined;
	}
}

function readElements(xml: string): { root: string; content: WireObject } | undefined {
	const [opening, root] = OPENING.exec(xml) ?? [];
	const closing = `</${root}>`;
	if (opening === undefined || root === undefined || !xml.endsWith(closing)) return undefined;

	const content = readMembers(xml.slice(opening.length, -closing.length));
	return content && { root, content };
}

/** The members one after the other; undefined if there is anything else, or a name comes twice. */
function readMembers(xml: string): WireObject | undefined {
	const members = new Map<string, ReadElement>();
	let position = 0;
	while (position < xml.length) {
		const element = readElement(xml, position);
		if (!element || members.has(element.name.toLowerCase())) return undefined;
		members.set(element.name.toLowerCase(), element);
		position = element.end;
	}
	return Object.fromEntries([...members.values()].map(({ name, text }) => [name, text]));
}

function readElement(xml: string, position: number): ReadElement | undefined {
	const rest = xml.slice(position);
	const typed = TYPED_TEXT.exec(rest);
	if (typed) return readTypedText(xml, typed[1], position + typed[0].length);

	const [all, name, text = ''] = ELEMENT.exec(rest) ?? [];
	if (all === undefined || name === undefined) return undefined;
	return { name, text, end: position + all.length };
}

/** A person can type the closing tag, too: the last one is the service's. */
function readTypedText(xml: string, name: string, begin: number): ReadElement | undefined {
	const closing = `</${name}>`;
	const end = xml.lastIndexOf(closing);
	if (end < begin) return undefined;

	const next = end + closing.length;
	const blanks = xml.length - next - xml.slice(next).trimStart().length;
	return { name, text: xml.slice(begin, end), end: next + blanks };
}
