import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import {
	add,
	isComplete,
	newAggregate,
	nextAttempt,
	rankOf,
	setStatus,
} from '../../../nodes/Yuntongxun/relay/aggregate';
import type { Aggregate } from '../../../nodes/Yuntongxun/relay/aggregate';
import type { WaitStatus } from '../../../nodes/Yuntongxun/relay/protocol';

const NOW = Date.UTC(2026, 0, 1);
const SECOND = 1000;

const resultOf = (callSid: string, state = '1') => ({
	callEvent: {
		event: 'voiceNotification',
		action: 'SellingCall',
		callSid,
		number: '13800000000',
		state,
		duration: state === '0' ? '30' : '0',
		others: {},
	} satisfies CallEvent as CallEvent,
	at: NOW,
});

function aggregateOf(calls: string[], changes: Partial<Aggregate> = {}): Aggregate {
	const aggregate = newAggregate('https://n8n.example.com/x', false, NOW);
	for (const callSid of calls) add(aggregate, resultOf(callSid), NOW);
	return Object.assign(aggregate, changes);
}

const statusOf = (missing: string[], more: Partial<WaitStatus> = {}): WaitStatus => ({
	wait: 'waiting',
	missing: missing.map((call) => `voiceNotification ${call}`),
	until: NOW + 600 * SECOND,
	firstAnswered: false,
	...more,
});

it('keeps the first report of a call', () => {
	const aggregate = aggregateOf(['c1']);
	const { bytes } = aggregate;
	Object.assign(aggregate, { isStale: true, unanswered: 3 });
	expect(add(aggregate, resultOf('c1', '0'), NOW + 1)).toBe(false);
	expect(aggregate).toMatchObject({ bytes, changedAt: NOW, isStale: true, unanswered: 3 });
	expect(add(aggregate, resultOf('c2', '0'), NOW + 1)).toBe(true);
	expect(aggregate).toMatchObject({ bytes: 2 * bytes + 1, changedAt: NOW + 1 });
	expect(aggregate).toMatchObject({ isStale: false, unanswered: 0 });
	expect([...aggregate.results.keys()]).toEqual(['voiceNotification c1', 'voiceNotification c2']);
	expect(aggregate.results.get('voiceNotification c1')).toEqual(resultOf('c1'));
});

it('keeps a result of a call that reported under another action first', () => {
	const aggregate = aggregateOf(['c1']);
	const other = resultOf('c1');
	other.callEvent.event = 'voiceVerification';
	expect(add(aggregate, other, NOW)).toBe(true);
});

it.each<[boolean, string, string[], string, Partial<WaitStatus>]>([
	[true, 'nothing is missing', ['c1'], '1', {}],
	[false, 'something is missing', ['c1', 'c9'], '1', {}],
	[true, 'the first answered call is enough', ['c9'], '0', { firstAnswered: true }],
	[false, 'nobody answered', ['c9'], '1', { firstAnswered: true }],
	[false, 'an answered call is not enough', ['c9'], '0', {}],
	[false, 'nothing is known', ['c1'], '1', { missing: undefined }],
])('is complete, %s: %s', (isWhole, _, missing, state, more) => {
	const aggregate = aggregateOf([]);
	add(aggregate, resultOf('c1', state), NOW);
	setStatus(aggregate, statusOf(missing, more), NOW);
	expect(isComplete(aggregate)).toBe(isWhole);
});

it('starts anew once it is known how the wait stands, and not again then', () => {
	const aggregate = aggregateOf(['c1'], { attemptedAt: NOW });
	setStatus(aggregate, statusOf(['c1']), NOW + 5);
	expect(aggregate).toMatchObject({ phase: 'waiting', since: NOW + 5, attemptedAt: undefined });
	aggregate.attemptedAt = NOW + 6;
	setStatus(aggregate, statusOf(['c2']), NOW + 7);
	expect(aggregate).toMatchObject({ since: NOW + 5, attemptedAt: NOW + 6 });
});

/** Seconds from now to the next attempt. */
const next = (aggregate: Aggregate, waits = 1) => (nextAttempt(aggregate, waits) - NOW) / SECOND;

const attempted = (seconds: number, changes: Partial<Aggregate> = {}) => ({
	attemptedAt: NOW + seconds * SECOND,
	...changes,
});

describe('while nobody has told how the wait stands', () => {
	const news = (seconds: number) => attempted(seconds, { changedAt: NOW + seconds * SECOND + 1 });
	it.each<[string, Partial<Aggregate>, number, number]>([
		['at once at first', {}, 1, 0],
		['soon after the first attempt', attempted(1), 1, 1.3],
		['with pauses that grow', attempted(60), 1, 63],
		['every half a minute at most', attempted(3600), 1, 3630],
		['every two seconds at most after news', news(3600), 1, 3602],
		['rarer if many wait', attempted(1), 200, 5],
		['rarer if many wait, after news too', news(1), 200, 5],
	])('%s', (_, changes, waits, expected) => {
		expect(next(aggregateOf(['c1'], changes), waits)).toBe(expected);
	});
});

it.each([
	[{}, 30],
	[attempted(30), 60],
])('hardly while the node of this process still runs: %j', (changes, expected) => {
	expect(next(aggregateOf(['c1'], { phase: 'running', isLocal: true, ...changes }))).toBe(expected);
});

describe('while the execution waits', () => {
	const waiting = (missing: string[], changes: Partial<Aggregate> = {}) =>
		aggregateOf(['c1'], { phase: 'waiting', status: statusOf(missing), ...changes });
	const LOCAL = { isLocal: true };

	it.each<[string, Aggregate, number]>([
		['at once if the results complete it', waiting(['c1']), 0],
		['again soon, as n8n may not have parked it', waiting(['c1'], attempted(1)), 1.3],
		[
			'again soon, however long ago the last result came',
			waiting(['c1'], attempted(301, { since: NOW + 300 * SECOND })),
			301.3,
		],
		['not again with what was given', waiting(['c1'], attempted(1, { given: 1 })), 600],
		['now and then with some of another process', waiting(['c9'], attempted(0)), 2],
		['with pauses that grow', waiting(['c9'], attempted(20)), 40],
		['every minute at most', waiting(['c9'], attempted(300)), 360],
		['not with some, if this process gets all', waiting(['c9'], LOCAL), 600],
		['no later than the limit', waiting(['c9'], attempted(570)), 600],
		['soon again after the limit', waiting(['c9'], attempted(601, LOCAL)), 601.3],
		[
			'a moment after the limit without a result: others may have some',
			aggregateOf([], { phase: 'waiting', status: statusOf(['c9']), ...LOCAL }),
			602,
		],
	])('%s', (_, aggregate, expected) => {
		expect(next(aggregate)).toBe(expected);
	});
});

describe('of several that are due', () => {
	const waiting = (missing: string[], changes: Partial<Aggregate> = {}) =>
		aggregateOf(['c1'], { phase: 'waiting', status: statusOf(missing), ...changes });
	const AT_LIMIT = 601;

	it.each<[number, string, Aggregate, number]>([
		[0, 'one that is complete', waiting(['c1']), 1],
		[0, 'one whose limit has passed', waiting(['c9'], attempted(599)), AT_LIMIT],
		[1, 'news of one of which nothing is known', aggregateOf(['c1']), 1],
		[1, 'news that does not complete it', waiting(['c9']), 1],
		[2, 'one that was tried in vain', aggregateOf(['c1'], attempted(1)), 2],
		[2, 'a complete one that was tried in vain', waiting(['c1'], attempted(1)), 2],
		[2, 'one that was tried since its limit', waiting(['c9'], attempted(600.5)), AT_LIMIT],
		[3, 'one that no n8n has answered', waiting(['c1'], { isStale: true }), 1],
	])('rank %d has %s', (rank, _, aggregate, seconds) => {
		expect(rankOf(aggregate, NOW + seconds * SECOND)).toBe(rank);
	});
});
