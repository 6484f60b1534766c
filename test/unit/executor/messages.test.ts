import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/messages';
import { acceptRehearsed } from '../../../nodes/Yuntongxun/executor/rehearse';
import {
	answer,
	endRequests,
	inTotal,
	buildItem,
	perNumber,
	buildRehearsal,
	sms,
} from '../../support/messages';

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));
/** The numbers of each request. */
const plan = (...items: Item[]) =>
	planRequests(items).map(({ recipients }) => recipients.map(({ number }) => number.text));
const sizes = (...items: Item[]) => plan(...items).map(({ length }) => length);

it('a plan shares no request between items, even where they send the same text', () => {
	const items = [numbers(2), numbers(2, 1)].map((each, index) => buildItem(index, sms(each)));
	expect(plan(...items)).toEqual([numbers(2), numbers(2, 1)]);
});

it('a plan packs 200 numbers of an SMS into a request', () => {
	expect(sizes(buildItem(0, sms(numbers(450))))).toEqual([200, 200, 50]);
	expect(sizes(buildItem(0, sms(numbers(200))))).toEqual([200]);
	expect(sizes(buildItem(0, sms([])))).toEqual([]);
});

it('a plan leaves out a request that an earlier try has sent, a dry run and a refused form', () => {
	const item = buildItem(0, sms(numbers(3), 1));
	endRequests(item, answer('a'));
	const dryRun: Item = buildRehearsal(sms(numbers(3)), 1);
	const refused: Item = { kind: 'refused', index: 2, error: new Error('no') };
	expect(plan(item, dryRun, refused)).toEqual([numbers(1, 1), numbers(1, 2)]);
});

describe('a run with more records than a node remembers', () => {
	const limit = perNumber(1, 'hour');

	it.each<[number, Parameters<typeof buildItem>[2], number]>([
		[10_000, { key: 'a' }, 10_001],
		[5000, { key: 'a', limits: [limit] }, 5001],
		[10_000, { key: 'a', limits: [perNumber(1, 'minute')] }, 10_001],
		[3333, { key: 'a', limits: [limit, inTotal(100)] }, 3334],
	])('is refused beyond %i numbers with %j', (allowed, guards, refused) => {
		expect(sizes(buildItem(0, sms(numbers(allowed)), guards))).toHaveLength(
			Math.ceil(allowed / 200),
		);
		const [item, other] = [sms(numbers(refused)), sms(numbers(1, 50_000))].map((task, index) =>
			buildItem(index, task, guards),
		);
		expect(plan(item, other)).toEqual([]);
		const message =
			/^The numbers of this run need 1000[0-9] .* so nothing was sent\. Send the items in several runs/;
		for (const { fate } of [...item.requests, ...other.requests]) {
			expect(fate).toMatchObject({
				state: 'unsent',
				error: { message: expect.stringMatching(message) as string },
			});
		}
	});

	it('counts nothing that an earlier try has sent', () => {
		const item = buildItem(0, sms(numbers(10_001)), { key: 'a' });
		endRequests(item, answer('a'));
		expect(sizes(item)).toHaveLength(50);
	});

	it('is refused as a dry run, too', () => {
		const [fits, tooLong] = [10_000, 10_001].map((count) =>
			buildRehearsal(sms(numbers(count)), 0, { key: 'a' }),
		);
		for (const item of [fits, tooLong]) {
			expect(plan(item)).toEqual([]);
			acceptRehearsed([item], '1');
		}
		expect(new Set(fits.requests.map(({ fate }) => fate.state))).toEqual(new Set(['accepted']));
		expect(new Set(tooLong.requests.map(({ fate }) => fate.state))).toEqual(new Set(['unsent']));
	});
});
