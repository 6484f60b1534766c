import { isWireObject } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';
import { toCallEvent } from './callEvent';
import { findName, getText } from './members';
import type { Notification } from './notification';
import { readDocument } from './readDocument';
import { isSmsAction, toSmsEvent } from './smsEvent';

/** The most that one request may have, in bytes; a notification has less than 1 KB. */
const MAX_BYTES = 32 * 1024;

/** Every notification has at least one of these members. */
const SIGNS = ['action', 'callSid', 'userData'];

/** The wrapper that the service is known to use, in lower case. Facts 4. */
const WRAPPER = 'request';

/**
 * With this action, in lower case here, the service asks whether it may place a call for somebody. It
 * would take an acknowledgement as a yes, which is not for us to give.
 */
const DECISION = 'callauth';

/**
 * Reads the notifications of a request: XML with any root or JSON, one or a list, in wrappers or not.
 * The specification leaves the form open (section 6). What stands beside them is ignored.
 *
 * @returns at least one; undefined if there is none, one of them is ambiguous, the request is too
 * large, or it asks for a decision about a call
 */
export function readNotifications(body: Buffer): Notification[] | undefined {
	const document = body.length > MAX_BYTES ? undefined : readDocument(body.toString('utf8'));
	if (!document || asksForDecision(document.content, document.root)) return undefined;

	const found = findNotifications(document.content);
	const isXml = document.root !== undefined;
	if (found.length === 0 || (isXml && found.some(repeatsElement))) return undefined;
	return found.map(toNotification);
}

/** The members of all notifications in a document; in XML the root is the outermost wrapper. */
function findNotifications(content: WireValue): WireObject[] {
	if (Array.isArray(content)) return content.flatMap(findNotifications);
	if (!isWireObject(content)) return [];
	if (hasSign(content)) return [content];

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

/**
 * Whether a member of XML comes twice: whoever types `</content><state>0</state><content>` must not choose
 * which one counts.
 */
function repeatsElement(members: WireObject): boolean {
	return Object.values(members).some((value) => Array.isArray(value));
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
