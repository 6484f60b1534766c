import { isWireObject, textIn } from '../client/wireObject';
import type { WireValue, WireObject } from '../client/wireObject';
import { decode } from '../client/codec';

/** The service's names for the results of its two kinds of calls. Specification section 6. */
const CALL_ACTIONS = { voiceVerification: 'VoiceCode', voiceNotification: 'SellingCall' } as const;

/** The result of a call, by the kind of the call. */
export type CallEvent = keyof typeof CALL_ACTIONS;

/** Kind of a notification. Specification section 6. */
export type EventName = CallEvent | 'other';

/** How a call ended. */
export type OutcomeName = 'completed' | 'noAnswer' | 'failed' | 'unknown';

/** What the service reports when a call has ended. Texts are as delivered, trimmed. */
export interface Notification {
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

const EVENTS = new Map<string, EventName>(
	Object.entries(CALL_ACTIONS).map(([event, action]) => [action, event as CallEvent]),
);

/** The service asks this before it places a call, and takes a receipt for a yes. */
const ASKS_FOR_DECISION = 'CallAuth';

const OUTCOMES = new Map<string, OutcomeName>([
	['0', 'completed'],
	['1', 'noAnswer'],
	['2', 'failed'],
]);

const NAMED = ['action', 'callSid', 'number', 'state', 'duration', 'userData'];

/** Longest notification that is read; a real one has less than 1 KB. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a notification: one XML or JSON object, perhaps inside a `Request` of any case.
 * Specification section 6.
 *
 * @returns undefined if it is not a notification, or asks for a decision
 */
export function parseNotification(body: Buffer): Notification | undefined {
	const members = membersOf(body);
	const action = textIn(members, 'action');
	const event = EVENTS.get(action) ?? 'other';
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
export function resultKey({ event, callSid }: Pick<Notification, 'event' | 'callSid'>): string {
	return `${event} ${callSid}`;
}

/** How the call ended, by its state. */
export function outcomeOf({ state }: Notification): OutcomeName {
	return OUTCOMES.get(state) ?? 'unknown';
}

function membersOf(body: Buffer): WireObject {
	if (body.length > MAX_BYTES) return {};
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
		const members = decode(text, 'Request');
		return (/^\s*\{/.test(text) && requestIn(members)) || members;
	} catch {
		return {};
	}
}

/** JSON may wrap the notification; in XML the root element is the wrapper, and there is one only. */
function requestIn(members: WireObject): WireObject | undefined {
	const [only, ...more] = Object.entries(members);
	const isWrapper = only !== undefined && more.length === 0 && only[0].toLowerCase() === 'request';
	const inner: WireValue | undefined = isWrapper ? only[1] : undefined;
	return isWireObject(inner) ? inner : undefined;
}
