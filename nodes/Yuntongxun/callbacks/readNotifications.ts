import { decodeAny, isWireObject, isXml } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';
import { escapeXml } from '../client/xml';
import {
	findName,
	getText,
	isCallResult,
	isSmsAction,
	toCallEvent,
	toSmsEvent,
} from './notification';
import type { Notification } from './notification';

/** The most that one request may have, in bytes; a notification has less than 1 KB. */
const MAX_REQUEST_BYTES = 32 * 1024;

/** Every notification has at least one of these members. */
const SIGNS = ['action', 'callSid', 'userData'];

/**
 * With this action, in lower case here, the service asks whether it may place a call for somebody. It
 * would take an acknowledgement as a yes, which is not for us to give.
 */
const DECISION = 'callauth';

/**
 * Reads the notifications of a request: XML with any root or JSON, one or a list, in wrappers or not.
 * The specification leaves the form open (section 6).
 *
 * @returns at least one; undefined if there is none, something in the request is ambiguous, it is too
 * large, or it asks for a decision about a call
 */
export function readNotifications(body: Buffer): Notification[] | undefined {
	const document = body.length > MAX_REQUEST_BYTES ? undefined : readContent(body.toString('utf8'));
	if (!document || asksForDecision(document.content, document.root)) return undefined;

	const found = findObjects(document.content);
	const isWhole = found.length > 0 && found.every(hasSign);
	if (!isWhole || (document.root !== undefined && found.some(repeatsElement))) return undefined;

	const notifications = found.map(toNotification);
	return notifications.length === 1 || isUntypedList(notifications) ? notifications : undefined;
}

/**
 * Reads the text of a request. If an XML document is a single notification, we know where a text that somebody
 * typed ends, whatever it contains.
 */
function readContent(text: string): WireDocument | undefined {
	const only = isXml(text) ? readDocument(escapeTyped(text)) : undefined;
	return only && isWireObject(only.content) && hasSign(only.content) ? only : readDocument(text);
}

/** All objects of a document but wrappers: those that are no notification and have one other object. */
function findObjects(content: WireValue): WireObject[] {
	if (Array.isArray(content)) return content.flatMap(findObjects);
	if (!isWireObject(content)) return [];

	const inside = Object.values(content).filter((value) => typeof value !== 'string');
	return hasSign(content) || inside.length !== 1 ? [content] : findObjects(inside[0]);
}

function hasSign(members: WireObject): boolean {
	return SIGNS.some((name) => findName(members, name) !== undefined);
}

/** Whether a member of XML comes twice: nobody may choose by what they type which one counts. */
function repeatsElement(members: WireObject): boolean {
	return Object.values(members).some((value) => Array.isArray(value));
}

/**
 * Whether a list holds nothing that a person may have typed: a text that is not escaped could end its
 * notification and begin another, from another number.
 */
function isUntypedList(notifications: readonly Notification[]): boolean {
	const areReports = notifications.every(({ event }) => event === 'smsReport');
	return areReports || notifications.every((each) => isCallResult(each) && !each.userData);
}

/** Whether a request asks for a decision about a call, by an action or the name of what is around it. */
function asksForDecision(content: WireValue, name = ''): boolean {
	if (isDecision(name)) return true;
	if (typeof content === 'string') return name.toLowerCase() === 'action' && isDecision(content);
	if (Array.isArray(content)) return content.some((each) => asksForDecision(each, name));
	return Object.entries(content).some(([each, value]) => asksForDecision(value, each));
}

function isDecision(text: string): boolean {
	return text.trim().toLowerCase() === DECISION;
}

function toNotification(members: WireObject): Notification {
	return isSmsAction(getText(members, 'action')) ? toSmsEvent(members) : toCallEvent(members);
}

/*
 * Documents as programs write them that put texts together: XML whose texts have a raw `&` or `<`, JSON
 * whose texts have raw control characters. Reading is strict, and after one repair it is strict again.
 */

/** What a request holds. */
type WireDocument = ReturnType<typeof decodeAny>;

/** The opening tag of a member whose text a person may have typed, so that anything can stand in it. */
const TYPED_MEMBER = /<(content|userData)(?:\s[^<>]*)?(?<!\/)>/i;

/** An `&` that begins no reference. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** One CDATA section and nothing else. */
const CDATA = /^\s*<!\[CDATA\[(?:(?!\]\]>)[^])*\]\]>\s*$/;

/** A control character below the blank; JSON permits none in a text. */
const CONTROL_CHARACTER = /[^\u0020-\uffff]/g;

/** A text of a JSON document, or the colon behind a name. */
const JSON_PART = /"(?:[^"\\]|\\.)*"|:/g;

/**
 * Reads a document in XML or JSON, repaired once if it is not well-formed.
 *
 * @returns undefined if it cannot be told what it holds
 */
function readDocument(text: string): WireDocument | undefined {
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

/**
 * Escapes in an XML document with one notification what a person may have typed, up to the last closing
 * tag of its member: that one is the service's. What the service has escaped, or put into a CDATA section,
 * stays as it is.
 */
function escapeTyped(xml: string): string {
	const [opening, name] = TYPED_MEMBER.exec(xml) ?? [];
	if (opening === undefined) return xml;

	const start = xml.indexOf(opening) + opening.length;
	const end = xml.lastIndexOf(`</${name}>`);
	if (end < start) return xml;

	const typed = xml.slice(start, end);
	const hasMarkup = typed.includes('<') || typed.search(BARE_AMPERSAND) !== -1;
	const isRaw = hasMarkup && !CDATA.test(typed);
	return xml.slice(0, start) + (isRaw ? escapeXml(typed) : typed) + escapeTyped(xml.slice(end));
}

/** Whether an object in a JSON text has a name twice: reading takes the last one, which may be typed. */
function repeatsName(json: string): boolean {
	const written = (json.match(JSON_PART) ?? []).filter((part) => part === ':').length;
	return written > countNames(JSON.parse(json.trim()));
}

function countNames(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const own = Array.isArray(value) ? 0 : Object.keys(value).length;
	return Object.values(value).reduce((sum: number, member) => sum + countNames(member), own);
}
