import type { IDataObject } from 'n8n-workflow';

import { decodeAny, isWireObject } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';
import { toCallEvent, toCallItemJson } from './callEvent';
import type { CallEvent, CallEventName } from './callEvent';
import { findName, getText } from './members';
import { isSmsAction, toSmsEvent, toSmsItemJson } from './smsEvent';
import type { SmsEvent } from './smsEvent';

/** Anything the service reports: the result of a call, news of an SMS, a reply, or something else. */
export type Notification = CallEvent | SmsEvent;

/** What the form of the trigger calls the events. */
export const EVENT_LABELS = {
	voiceNotification: 'Call Ended (Notification)',
	voiceVerification: 'Call Ended (Verification)',
	smsReport: 'SMS Delivery Report',
	smsReply: 'SMS Reply',
	other: 'Something Else',
} as const;

/** Maximum size of a body, in bytes; real ones have less than 1 KB. */
const MAX_BYTES = 32 * 1024;

/** Every notification has at least one of these members. */
const SIGNS = ['action', 'callSid', 'userData'];

/**
 * With this action, in lower case here, the service asks whether it may place a call for somebody. It
 * would take an acknowledgement as a yes, which is not for us to give.
 */
const DECISION = 'callauth';

/**
 * Reads a notification: an XML document with any root, or a JSON object, which may be alone in a list
 * or inside a `Request` of any case. Bytes that are not UTF-8 become U+FFFD. The
 * specification leaves the form open (section 6).
 *
 * @returns undefined if the body is not a notification, or asks for a decision about a call
 */
export function parseNotification(body: Buffer): Notification | undefined {
	if (body.length > MAX_BYTES) return undefined;

	try {
		const text = new TextDecoder().decode(body);
		const { root = '', content } = decodeAny(text);
		const members = root === '' ? unwrap(content) : content;
		if (!isWireObject(members) || asksForDecision(root, members)) return undefined;
		return toNotification(members);
	} catch {
		return undefined;
	}
}

/** Takes JSON out of a list of one and out of its wrapper; in XML the root is the wrapper. */
function unwrap(content: WireValue): WireValue {
	const only = takeOnly(content);
	if (!isWireObject(only)) return only;

	const names = Object.keys(only);
	const isWrapper = names.length === 1 && names[0].toLowerCase() === 'request';
	return isWrapper ? takeOnly(only[names[0]]) : only;
}

function takeOnly(value: WireValue): WireValue {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function toNotification(members: WireObject): Notification | undefined {
	if (!SIGNS.some((name) => findName(members, name) !== undefined)) return undefined;
	return isSmsAction(getText(members, 'action')) ? toSmsEvent(members) : toCallEvent(members);
}

/** Whether the root or an action says so, in any case. A wrapper of that name holds no notification. */
function asksForDecision(root: string, members: WireObject): boolean {
	const actions = Object.entries(members)
		.filter(([name]) => name.toLowerCase() === 'action')
		.flatMap(([, action]) => action);
	return [root, ...actions].some((text) => {
		return typeof text === 'string' && text.trim().toLowerCase() === DECISION;
	});
}

/**
 * The json of the item made from a notification. Specification section 6.
 *
 * @param receivedAt when it first reached n8n, in milliseconds since 1970
 */
export function toItemJson(notification: Notification, receivedAt: number): IDataObject {
	switch (notification.event) {
		case 'smsReport':
		case 'smsReply':
			return toSmsItemJson(notification, receivedAt);
		case 'voiceVerification':
		case 'voiceNotification':
		case 'other':
			return toCallItemJson(notification, receivedAt);
	}
}

/** Whether a notification is the result of a call: not about SMS, and nothing else either. */
export function isCallResult(
	notification: Notification,
): notification is CallEvent & { event: CallEventName } {
	return notification.event === 'voiceVerification' || notification.event === 'voiceNotification';
}
