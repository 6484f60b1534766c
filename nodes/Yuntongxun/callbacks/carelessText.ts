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

/**
 * A member whose text a person may have typed, so that anything can stand in it, tags included, its own
 * closing one as well: the last one is the service's.
 */
const TYPED_MEMBER =
	/<(?<typed>content|userData)(?:\s[^<>]*)?(?<!\/)>(?<typedText>[^]*)<\/\k<typed>>\s*/;

/** Any other member; a raw `<` would leave open where it ends. */
const PLAIN_MEMBER = /<(?<name>[\w.:-]+)(?:\s[^<>]*)?(?:\/>|>(?<text>[^<]*)<\/\k<name>>)\s*/;

/** Members one right after the other. */
const MEMBERS = new RegExp(`${TYPED_MEMBER.source}|${PLAIN_MEMBER.source}`, 'giy');

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
	const found = [...xml.matchAll(MEMBERS)];
	const members = found.map(({ groups = {} }) => {
		const { name = groups.typed, text = groups.typedText ?? '' } = groups;
		return [name, text] as const;
	});
	const isWhole = found.map(([all]) => all).join('') === xml;
	const names = new Set(members.map(([name]) => name.toLowerCase()));
	return isWhole && names.size === members.length ? Object.fromEntries(members) : undefined;
}
