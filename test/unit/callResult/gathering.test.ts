import {
	CONSEQUENCES,
	gather,
	newGathering,
	nextHandOver,
} from '../../../nodes/Yuntongxun/callResult/gathering';
import type { Gathering, Surroundings } from '../../../nodes/Yuntongxun/callResult/gathering';
import type { HandOverEnd } from '../../../nodes/Yuntongxun/callResult/handOver';
import type { Notification } from '../../../nodes/Yuntongxun/callResult/notification';

const NOW = Date.UTC(2026, 0, 1);
const SECOND = 1000;

const notificationOf = (callSid: string, state = '1'): Notification => ({
	event: 'voiceNotification',
	action: 'SellingCall',
	callSid,
	number: '13800000000',
	state,
	duration: state === '0' ? '30' : '0',
	others: {},
});

function gatheringOf(...calls: string[]): Gathering {
	const gathering = newGathering('https://n8n.example.com/x', NOW);
	for (const callSid of calls) gather(gathering, notificationOf(callSid), [NOW, callSid]);
	return gathering;
}

it('the first report of a call counts', () => {
	const gathering = gatheringOf('c1', 'c2');
	expect(gather(gathering, notificationOf('c1', '0'), [NOW + 1, 'again'])).toBe(false);
	expect([...gathering.results]).toEqual([
		['voiceNotification c1', [NOW, 'c1']],
		['voiceNotification c2', [NOW, 'c2']],
	]);
	expect(gathering.news).toEqual({ any: true, answered: false });
	expect(gather(gathering, notificationOf('c3', '0'), [NOW, 'c3'])).toBe(true);
	expect(gathering.news.answered).toBe(true);
});

it('a call that reports under another action first still has its result', () => {
	const gathering = gatheringOf();
	const other: Notification = { ...notificationOf('c1'), event: 'voiceVerification' };
	expect(gather(gathering, other, [NOW, 'other'])).toBe(true);
	expect(gather(gathering, notificationOf('c1'), [NOW, 'own'])).toBe(true);
});

/** Milliseconds from now, or from the last attempt, to the next one. */
const pause = (
	changes: Partial<Gathering>,
	around: Partial<Surroundings> = {},
	base = gatheringOf('c1'),
): number =>
	nextHandOver({ ...base, ...changes }, { gatherings: 1, ...around }) - (changes.last?.at ?? NOW);

const NO_NEWS = { news: { any: false, answered: false } };

const after = (ms: number, took = 10) => ({ last: { at: NOW + ms, took } });

describe('while n8n has not parked the execution', () => {
	it.each<[string, Partial<Gathering>, Partial<Surroundings>, number]>([
		['at once at first', {}, {}, 0],
		['soon after the first attempt', after(10), {}, 300],
		['with pauses that grow', { ...after(60 * SECOND), ...NO_NEWS }, {}, 3000],
		['at most half a minute', { ...after(3600 * SECOND), ...NO_NEWS }, {}, 30_000],
		['at most two seconds after news', after(3600 * SECOND), {}, 2000],
		['rarer if many wait', after(10), { gatherings: 200 }, 4000],
		['rarer if nothing answered', { ...after(10), isSlow: true }, {}, 2000],
		['hardly if the node of this process still runs', {}, { local: {} }, 30_000],
		['hardly, then either', after(10), { local: {} }, 30_000],
		['at once when it has returned', after(-50), { local: { parkedAt: NOW } }, 50],
		['soon again after that', after(20), { local: { parkedAt: NOW } }, 300],
	])('%s', (_, changes, around, expected) => {
		expect(pause(changes, around)).toBe(expected);
	});
});

describe('while the execution waits', () => {
	const standing = (missing: string[], more = {}) => ({
		standing: {
			wait: 'waiting' as const,
			missing: missing.map((call) => `voiceNotification ${call}`),
			until: NOW + 600 * SECOND,
			...more,
		},
	});
	const news = (any: boolean, answered = false) => ({ news: { any, answered } });
	const local = { local: { parkedAt: NOW } };

	it.each<[string, Partial<Gathering>, Partial<Surroundings>, number]>([
		['at once if nothing is missing now', standing(['c1']), {}, 0],
		['not at once if something is', standing(['c1', 'c9']), {}, 2000],
		['not again and again with the same', { ...standing(['c1']), ...news(false) }, {}, 2000],
		[
			'at once if the first answered call is enough',
			{ ...standing(['c9'], { firstAnswered: true }), ...news(true, true) },
			{},
			0,
		],
		[
			'not if nobody answered',
			{ ...standing(['c9'], { firstAnswered: true }), ...news(true) },
			{},
			2000,
		],
		[
			'not if the answered call is not enough',
			{ ...standing(['c9']), ...news(true, true) },
			{},
			2000,
		],
		['with pauses that grow', { ...standing(['c9']), ...news(false), attempts: 3 }, {}, 16_000],
		['at most a minute', { ...standing(['c9']), ...news(false), attempts: 30 }, {}, 60_000],
		['soon if news may be the last', { ...standing(['c9']), attempts: 30 }, {}, 2000],
		[
			'not so if this process gets all results',
			{ ...standing(['c9']), attempts: 30 },
			local,
			60_000,
		],
		[
			'at the limit',
			{ ...standing(['c9'], { until: NOW + 700 }), ...news(false), attempts: 9 },
			{},
			700 - 10,
		],
		[
			'and soon again if the clock of the other process is behind',
			{ ...standing(['c9'], { until: NOW }), ...news(false), attempts: 9 },
			{},
			300,
		],
	])('%s', (_, changes, around, expected) => {
		expect(pause({ ...after(10), ...changes }, around)).toBe(expected);
	});

	it('an execution that is slow to load is asked less', () => {
		expect(pause({ ...after(10, 500), ...standing(['c9']) })).toBe(10_000);
	});
});

it.each<[HandOverEnd, boolean, string | undefined]>([
	['taken', true, undefined],
	['waiting', false, undefined],
	['notYet', false, undefined],
	['over', true, 'info'],
	['deleted', true, 'info'],
	['refused', true, 'warn'],
	['stranger', false, 'warn'],
	['noAnswer', false, 'warn'],
])('%s: over %s, logged as %s', (end, isOver, level) => {
	expect(CONSEQUENCES[end].isOver).toBe(isOver);
	expect(CONSEQUENCES[end].log?.[0]).toBe(level);
});
