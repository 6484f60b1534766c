import { compactTime } from './clock';
import { writeXml, type WrittenPush } from './pushes';
import type { AcceptedCall } from './record';

/** One result that a call will have. */
export interface PlannedResult {
	/** Milliseconds after the answer to the request, or before that answer. */
	readonly when: number | 'beforeAnswer';
	/** `0` normal, `1` not answered, `2` failed (service facts). */
	readonly state: string;
	/** Seconds. */
	readonly duration: string;
	/** Root element in the other case, and fields in the other order. */
	readonly turnedRound?: boolean;
}

/** How calls to numbers with a certain last digit behave. */
export interface NumberBehaviour {
	readonly lastDigit: string;
	readonly words: string;
	/** @param delayMs the ordinary delay of call results, milliseconds */
	readonly plan: (delayMs: number) => readonly PlannedResult[];
}

const LONGER = 5;

const answered = (when: PlannedResult['when'], duration = '30'): PlannedResult => ({
	when,
	state: '0',
	duration,
});

/** What happens to a call, by the last digit of the called number before any extension. */
export const NUMBER_TABLE: readonly NumberBehaviour[] = [
	{ lastDigit: '0', words: 'answered, 30 seconds', plan: (delay) => [answered(delay)] },
	{
		lastDigit: '1',
		words: 'not answered',
		plan: (when) => [{ when, state: '1', duration: '0' }],
	},
	{ lastDigit: '2', words: 'failed', plan: (when) => [{ when, state: '2', duration: '0' }] },
	{
		lastDigit: '3',
		words: 'voicemail or hung up at once: state 0, duration 0',
		plan: (delay) => [answered(delay, '0')],
	},
	{
		lastDigit: '4',
		words: `answered, the result comes after ${LONGER} times the delay`,
		plan: (delay) => [answered(delay * LONGER)],
	},
	{ lastDigit: '5', words: 'no result ever', plan: () => [] },
	{
		lastDigit: '6',
		words: 'answered, the result is sent twice',
		plan: (delay) => [answered(delay), answered(delay)],
	},
	{
		lastDigit: '7',
		words: 'answered, the result comes before the answer to the request',
		plan: () => [answered('beforeAnswer')],
	},
	{
		lastDigit: '8',
		words: 'answered, root element in the other case and fields in the other order',
		plan: (delay) => [{ ...answered(delay), turnedRound: true }],
	},
	{
		lastDigit: '9',
		words: 'a state that is documented nowhere: 9',
		plan: (when) => [{ when, state: '9', duration: '0' }],
	},
];

/**
 * The results of a call, by the table.
 * @param to the called number, with its extension
 * @param delayMs the ordinary delay of call results, milliseconds
 */
export function planResults(to: string, delayMs: number): readonly PlannedResult[] {
	const [number] = to.split('-');
	const lastDigit = number.at(-1);
	return NUMBER_TABLE.find((row) => row.lastDigit === lastDigit)?.plan(delayMs) ?? [];
}

/** Changes to a call result that a test sends. */
export interface CallResultOverrides {
	/** Values of fields; further fields are added, null leaves a field out. */
	readonly fields?: Readonly<Record<string, string | null>>;
	/** Name of the root element. */
	readonly rootName?: string;
	readonly contentType?: string;
	/** The whole body, instead of the XML. */
	readonly body?: string | Buffer;
	/** Where to send it, instead of the call's `respUrl`. */
	readonly url?: string;
	/** Whether an answer that does not acknowledge is a violation (default: as the setting says). */
	readonly expectAcknowledgement?: boolean;
}

const ACTIONS: Readonly<Record<AcceptedCall['operation'], { action: string; root: string }>> = {
	VoiceVerify: { action: 'VoiceCode', root: 'Request' },
	LandingCalls: { action: 'SellingCall', root: 'request' },
};

const turnedRoot = (root: string): string => (root === 'Request' ? 'request' : 'Request');

const isPresent = (entry: [string, string | null]): entry is [string, string] => entry[1] !== null;

/**
 * Writes a call result as the service does (service facts, call-result notifications).
 * @param call the accepted call; an unknown one has only its `callSid`
 * @param now milliseconds since 1970 UTC, the end of the call
 */
export function writeCallResult(
	call: Partial<AcceptedCall> & { readonly callSid: string },
	planned: PlannedResult,
	now: number,
	overrides: CallResultOverrides = {},
): WrittenPush {
	const { action, root } = ACTIONS[call.operation ?? 'LandingCalls'];
	const fields: Record<string, string | null> = {
		action,
		callSid: call.callSid,
		number: call.to ?? null,
		state: planned.state,
		starttime: compactTime(now - Number(planned.duration) * 1000),
		endtime: compactTime(now),
		duration: planned.duration,
		userData: call.userData ?? null,
		...overrides.fields,
	};
	const entries = Object.entries(fields).filter(isPresent);
	if (planned.turnedRound) entries.reverse();
	const name = overrides.rootName ?? (planned.turnedRound ? turnedRoot(root) : root);
	return {
		contentType: overrides.contentType ?? 'text/plain',
		body: overrides.body ?? writeXml(name, entries),
	};
}
