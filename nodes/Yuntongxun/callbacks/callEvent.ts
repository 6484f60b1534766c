import type { IDataObject } from 'n8n-workflow';

import { MAX_DEPTH } from '../client/codec';
import type { WireObject } from '../client/codec';
import { parseJson } from '../util/text';
import { findName, getTexts, leaveOutUnsafe } from './members';

/** The events that report the result of a call, one for each kind of call. */
export type CallEventName = 'voiceVerification' | 'voiceNotification';

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

/** How a call ended, by its state. */
const OUTCOMES = new Map(Object.entries({ 0: 'completed', 1: 'noAnswer', 2: 'failed' }));

/** Members of a result, read as trimmed text; empty if they were not delivered. */
const CALL_TEXTS = ['action', 'callSid', 'number', 'state', 'duration'] as const;

type CallTexts = Record<(typeof CALL_TEXTS)[number], string>;

/** A report that a call has ended, or any other notification that is not about SMS. */
export interface CallEvent extends CallTexts {
	event: CallEventName | 'other';
	/** Undefined if it was not delivered; not trimmed. */
	userData?: string;
	/** All that was delivered. */
	members: WireObject;
}

/** The result of a call. */
export interface CallResult {
	callEvent: CallEvent;
	/** When it first reached n8n, in milliseconds since 1970. */
	at: number;
}

/** Reads a call event from the members of a notification. A result needs a `callSid`. */
export function toCallEvent(members: WireObject): CallEvent {
	const texts = getTexts(members, CALL_TEXTS);
	const kind = texts.callSid === '' ? undefined : EVENTS_BY_ACTION.get(texts.action.toLowerCase());
	const userDataName = findName(members, 'userData');

	const callEvent: CallEvent = { event: kind ?? 'other', ...texts, members };
	if (userDataName !== undefined) {
		const userData = members[userDataName];
		callEvent.userData = typeof userData === 'string' ? userData : JSON.stringify(userData);
	}
	return callEvent;
}

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

/** The named fields of the item made from a call event. Specification section 6. */
export function toCallFields(callEvent: CallEvent): IDataObject {
	const { event, action, callSid, number, state, duration, userData } = callEvent;
	return {
		event,
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
