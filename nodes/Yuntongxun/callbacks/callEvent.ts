import type { IDataObject } from 'n8n-workflow';

import { decode, isWireObject, MAX_DEPTH, textIn } from '../client/codec';
import type { WireObject } from '../client/codec';

/** The result of a call, by the kind of the call. */
export type CallEventName = 'voiceVerification' | 'voiceNotification';

/** The service's names for the results of its two kinds of calls. Specification section 6. */
const EVENTS = new Map<string, CallEventName>([
	['VoiceCode', 'voiceVerification'],
	['SellingCall', 'voiceNotification'],
]);

/** How a call ended, by its state. */
const OUTCOMES = new Map(Object.entries({ 0: 'completed', 1: 'noAnswer', 2: 'failed' }));

/** What a result holds as text, trimmed; empty if it was not delivered. */
const TEXTS = ['action', 'callSid', 'number', 'state', 'duration'] as const;

type Texts = Record<(typeof TEXTS)[number], string>;

/** Names that nothing else that was delivered may have: known ones, and unsafe ones. */
const RESERVED = [...TEXTS, 'userData', 'userDataParsed', '__proto__', 'constructor', 'prototype'];

/** Maximum size of a body, in bytes; a real one has less than 1 KB. */
const MAX_BYTES = 256 * 1024;

/** What the service reports when a call has ended. */
export interface CallEvent extends Texts {
	event: CallEventName | 'other';
	/** Undefined if it was not delivered; not trimmed. */
	userData?: string;
	/** Everything else that was delivered. */
	others: WireObject;
}

/** A call event, and when it first reached n8n, in milliseconds since 1970. */
export interface CallResult {
	callEvent: CallEvent;
	at: number;
}

/**
 * Reads a call event: one XML or JSON object, perhaps inside a `Request` of any case; undefined if
 * it is none. Bytes that are no UTF-8 become U+FFFD. Specification section 6.
 */
export function parseCallEvent(body: Buffer): CallEvent | undefined {
	if (body.length > MAX_BYTES) return undefined;
	try {
		const callEvent = callEventOf(membersIn(new TextDecoder().decode(body)));
		const { event, action, callSid } = callEvent;
		// The service asks CallAuth before it places a call, and takes an acknowledgement for a yes.
		if (action === '' || action === 'CallAuth') return undefined;
		return event === 'other' || callSid !== '' ? callEvent : undefined;
	} catch {
		return undefined;
	}
}

/** JSON may wrap the members; in XML the root element is the wrapper, and there is one only. */
function membersIn(text: string): WireObject {
	const members = decode(text, 'Request');
	const [[name, inner] = [], ...more] = Object.entries(members);
	const isWrapper = /^\s*\{/.test(text) && more.length === 0 && name?.toLowerCase() === 'request';
	return isWrapper && isWireObject(inner) ? inner : members;
}

function callEventOf(members: WireObject): CallEvent {
	const texts = Object.fromEntries(TEXTS.map((name) => [name, textIn(members, name)])) as Texts;
	const others = Object.entries(members).filter(([name]) => !RESERVED.includes(name));
	const { userData } = members;
	const text = typeof userData === 'string' ? userData : JSON.stringify(userData);
	return {
		event: EVENTS.get(texts.action) ?? 'other',
		...texts,
		...(userData !== undefined && { userData: text }),
		others: Object.fromEntries(others),
	};
}

/** What tells a result from all others: a call can report under several actions. */
export function resultKey({ event, callSid }: Pick<CallEvent, 'event' | 'callSid'>): string {
	return `${event} ${callSid}`;
}

/** How the call ended, by its state: `completed`, `noAnswer`, `failed` or `unknown`. */
export function outcomeOf({ state }: Pick<CallEvent, 'state'>): string {
	return OUTCOMES.get(state) ?? 'unknown';
}

/** Whether a person picked up: the line was connected for more than 0 seconds. */
export function isAnswered(callEvent: Pick<CallEvent, 'state' | 'duration'> | undefined): boolean {
	return callEvent?.state === '0' && !/^0+$/.test(callEvent.duration);
}

/** A duration as a number; null if the text is none. */
export function toSeconds(duration: string): number | null {
	return /^\d+$/.test(duration) ? Number(duration) : null;
}

/** The json of the item that a call event becomes. Specification section 6. */
export function itemJson({ callEvent, at }: CallResult): IDataObject {
	const { others, ...named } = callEvent;
	return {
		...others,
		...named,
		...parsedUserData(named.userData),
		outcome: outcomeOf(callEvent),
		answered: isAnswered(callEvent),
		durationSeconds: toSeconds(named.duration),
		receivedAt: new Date(at).toISOString(),
	};
}

/** The value of user data that is a JSON object or array. Deep ones can crash those who copy them. */
function parsedUserData(userData = ''): IDataObject {
	if (!/^\s*[[{]/.test(userData)) return {};
	try {
		const value = JSON.parse(userData) as IDataObject;
		return isWithin(value, MAX_DEPTH) ? { userDataParsed: value } : {};
	} catch {
		return {};
	}
}

/** Whether a value is nested at most that many levels deep. */
function isWithin(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}

/** A call result as it is stored and delivered: a list, since names would take most of the room. */
export type ResultRecord = ReturnType<typeof toRecord>;

/** Writes a call result as a record. */
export function toRecord({ callEvent, at }: CallResult) {
	const { action, callSid, number, state, duration, others, userData } = callEvent;
	return [action, callSid, number, state, duration, at, others, userData] as const;
}

/** Reads what {@link toRecord} wrote; JSON makes null of what is undefined. */
export function fromRecord(record: ResultRecord): CallResult {
	const [action, callSid, number, state, duration, at, others, userData] = record;
	const members = { ...others, action, callSid, number, state, duration };
	return { at, callEvent: callEventOf(userData == null ? members : { ...members, userData }) };
}
