import { compactTime } from './clock';
import type { AcceptedCall } from './record';
import { escapeXml } from './xmlText';

/** One result that a call will have. */
export interface PlannedResult {
	/** Milliseconds after the answer to the request, or before that answer. */
	readonly when: number | 'beforeAnswer';
	/** `0` normal, `1` not answered, `2` failed (service facts). */
	readonly state: string;
	/** Seconds. */
	readonly duration: string;
	/** The root element in the other letter case, and the fields in reverse order. */
	readonly turnedRound?: boolean;
}

type Behaviour = readonly [words: string, plan: (delayMs: number) => readonly PlannedResult[]];

const LONGER = 5;
const result = (when: PlannedResult['when'], state = '0', duration = '0') => ({
	when,
	state,
	duration,
});

/** What happens to a call, by the last digit of the called number before any extension. */
export const NUMBER_TABLE: Readonly<Record<string, Behaviour>> = {
	0: ['answered, 30 seconds', (delay) => [result(delay, '0', '30')]],
	1: ['not answered', (delay) => [result(delay, '1')]],
	2: ['failed', (delay) => [result(delay, '2')]],
	3: ['voicemail or hung up at once: state 0, duration 0', (delay) => [result(delay)]],
	4: [
		`answered, the result comes after ${LONGER} times the delay`,
		(delay) => [result(delay * LONGER, '0', '30')],
	],
	5: ['no result ever', () => []],
	6: [
		'answered, the result is sent twice',
		(delay) => [result(delay, '0', '30'), result(delay, '0', '30')],
	],
	7: [
		'answered, the result comes before the answer to the request',
		() => [result('beforeAnswer', '0', '30')],
	],
	8: [
		'answered, root element in the other case and fields in the other order',
		(delay) => [{ ...result(delay, '0', '30'), turnedRound: true }],
	],
	9: ['a state that is documented nowhere: 9', (delay) => [result(delay, '9')]],
};

/**
 * The results of a call, by the table.
 * @param to the called number, with its extension
 * @param delayMs the ordinary delay of call results, milliseconds
 */
export function planResults(to: string, delayMs: number): readonly PlannedResult[] {
	const [, plan] = NUMBER_TABLE[to.split('-')[0].at(-1) ?? ''] ?? [];
	return plan?.(delayMs) ?? [];
}

/** Changes to a call result that a test sends. */
export interface CallResultOverrides {
	/** Values of fields; further fields are added, null leaves a field out. */
	readonly fields?: Readonly<Record<string, string | null>>;
	/** Where to send it, instead of the call's `respUrl`. */
	readonly url?: string;
}

/** An accepted call; of an unknown one only its `callSid`. */
export type KnownCall = Partial<AcceptedCall> & Pick<AcceptedCall, 'callSid'>;

const isPresent = (entry: [string, string | null]): entry is [string, string] => entry[1] !== null;

/**
 * Writes a call result as the service does (service facts, call-result notifications).
 * @param now milliseconds since 1970 UTC, the end of the call
 * @param changes of its fields
 */
export function writeCallResult(
	call: KnownCall,
	{ state, duration, turnedRound = false }: PlannedResult,
	now: number,
	changes: CallResultOverrides['fields'] = {},
): string {
	const isVerification = call.operation === 'VoiceVerify';
	const fields: Record<string, string | null> = {
		action: isVerification ? 'VoiceCode' : 'SellingCall',
		callSid: call.callSid,
		number: call.to ?? null,
		state,
		starttime: compactTime(now - Number(duration) * 1000),
		endtime: compactTime(now),
		duration,
		userData: call.userData ?? null,
		...changes,
	};
	const entries = Object.entries(fields).filter(isPresent);
	if (turnedRound) entries.reverse();
	const root = isVerification === turnedRound ? 'request' : 'Request';
	const elements = entries.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${elements.join('')}</${root}>`;
}
