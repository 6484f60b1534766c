import type { CallResult } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { completeWait, getWaitStatus } from '../../../nodes/Yuntongxun/waiting/completion';
import type { ContinueWhen } from '../../../nodes/Yuntongxun/callbacks/wait';
import type { ParkedWait } from '../../../nodes/Yuntongxun/waiting/completion';

const UNTIL = Date.UTC(2026, 0, 1);
const ARRIVED = UNTIL - 60_000;

/** Three calls, and between them an item without a call. */
const ITEMS = ['c1', 'refused', 'c2', 'c3'].map((name, item) => ({
	json:
		name === 'refused'
			? { error: { message: 'refused' } }
			: { callSid: name, to: `1380000000${item}`, outcome: 'timeout', answered: false },
	pairedItem: { item },
}));

const waitOf = (continueWhen: ContinueWhen): ParkedWait => ({
	id: 'w1',
	continueWhen,
	until: UNTIL,
	resultIds: ['voiceNotification c1', null, 'voiceNotification c2', 'voiceNotification c3'],
});

const resultOf = (callSid: string, state: string, duration = '0'): CallResult => ({
	at: ARRIVED,
	callEvent: {
		event: 'voiceNotification',
		action: 'SellingCall',
		callSid,
		number: '13800000000',
		state,
		duration,
		others: { to: 'forged', starttime: '20260101000000' },
	},
});

const keyOf = (callSid: string) => `voiceNotification ${callSid}`;
const ANSWERED = (callSid: string) => resultOf(callSid, '0', '30');
const VOICEMAIL = (callSid: string) => resultOf(callSid, '0');
const NOBODY = (callSid: string) => resultOf(callSid, '1');

function completed(results: CallResult[], continueWhen: ContinueWhen, now: number) {
	const wait = waitOf(continueWhen);
	const given = new Map(results.map((result) => [keyOf(result.callEvent.callSid), result]));
	const items = completeWait(wait, ITEMS, given, now);
	if (items) {
		return items.map(({ json }) => ('error' in json ? 'error' : String(json.outcome))).join(' ');
	}
	const { missing } = getWaitStatus(wait, given);
	return `waits for ${missing.join(' ').replaceAll('voiceNotification ', '')}`;
}

const BEFORE = UNTIL - 1;

it.each<[string, CallResult[], ContinueWhen, number, string]>([
	['no result', [], 'allResults', BEFORE, 'waits for c1 c2 c3'],
	['some results', [NOBODY('c2')], 'allResults', BEFORE, 'waits for c1 c3'],
	[
		'an answered call, when all are wanted',
		[ANSWERED('c1')],
		'allResults',
		BEFORE,
		'waits for c2 c3',
	],
	[
		'all results',
		[NOBODY('c3'), ANSWERED('c1'), resultOf('c2', '2')],
		'allResults',
		BEFORE,
		'completed error failed noAnswer',
	],
	[
		'an answered call',
		[ANSWERED('c2')],
		'firstAnswered',
		BEFORE,
		'pending error completed pending',
	],
	['a voicemail', [VOICEMAIL('c2')], 'firstAnswered', BEFORE, 'waits for c1 c3'],
	[
		'all results, and nobody answered',
		[VOICEMAIL('c1'), NOBODY('c2'), NOBODY('c3')],
		'firstAnswered',
		BEFORE,
		'completed error noAnswer noAnswer',
	],
	['results of other calls', [ANSWERED('c9')], 'firstAnswered', BEFORE, 'waits for c1 c2 c3'],
	['no result at the limit', [], 'allResults', UNTIL, 'timeout error timeout timeout'],
	[
		'some results at the limit',
		[NOBODY('c2')],
		'allResults',
		UNTIL,
		'timeout error noAnswer timeout',
	],
	[
		'an answered call at the limit',
		[ANSWERED('c2')],
		'firstAnswered',
		UNTIL,
		'timeout error completed timeout',
	],
])('%s', (_, results, continueWhen, now, expected) => {
	expect(completed(results, continueWhen, now)).toBe(expected);
});

it('items keep the fields of their call, their pairing and their order', () => {
	const given = new Map([[keyOf('c2'), ANSWERED('c2')]]);
	expect(completeWait(waitOf('allResults'), ITEMS, given, UNTIL)).toEqual([
		ITEMS[0],
		ITEMS[1],
		{
			json: {
				callSid: 'c2',
				to: '13800000002',
				event: 'voiceNotification',
				action: 'SellingCall',
				number: '13800000000',
				state: '0',
				duration: '30',
				starttime: '20260101000000',
				delivered_to: 'forged',
				outcome: 'completed',
				answered: true,
				durationSeconds: 30,
				receivedAt: new Date(ARRIVED).toISOString(),
			},
			pairedItem: { item: 2 },
		},
		ITEMS[3],
	]);
});

it('what people look for comes first, with and without a result', () => {
	const given = new Map([[keyOf('c2'), ANSWERED('c2')]]);
	const items = completeWait(waitOf('allResults'), ITEMS, given, UNTIL) ?? [];
	expect(items.map(({ json }) => Object.keys(json).slice(0, 4))).toEqual([
		['to', 'outcome', 'answered', 'callSid'],
		['error'],
		['to', 'outcome', 'answered', 'durationSeconds'],
		['to', 'outcome', 'answered', 'callSid'],
	]);
});

it.each([
	[BEFORE, { outcome: 'pending', answered: false }],
	[UNTIL, { outcome: 'timeout', answered: false }],
])('a call without a result is not answered, at %i', (now, expected) => {
	const given = new Map([[keyOf('c2'), ANSWERED('c2')]]);
	const items = completeWait(waitOf('firstAnswered'), ITEMS, given, now) ?? [];
	expect(items[0].json).toEqual({ callSid: 'c1', to: '13800000000', ...expected });
});

it('does not change the parked items, which n8n continues with at its own timer', () => {
	const before = JSON.stringify(ITEMS);
	completed([ANSWERED('c1'), ANSWERED('c2'), ANSWERED('c3')], 'allResults', BEFORE);
	expect(JSON.stringify(ITEMS)).toBe(before);
});

it.each<[ContinueWhen, boolean]>([
	['allResults', false],
	['firstAnswered', true],
])('tells the relay what is missing and until when: %s', (continueWhen, firstAnswered) => {
	expect(getWaitStatus(waitOf(continueWhen))).toEqual({
		wait: 'waiting',
		missing: ['c1', 'c2', 'c3'].map(keyOf),
		until: UNTIL,
		firstAnswered,
	});
});
