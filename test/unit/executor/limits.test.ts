import { checkRoom, leftOut, limitsOf } from '../../../nodes/Yuntongxun/executor/limits';
import type { RecipientLimit } from '../../../nodes/Yuntongxun/executor/limits';
import type { ReadyTask } from '../../../nodes/Yuntongxun/executor/validateItem';

const DAY: RecipientLimit = { most: 3, period: 'day' };

const task = (to: string[] | undefined, more: Partial<ReadyTask> = {}): ReadyTask =>
	({ to, ...more }) as ReadyTask;
const namesAt = (time: string, limit: RecipientLimit, to = ['13800000000']) =>
	limitsOf(task(to, { recipientLimit: limit }), Date.parse(time)).map(({ name }) => name);

it.each<[RecipientLimit['period'], string, string, boolean]>([
	['day', '2026-11-22T16:00:00.000Z', '2026-11-23T15:59:59.999Z', true],
	['day', '2026-11-22T15:59:59.999Z', '2026-11-22T16:00:00.000Z', false],
	['hour', '2026-11-22T16:00:00.000Z', '2026-11-22T16:59:59.999Z', true],
	['hour', '2026-11-22T15:59:59.999Z', '2026-11-22T16:00:00.000Z', false],
	['hour', '2026-11-22T16:30:00.000Z', '2026-11-23T16:30:00.000Z', false],
])('the %s of %s and %s is the same: %p', (period, one, other, isSame) => {
	const [first, second] = [one, other].map((time) => namesAt(time, { most: 1, period }));
	expect(first).toHaveLength(1);
	expect(first[0] === second[0]).toBe(isSame);
});

it('an hour and a day are counted apart', () => {
	const time = '2026-11-22T16:30:00.000Z';
	expect(namesAt(time, { most: 1, period: 'hour' })).not.toEqual(namesAt(time, DAY));
});

it.each<[RecipientLimit, string]>([
	[
		DAY,
		'3 times today through this node, as often as Max per Recipient allows. Send again from 2026-11-24 00:00 (UTC+8) on',
	],
	[
		{ most: 1, period: 'hour' },
		'once this hour through this node, as often as Max per Recipient allows. Send again from 2026-11-23 01:00 (UTC+8) on',
	],
])('the refusal of %j names the limit and its end', (recipientLimit, words) => {
	const [limit] = limitsOf(
		task(['13800000000'], { recipientLimit }),
		Date.parse('2026-11-22T16:59:59Z'),
	);
	expect(limit).toMatchObject({
		places: recipientLimit.most,
		refusal: `The number in 'To' has been reached ${words}`,
	});
});

it('each line counts once, and the refusal says which number of a list it was', () => {
	const limits = limitsOf(
		task(['13800000000', '+8613800000000', '13800000001'], { recipientLimit: DAY }),
	);
	expect(limits.map(({ refusal }) => refusal.split(' has been')[0])).toEqual([
		"Number 1 in 'To'",
		"Number 3 in 'To'",
	]);
});

it('no number is in what the store gets', () => {
	expect(namesAt('2026-11-22T16:30:00.000Z', DAY).join()).not.toMatch(/138|0{6}/);
});

it('there is no limit where none was asked for, and nobody to count where nobody is reached', () => {
	expect(limitsOf(task(['13800000000']))).toEqual([]);
	expect(limitsOf(task(undefined, { recipientLimit: DAY }))).toEqual([]);
});

it.each<[string, string[], boolean]>([
	['is in a refused request', ['13800000000,13800000001 no', '13800000002 yes'], true],
	['is in an accepted request', ['13800000000 yes', '13800000002 no'], false],
	['may have been accepted', ['13800000000 unknown', '13800000002 no'], false],
	['is in two requests, one of them accepted', ['13800000000 no', '+8613800000000 yes'], false],
	['is in none', ['13800000002 no'], false],
	['is in the only request', [], false],
])('a line that %s: %j is left out: %p', (_what, requests, expected) => {
	const messages = requests.map((each) => {
		const [to, accepted] = each.split(' ');
		return { to, accepted };
	});
	const [limit] = limitsOf(task(['13800000000'], { recipientLimit: DAY }));
	expect(leftOut({ report: requests.length > 0 ? { messages } : {} }, limit)).toBe(expected);
});

describe('the room of a node', () => {
	const keyed = (count: number, key = (at: number) => `key ${at}`) =>
		Array.from({ length: count }, (_each, at) => task(['1'], { idempotencyKey: key(at) }));
	const counted = (count: number, most: number, number = (at: number) => String(at)) =>
		Array.from({ length: count }, (_each, at) =>
			task([number(at)], { recipientLimit: { most, period: 'day' } }),
		);

	it.each<[string, ReadyTask[]]>([
		['10,000 keys', keyed(10_000)],
		['one key of 10,001 items', keyed(10_001, () => 'same')],
		['10,001 items without either', Array.from({ length: 10_001 }, () => task(['1']))],
		['keys and counts, 10,000 together', [...keyed(5000), ...counted(5000, 1)]],
		['one number, which counts as often as it may', counted(10_001, 2, () => '138')],
	])('holds %s', (_what, tasks) => {
		expect(() => checkRoom(tasks)).not.toThrow();
	});

	it.each<[string, ReadyTask[]]>([
		['10,001 keys', keyed(10_001)],
		['keys and counts, 10,001 together', [...keyed(5000), ...counted(5001, 1)]],
		['one number 10,001 times', counted(10_001, 20_000, () => '138')],
	])('does not hold %s', (_what, tasks) => {
		expect(() => checkRoom(tasks)).toThrow(/need 10001 .* keeps 10000, so nothing was sent/);
	});
});
