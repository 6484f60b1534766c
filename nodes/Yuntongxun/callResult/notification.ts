import { isMembers, textOf } from '../service/members';
import type { Member, Members } from '../service/members';
import { decode } from '../service/wireFormat';

/** Which kind of notification it is. Specification section 6. */
export type EventName = 'voiceVerification' | 'voiceNotification' | 'other';

/** How a call ended. */
export type OutcomeName = 'completed' | 'noAnswer' | 'failed' | 'unknown';

/** What the service tells when a call has ended. Texts are as delivered, without blanks around. */
export interface Notification {
	event: EventName;
	action: string;
	callSid: string;
	number: string;
	state: string;
	duration: string;
	/** Only where it was delivered; blanks kept. */
	userData?: string;
	/** Everything else that was delivered. */
	others: Members;
}

const CALL_EVENTS = new Map<string, EventName>([
	['VoiceCode', 'voiceVerification'],
	['SellingCall', 'voiceNotification'],
]);

const OUTCOMES = new Map<string, OutcomeName>([
	['0', 'completed'],
	['1', 'noAnswer'],
	['2', 'failed'],
]);

const NAMED = ['action', 'callSid', 'number', 'state', 'duration', 'userData'];

/** The longest notification that is looked at; a real one has less than 1 KB. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads the body of a notification: one XML or JSON object, perhaps within a `Request` of any case.
 * Specification section 6.
 *
 * @returns undefined where it is no notification
 */
export function parseNotification(body: Buffer): Notification | undefined {
	const members = membersOf(body);
	const action = textOf(members, 'action');
	const event = CALL_EVENTS.get(action) ?? 'other';
	const callSid = textOf(members, 'callSid');
	if (action === '' || (event !== 'other' && callSid === '')) return undefined;
	const { userData } = members;
	return {
		event,
		action,
		callSid,
		number: textOf(members, 'number'),
		state: textOf(members, 'state'),
		duration: textOf(members, 'duration'),
		...(userData !== undefined && {
			userData: typeof userData === 'string' ? userData : JSON.stringify(userData),
		}),
		others: Object.fromEntries(Object.entries(members).filter(([name]) => !NAMED.includes(name))),
	};
}

/** How the call ended, by the state that was delivered; `other` events have no outcome. */
export function outcomeOf({ state }: Notification): OutcomeName {
	return OUTCOMES.get(state) ?? 'unknown';
}

function membersOf(body: Buffer): Members {
	if (body.length > MAX_BYTES) return {};
	try {
		const members = decode(new TextDecoder('utf-8', { fatal: true }).decode(body));
		return requestIn(members) ?? members;
	} catch {
		return {};
	}
}

/** JSON may wrap the notification; XML always does, and its root element is gone by now. */
function requestIn(members: Members): Members | undefined {
	const [only, ...more] = Object.entries(members);
	const isWrapper = only !== undefined && more.length === 0 && only[0].toLowerCase() === 'request';
	const inner: Member | undefined = isWrapper ? only[1] : undefined;
	return isMembers(inner) ? inner : undefined;
}
