import { decodeAny } from '../client/codec';
import type { WireValue } from '../client/codec';
import { escapeXml } from '../client/xml';

/*
 * Documents as programs write them that put texts together: XML whose texts have a raw `&` or `<`, JSON
 * whose texts have raw control characters. Reading is strict, and after one repair it is strict again.
 */

/** What a request holds. */
export interface WireDocument {
	/** Name of the XML root element; JSON has none. */
	readonly root?: string;
	readonly content: WireValue;
}

/** The opening tag of a member whose text a person may have typed, so that anything can stand in it. */
const TYPED_MEMBER = /<(content|userData)(?:\s[^<>]*)?(?<!\/)>/i;

/** An `&` that begins no reference. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** One CDATA section and nothing else. */
const CDATA = /^\s*<!\[CDATA\[(?:(?!\]\]>)[^])*\]\]>\s*$/;

/** A control character below the blank; JSON permits none in a text. */
const CONTROL_CHARACTER = /[^\u0020-\uffff]/g;

/** A text of a JSON document, a sign that stands around a name, or the begin or end of an object. */
const JSON_PART = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * Reads a document in XML or JSON, repaired once if it is not well-formed.
 *
 * @returns undefined if it cannot be told what it holds
 */
export function readDocument(text: string): WireDocument | undefined {
	return readStrictly(text) ?? readStrictly(repair(text));
}

function readStrictly(text: string): WireDocument | undefined {
	try {
		const document = decodeAny(text);
		return document.root === undefined && repeatsName(text) ? undefined : document;
	} catch {
		return undefined;
	}
}

function repair(text: string): string {
	return isXml(text) ? text.replace(BARE_AMPERSAND, '&amp;') : text.replace(CONTROL_CHARACTER, ' ');
}

/** Whether a text is XML, by its first character. */
export function isXml(text: string): boolean {
	return text.replace('\ufeff', '').trimStart().startsWith('<');
}

/**
 * Escapes in an XML document with one notification what a person may have typed, up to the last closing
 * tag of its member: that one is the service's. What the service has escaped, or put into a CDATA section,
 * stays as it is.
 */
export function escapeTyped(xml: string): string {
	const [opening, name] = TYPED_MEMBER.exec(xml) ?? [];
	if (opening === undefined) return xml;

	const start = xml.indexOf(opening) + opening.length;
	const end = xml.lastIndexOf(`</${name}>`);
	if (end < start) return xml;

	const typed = xml.slice(start, end);
	const isRaw = typed.replace(BARE_AMPERSAND, '<').includes('<') && !CDATA.test(typed);
	return xml.slice(0, start) + (isRaw ? escapeXml(typed) : typed) + escapeTyped(xml.slice(end));
}

/** Whether an object in a JSON text has a name twice: reading takes the last one, which may be typed. */
function repeatsName(json: string): boolean {
	const parts = json.match(JSON_PART) ?? [];
	/** Of the objects that are open, the innermost last. */
	const open: Array<Set<string>> = [];
	for (const [at, part] of parts.entries()) {
		if (part === '{') open.push(new Set());
		if (part === '}') open.pop();
		if (parts[at + 1] !== ':') continue;

		const names = open[open.length - 1];
		const name = JSON.parse(part) as string;
		if (names.has(name)) return true;
		names.add(name);
	}
	return false;
}
