import type { IDataObject } from 'n8n-workflow';

import { getTextMember, MAX_DEPTH } from '../client/codec';
import type { WireObject } from '../client/codec';
import { toDateMember } from '../util/serviceTime';
import { parseJson } from '../util/text';

/** Anything the service reports: the result of a call, news of an SMS, a reply, or something else. */
export type Notification = CallEvent | SmsEvent;

/** The events that report the result of a call, one for each kind of call. */
export type CallEventName = 'voiceVerification' | 'voiceNotification';

/** What the form of the trigger calls the events. */
export const EVENT_LABELS = {
	voiceNotification: 'Call Ended',
	voiceVerification: 'Code Call Ended',
	smsReport: 'SMS Delivery Report',
	smsReply: 'SMS Reply',
	other: 'Something Else',
} as const;

/** Events that a new trigger starts for. */
export const DEFAULT_EVENTS = ['voiceVerification', 'voiceNotification'];

/**
 * The json of the item made from a notification. Specification section 6.
 *
 * @param receivedAt when it first reached n8n, in milliseconds since 1970
 */
export function toItemJson(notification: Notification, receivedAt: number): IDataObject {
	return {
		event: notification.event,
		...(isAboutSms(notification) ? notification.fields : toCallFields(notification)),
		receivedAt: new Date(receivedAt).toISOString(),
		notification: leaveOutUnsafe(notification.members),
	};
}

/** Whether a notification is a report on an SMS or a reply to one. */
export function isAboutSms(notification: Notification): notification is SmsEvent {
	return notification.event === 'smsReport' || notification.event === 'smsReply';
}

/** Whether a notification is the result of a call: not about SMS, and nothing else either. */
export function isCallResult(
	notification: Notification,
): notification is CallEvent & { event: CallEventName } {
	return isCallEvent(notification.event);
}

/** The action of an event's report, in any case of letters. Publicly known; section 6 shows none. */
export const ACTIONS: Readonly<Record<CallEventName, string>> = {
	voiceVerification: 'VoiceCode',
	voiceNotification: 'SellingCall',
};

const EVENTS_BY_ACTION = new Map(
	Object.entries(ACTIONS).map(([event, action]) => [action.toLowerCase(), event as CallEventName]),
);

/** Whether an event reports the result of a call. */
export function isCallEvent(event: string): event is CallEventName {
	return Object.hasOwn(ACTIONS, event);
}

/** A report that a call has ended, or any other notification that is not about SMS. Texts are empty if not delivered. */
export interface CallEvent {
	event: CallEventName | 'other';
	action: string;
	callSid: string;
	number: string;
	state: string;
	duration: string;
	/** Undefined if it was not delivered; not trimmed. */
	userData?: string;
	/** All that was delivered. */
	members: WireObject;
}

export interface CallResult {
	callEvent: CallEvent;
	/** When it first reached n8n, in milliseconds since 1970. */
	at: number;
}

/** Reads a call event from the members of a notification. A result needs a `callSid`. */
export function toCallEvent(members: WireObject): CallEvent {
	const action = getText(members, 'action');
	const callSid = getText(members, 'callSid');
	const kind = callSid === '' ? undefined : EVENTS_BY_ACTION.get(action.toLowerCase());
	const callEvent: CallEvent = {
		event: kind ?? 'other',
		action,
		callSid,
		number: getText(members, 'number'),
		state: getText(members, 'state'),
		duration: getText(members, 'duration'),
		members,
	};
	const userDataName = findName(members, 'userData');
	if (userDataName !== undefined) {
		const userData = members[userDataName];
		callEvent.userData = typeof userData === 'string' ? userData : JSON.stringify(userData);
	}
	return callEvent;
}

const OUTCOMES = new Map(Object.entries({ 0: 'completed', 1: 'noAnswer', 2: 'failed' }));

/** How the call ended, by its state: `completed`, `noAnswer`, `failed` or `unknown`. */
export function getOutcome({ state }: Pick<CallEvent, 'state'>): string {
	return OUTCOMES.get(state) ?? 'unknown';
}

/**
 * Whether a person or a voicemail picked up: state 0 and a duration that is not 0. A duration that was
 * not delivered, or that nobody can read, does not speak against it.
 */
export function isAnswered({ state, duration }: Pick<CallEvent, 'state' | 'duration'>): boolean {
	return state === '0' && !/^0+$/.test(duration);
}

/** A duration in seconds, as the service wrote it; null if the text is not a whole number. */
export function toSeconds(duration: string): number | null {
	return /^\d+$/.test(duration) ? Number(duration) : null;
}

function toCallFields(callEvent: CallEvent): IDataObject {
	const { action, callSid, number, state, duration, userData } = callEvent;
	return {
		action,
		callSid,
		number,
		state,
		duration,
		...(userData !== undefined && { userData }),
		...parseUserData(userData),
		outcome: getOutcome(callEvent),
		answered: isAnswered(callEvent),
		durationSeconds: toSeconds(duration),
	};
}

/**
 * Parses user data that is a JSON object or array. Deep nesting can crash whatever copies it, and some
 * names can change it.
 */
function parseUserData(userData = ''): IDataObject {
	if (!/^\s*[[{]/.test(userData)) return {};
	const value = parseJson(userData) as IDataObject | undefined;
	return value && isNestedWithin(value, MAX_DEPTH) ? { userDataParsed: leaveOutUnsafe(value) } : {};
}

/** Whether a value is nested at most this many levels deep. */
function isNestedWithin(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return levels > 0 && Object.values(value).every((member) => isNestedWithin(member, levels - 1));
}

/**
 * A push about an SMS: whether it reached the phone, or what the person replied. It comes to an address that is
 * set in the service's console. The specification does not have it: the names come from recorded samples,
 * untried against the live service.
 */
export interface SmsEvent {
	event: 'smsReport' | 'smsReply';
	/** Of its item. */
	fields: IDataObject;
	/** All that was delivered. */
	members: WireObject;
}

/** The action of every push about SMS. */
const SMS_ACTION = 'SMSArrived';

/** The `smsType` of a delivery report; any other is a reply. */
const REPORT_TYPE = '1';

/** The `status` of an SMS that has reached the phone. */
const DELIVERED_STATUS = '0';

/** The country code of mainland China in front of a mobile number: Send gives it in `to` without. */
const COUNTRY_CODE = /^(?:\+|00)?86(?=1[3-9]\d{9}$)/;

/** Whether an action is that of a push about SMS. Case does not matter. */
export function isSmsAction(action: string): boolean {
	return action.toLowerCase() === SMS_ACTION.toLowerCase();
}

/** Reads a push about SMS from the members of a notification. */
export function toSmsEvent(members: WireObject): SmsEvent {
	const number = getText(members, 'fromNum').replace(COUNTRY_CODE, '');
	const content = getText(members, 'content');
	const sentAt = toDateMember('sentAt', getText(members, 'dateSent'));
	if (getText(members, 'smsType') !== REPORT_TYPE) {
		const appendCode = getText(members, 'appendCode');
		return { event: 'smsReply', fields: { text: content, number, appendCode, ...sentAt }, members };
	}

	const status = getText(members, 'status');
	const fields = {
		// A report has the ID of its SMS where a reply has its text.
		smsMessageSid: content,
		number,
		// Without a status nobody knows: another word for it may stand in `deliverCode`.
		...(status !== '' && { delivered: status === DELIVERED_STATUS }),
		deliverCode: getText(members, 'deliverCode'),
		smsCount: getText(members, 'smsCount'),
		reqId: getText(members, 'reqId'),
		...sentAt,
		...toDateMember('reportedAt', getText(members, 'recvTime')),
	};
	return { event: 'smsReport', fields, members };
}

/**
 * The name under which a member was delivered; undefined if it was not. The service's documents spell names in
 * several ways, so case does not matter, but the exact spelling comes first.
 */
export function findName(members: WireObject, name: string): string | undefined {
	if (Object.hasOwn(members, name)) return name;

	const wanted = name.toLowerCase();
	return Object.keys(members).find((each) => each.toLowerCase() === wanted);
}

/** The text of a member, trimmed; empty if no text was delivered. */
export function getText(members: WireObject, name: string): string {
	const found = findName(members, name);
	return found === undefined ? '' : getTextMember(members, found);
}

/** Names that would change the object itself when they are assigned. */
const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** A copy of a JSON value, at any depth without the names that would change an object. */
function leaveOutUnsafe<Value>(value: Value): Value;
function leaveOutUnsafe(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((each: unknown) => leaveOutUnsafe(each));
	if (typeof value !== 'object' || value === null) return value;

	const safe = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.includes(name));
	return Object.fromEntries(safe.map(([name, member]) => [name, leaveOutUnsafe<unknown>(member)]));
}
