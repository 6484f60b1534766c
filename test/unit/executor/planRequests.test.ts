import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { call, itemOf, sms } from '../support/messages';

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));
const sizes = (...plan: Parameters<typeof planRequests>) =>
	planRequests(...plan).map(({ length }) => length);

it('gives each call a request of its own, in input order', () => {
	const items = numbers(3).map((to, index) => itemOf(index, call([to])));
	expect(planRequests(items).map(([{ to }]) => to)).toEqual(numbers(3));
});

it('shares no request between items, even where they send the same text', () => {
	const items = [numbers(2), numbers(2, 1)].map((each, index) => itemOf(index, sms(each)));
	expect(planRequests(items).map((request) => request.map(({ to }) => to))).toEqual([
		numbers(2),
		numbers(2, 1),
	]);
});

it('packs 200 numbers of an SMS into a request', () => {
	expect(sizes([itemOf(0, sms(numbers(450)))])).toEqual([200, 200, 50]);
	expect(sizes([itemOf(0, sms(numbers(200)))])).toEqual([200]);
	expect(sizes([itemOf(0, sms([]))])).toEqual([]);
});

it('leaves out a number that an earlier try has reached, and a dry run', () => {
	const item = itemOf(0, sms(numbers(3)));
	item.results.set(numbers(1)[0], { thrown: '', isSent: true });
	const dryRun = itemOf(1, sms(numbers(3)), {}, true);
	expect(sizes([item, dryRun])).toEqual([2]);
});

describe('a run that a node could not remember', () => {
	const limit = { max: 1, period: 'day' as const };

	it.each<[number, Parameters<typeof itemOf>[2], number]>([
		[10_000, { key: 'a' }, 10_001],
		[5000, { key: 'a', perRecipient: limit }, 5001],
		[3333, { key: 'a', perRecipient: limit, total: limit }, 3334],
	])('may have %i numbers with %j, and no more', (allowed, terms, refused) => {
		const outcomeOf = (count: number, isDryRun = false) => {
			const item = itemOf(0, sms(numbers(count)), terms, isDryRun);
			const requests = planRequests([item]);
			if (item.outcome) expect(requests).toEqual([]);
			return item.outcome;
		};
		expect(outcomeOf(allowed)).toBeUndefined();
		const message =
			/^The numbers of this run need 1000[0-9] .* so nothing was sent\. Send the items in several runs/;
		for (const isDryRun of [false, true]) {
			expect(outcomeOf(refused, isDryRun)).toMatchObject({
				thrown: { message: expect.stringMatching(message) as string },
				isSent: false,
			});
		}
	});
});
