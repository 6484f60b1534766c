import { decodeAny, isWireObject } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';
import { toCallEvent } from './callEvent';
import { decodeCareless } from './carelessText';
import { findName, getText } from './members';
import type { Notification } from './notification';
import { isSmsAction, toSmsEvent } from './smsEvent';

/** The most that one request may have, in bytes; real ones have less than 1 KB. */
const MAX_REQUEST_BYTES = 256 * 1024;

/** The most that one notification may have, in bytes, as JSON without layout. */
const MAX_NOTIFICATION_BYTES = 32 * 1024;

/** How many notifications one request may have. */
const MAX_NOTIFICATIONS = 500;

/**
 * How many tags, objects and lists one request may open: about as many as 500 notifications of nine members
 * have in XML. Reading takes a processor's time for each, so more are not even parsed.
 */
const MAX_OPENED = 10_000;

/** Every notification has at least one of these members. */
const SIGNS = ['action', 'callSid', 'userData'];

/** The wrapper that the service is known to use, in lower case. Facts 4. */
const WRAPPER = 'request';

/**
 * With this action, in lower case here, the service asks whether it may place a call for somebody. It
 * would take an acknowledgement as a yes, which is not for us to give.
 */
const DECISION = 'callauth';

/** The encoding that the declaration of an XML document names. */
const DECLARED_ENCODING = /^\ufeff?\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w-]+)/i;

/**
 * Decodes the body of a request: UTF-8, or where it is none, the encoding that its XML declaration
 * names. Bytes that fit neither become U+FFFD.
 *
 * @returns empty if the body has more than 256 KB
 */
export function decodeBody(body: Buffer): string {
	if (body.length > MAX_REQUEST_BYTES) return '';

	const text = body.toString('utf8');
	const [, encoding] = DECLARED_ENCODING.exec(text) ?? [];
	if (encoding === undefined || !text.includes('\ufffd')) return text;
	try {
		return new TextDecoder(encoding).decode(body);
	} catch {
		// Node.js does not know it.
		return text;
	}
}

/**
 * Reads the notifications of a request: XML with any root or JSON, one or a list, in wrappers or not.
 * The specification leaves the form open (section 6). What stands beside them is ignored.
 *
 * @returns at least one; undefined if there is none, there are too many, or the request asks for a
 * decision about a call
 */
export function readNotifications(text: string): Notification[] | undefined {
	if (Buffer.byteLength(text) > MAX_REQUEST_BYTES || opensTooMuch(text)) return undefined;

	const document = decodeDocument(text);
	if (!document) return undefined;
	const { root, content } = document;
	if (asksForDecision(content, root)) return undefined;

	const notifications = findNotifications(content);
	const isTaken = notifications.length > 0 && notifications.length <= MAX_NOTIFICATIONS;
	return isTaken ? notifications.map(toNotification) : undefined;
}

const opensTooMuch = (text: string): boolean =>
	text.split(/[<{[]/, MAX_OPENED + 2).length > MAX_OPENED + 1;

/** Strictly first, so that what is well-formed is read in one way only. */
function decodeDocument(text: string): { root?: string; content: WireValue } | undefined {
	const document = decodeOnce(text);
	// Some programs write as JSON what was a text in JSON already.
	const isQuoted = document?.root === undefined && typeof document?.content === 'string';
	return isQuoted ? decodeOnce(document.content as string) : document;
}

function decodeOnce(text: string): { root?: string; content: WireValue } | undefined {
	try {
		return decodeAny(text);
	} catch {
		return decodeCareless(text);
	}
}

/** The members of all notifications in a document; in XML the root is the outermost wrapper. */
function findNotifications(content: WireValue): WireObject[] {
	if (Array.isArray(content)) return content.flatMap(findNotifications);
	if (!isWireObject(content)) return [];
	if (hasSign(content)) return isSmall(content) ? [content] : [];

	const wrapped = findWrapped(content);
	return wrapped === undefined ? [] : findNotifications(content[wrapped]);
}

/**
 * The name of the member that an object wraps: a `Request` beside whatever else, or the only member,
 * whatever its name. Undefined if the object is no wrapper.
 */
function findWrapped(members: WireObject): string | undefined {
	const names = Object.keys(members);
	const only = names.length === 1 ? names[0] : undefined;
	const wrapped = names.find((name) => name.toLowerCase() === WRAPPER) ?? only;
	return wrapped !== undefined && typeof members[wrapped] !== 'string' ? wrapped : undefined;
}

function hasSign(members: WireObject): boolean {
	return SIGNS.some((name) => findName(members, name) !== undefined);
}

function isSmall(members: WireObject): boolean {
	return Buffer.byteLength(JSON.stringify(members)) <= MAX_NOTIFICATION_BYTES;
}

/**
 * Whether a request asks for a decision about a call: with any of its actions, or with the name of its
 * root or of a wrapper. What a notification itself holds is not looked into, but for a `Request`.
 *
 * @param name of what is around the content
 */
function asksForDecision(content: WireValue, name = ''): boolean {
	if (isDecision(name)) return true;
	if (Array.isArray(content)) return content.some((each) => asksForDecision(each, name));
	if (!isWireObject(content)) return false;

	const actions = Object.entries(content).filter(([each]) => each.toLowerCase() === 'action');
	if (actions.flatMap(([, action]) => action).some(isDecision)) return true;
	const inside = hasSign(content) ? [findWrapped(content) ?? ''] : Object.keys(content);
	return inside.some((each) => asksForDecision(content[each], each));
}

function isDecision(value: WireValue): boolean {
	return typeof value === 'string' && value.trim().toLowerCase() === DECISION;
}

function toNotification(members: WireObject): Notification {
	return isSmsAction(getText(members, 'action')) ? toSmsEvent(members) : toCallEvent(members);
}
