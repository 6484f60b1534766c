import type { IDataObject } from 'n8n-workflow';

import { decode, isWireObject, textIn } from '../client/codec';
import type { WireObject, WireValue } from '../client/codec';

/** The service's names for the results of its two kinds of calls. Specification section 6. */
const CALL_ACTIONS = { voiceVerification: 'VoiceCode', voiceNotification: 'SellingCall' } as const;

/** The result of a call, by the kind of the call. */
export type CallEventName = keyof typeof CALL_ACTIONS;

/** Kind of a call event. Specification section 6. */
export type EventName = CallEventName | 'other';

/** How a call ended. */
export type OutcomeName = 'completed' | 'noAnswer' | 'failed' | 'unknown';

/** What the service reports when a call has ended. Texts are as delivered, trimmed. */
export interface CallEvent {
	event: EventName;
	action: string;
	callSid: string;
	number: string;
	state: string;
	duration: string;
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

const EVENT_NAMES = Object.keys(CALL_ACTIONS) as CallEventName[];

/** The service asks this before it places a call, and takes an acknowledgement for a yes. */
const ASKS_FOR_DECISION = 'CallAuth';

const OUTCOMES = new Map<string, OutcomeName>([
	['0', 'completed'],
	['1', 'noAnswer'],
	['2', 'failed'],
]);

const NAMED = ['action', 'callSid', 'number', 'state', 'duration', 'userData'];

/** Names that a call event must not set: unsafe ones, and those of this package. */
const RESERVED_NAMES = [
	'__proto__',
	'constructor',
	'prototype',
	'event',
	'userDataParsed',
	'outcome',
	'answered',
	'durationSeconds',
	'receivedAt',
];

/** Maximum size of a body, in bytes; a real one has less than 1 KB. */
const MAX_BYTES = 256 * 1024;

/** How deep a value in user data may be nested: deeper ones can crash those who copy them. */
const MAX_LEVELS = 20;

/**
 * Reads a call event: one XML or JSON object, perhaps inside a `Request` of any case. Bytes that
 * are no UTF-8 become U+FFFD. Specification section 6.
 *
 * @returns undefined if it is no call event, or asks for a decision
 */
export function parseCallEvent(body: Buffer): CallEvent | undefined {
	const members = membersOf(body);
	const action = textIn(members, 'action');
	const event = EVENT_NAMES.find((name) => CALL_ACTIONS[name] === action) ?? 'other';
	const callSid = textIn(members, 'callSid');
	if (action === '' || action === ASKS_FOR_DECISION) return undefined;
	if (event !== 'other' && callSid === '') return undefined;
	const { userData } = members;
	return {
		event,
		action,
		callSid,
		number: textIn(members, 'number'),
		state: textIn(members, 'state'),
		duration: textIn(members, 'duration'),
		...(userData !== undefined && {
			userData: typeof userData === 'string' ? userData : JSON.stringify(userData),
		}),
		others: Object.fromEntries(Object.entries(members).filter(([name]) => !NAMED.includes(name))),
	};
}

/** What tells a result from all others: a call can report under several actions. */
export function resultKey({ event, callSid }: Pick<CallEvent, 'event' | 'callSid'>): string {
	return `${event} ${callSid}`;
}

/** How the call ended, by its state. */
export function outcomeOf({ state }: CallEvent): OutcomeName {
	return OUTCOMES.get(state) ?? 'unknown';
}

/** Whether a person picked up: the line was connected for more than 0 seconds. */
export function isAnswered(callEvent: CallEvent | undefined): boolean {
	return callEvent?.state === '0' && !/^0+$/.test(callEvent.duration);
}

/** The json of the item that a call event becomes. Specification section 6. */
export function itemJson({ callEvent, at }: CallResult): IDataObject {
	const { event, action, callSid, number, state, duration, userData, others } = callEvent;
	const extras = Object.entries(others).filter(([name]) => !RESERVED_NAMES.includes(name));
	return {
		...Object.fromEntries(extras),
		event,
		action,
		callSid,
		number,
		state,
		duration,
		...(userData !== undefined && { userData, ...parsedUserData(userData) }),
		outcome: outcomeOf(callEvent),
		answered: isAnswered(callEvent),
		durationSeconds: /^\d+$/.test(duration) ? Number(duration) : null,
		receivedAt: new Date(at).toISOString(),
	};
}

/** A call result as it is stored and delivered: a list, since names would take most of the room. */
export type ResultRecord = [
	event: number,
	callSid: string,
	number: string,
	state: string,
	duration: string,
	at: number,
	userData?: string | null,
	others?: WireObject,
];

/** Writes the result of a call, which is no other event, in few bytes. */
export function toRecord({ callEvent, at }: CallResult): ResultRecord {
	const { event, callSid, number, state, duration, userData, others } = callEvent;
	const record: ResultRecord = [
		EVENT_NAMES.indexOf(event as CallEventName),
		callSid,
		number,
		state,
		duration,
		at,
	];
	const hasOthers = Object.keys(others).length > 0;
	if (userData !== undefined || hasOthers) record.push(userData ?? null);
	if (hasOthers) record.push(others);
	return record;
}

/** Reads what {@link toRecord} wrote. */
export function fromRecord(record: ResultRecord): CallResult {
	const [index, callSid, number, state, duration, at, userData, others = {}] = record;
	const event = EVENT_NAMES[index];
	return {
		callEvent: {
			event,
			action: CALL_ACTIONS[event],
			callSid,
			number,
			state,
			duration,
			...(typeof userData === 'string' && { userData }),
			others,
		},
		at,
	};
}

function membersOf(body: Buffer): WireObject {
	if (body.length > MAX_BYTES) return {};
	try {
		const text = new TextDecoder().decode(body);
		const members = decode(text, 'Request');
		return (/^\s*\{/.test(text) && requestIn(members)) || members;
	} catch {
		return {};
	}
}

/** JSON may wrap the call event; in XML the root element is the wrapper, and there is one only. */
function requestIn(members: WireObject): WireObject | undefined {
	const [only, ...more] = Object.entries(members);
	const isWrapper = only !== undefined && more.length === 0 && only[0].toLowerCase() === 'request';
	const inner: WireValue | undefined = isWrapper ? only[1] : undefined;
	return isWireObject(inner) ? inner : undefined;
}

/** The value of user data that is a JSON object or array, and not nested too deep. */
function parsedUserData(userData: string): IDataObject {
	if (!/^\s*[[{]/.test(userData)) return {};
	try {
		const value = JSON.parse(userData) as IDataObject;
		return isWithin(value, MAX_LEVELS) ? { userDataParsed: value } : {};
	} catch {
		return {};
	}
}

/** Whether a value is nested at most that many levels deep. */
function isWithin(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}
