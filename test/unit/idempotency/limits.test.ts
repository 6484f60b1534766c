import { countSent, findFullLimit } from '../../../nodes/Yuntongxun/idempotency/limits';
import type { Limit } from '../../../nodes/Yuntongxun/idempotency/limits';
import { inTotal, perNumber } from '../../support/messages';

/** 12:30:30.500 in UTC+8. */
const NOON = Date.parse('2026-03-01T04:30:30.500Z');
let now = 0;
let setBack = 0;
let nodes = 0;

beforeEach(() => {
	now = 0;
	setBack = 0;
	nodes += 1;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(Date, 'now').mockImplementation(() => NOON + now - setBack);
});
afterEach(() => jest.restoreAllMocks());

/** Counts in a node of its own. @returns until when a limit leaves the line out */
const count = (limits: Limit[], line = '1', node = `node ${nodes}`) => {
	const full = findFullLimit(node, limits, line);
	if (full === undefined) countSent(node, limits, line);
	return full?.end;
};

it.each<[Limit['period'], number, string]>([
	['minute', 60_000, '2026-03-01 12:31:31'],
	['hour', 29.5 * 60_000 - 500, '2026-03-01 13:00:00'],
	['day', 11.5 * 3_600_000 - 30_500, '2026-03-02 00:00:00'],
])('a limit of a %s ends with its period', (period, ms, end) => {
	const limits = [perNumber(2, period)];
	expect([count(limits), count(limits), count(limits)]).toEqual([undefined, undefined, end]);
	now = ms - 1;
	expect(count(limits)).toBe(end);
	now = ms;
	expect(count(limits)).toBeUndefined();
});

it('a minute begins with the first that counts, and ends though the clock was set back', () => {
	const limits = [perNumber(1, 'minute')];
	const undo = countSent(`node ${nodes}`, limits, '1');
	now = 50_000;
	undo();
	expect(count(limits)).toBeUndefined();
	setBack = 3_600_000;
	now = 109_999;
	expect(count(limits)).toBeDefined();
	now = 110_000;
	expect(count(limits)).toBeUndefined();
});

it('a count is taken back from the period in which it was counted', () => {
	const limits = [inTotal(1, 'hour')];
	const undo = countSent(`node ${nodes}`, limits, '1');
	now = 3_600_000;
	expect(count(limits)).toBeUndefined();
	undo();
	expect(count(limits)).toBe('2026-03-01 14:00:00');
});

it('each number, the total and each value have counts of their own, as does each node', () => {
	const byValue = (value: string): Limit => ({ by: 'value', value, max: 1, period: 'day' });
	expect([count([perNumber(1)], '1'), count([perNumber(1)], '2')]).toEqual([undefined, undefined]);
	expect([count([byValue('a')]), count([byValue('b')])]).toEqual([undefined, undefined]);
	expect(count([inTotal(1)], '1')).toBeUndefined();
	const end = '2026-03-02 00:00:00';
	const again = [perNumber(1), byValue('a'), inTotal(1)].map((limit) => count([limit]));
	expect(again).toEqual([end, end, end]);
	expect(count([inTotal(1)], '1', 'another node')).toBeUndefined();
});

it('if several limits are full, the one that ends last is named, and none counts', () => {
	const limits = [perNumber(1, 'hour'), inTotal(1), perNumber(1, 'minute'), inTotal(9, 'minute')];
	count(limits);
	expect(findFullLimit(`node ${nodes}`, limits, '1')).toEqual({
		limit: limits[1],
		end: '2026-03-02 00:00:00',
	});
	for (let more = 0; more < 20; more++) count(limits);
	expect(count([limits[3]])).toBeUndefined();
});

it('thousands of other counts push out none that still holds', () => {
	const limits = [perNumber(1)];
	const lines = Array.from({ length: 5000 }, (_each, at) => String(at));
	for (const line of lines) count(limits, line);
	expect(lines.filter((line) => count(limits, line) === undefined)).toEqual([]);
});
