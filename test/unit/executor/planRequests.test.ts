import type { NumberResult } from '../../../nodes/Yuntongxun/executor/item';
import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { answer, call, failure, itemOf, sms, UNKNOWN } from '../support/messages';

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));
const sizes = (...plan: Parameters<typeof planRequests>) =>
	planRequests(...plan).map(({ length }) => length);

it('gives each number of a call a request of its own, in input order', () => {
	const items = [call(numbers(2)), call(numbers(1, 1))].map((task, index) => itemOf(index, task));
	expect(planRequests(items, true).map(([{ to }]) => to)).toEqual([
		...numbers(2),
		...numbers(1, 1),
	]);
});

it('packs 200 numbers of an SMS into a request', () => {
	expect(sizes([itemOf(0, sms(numbers(450)))], false)).toEqual([200, 200, 50]);
});

it('combines items with equal messages only, each batch where its first item stands', () => {
	const items = ['a', 'b', 'a', 'b'].map((text, index) =>
		itemOf(index, sms(numbers(1, index), text)),
	);
	const owners = (combine: boolean) =>
		planRequests(items, combine).map((request) =>
			request.flatMap((each) => each.owners.map(({ item }) => item.index)),
		);
	expect(owners(true)).toEqual([
		[0, 2],
		[1, 3],
	]);
	expect(owners(false)).toEqual([[0], [1], [2], [3]]);
});

it('sends in the order of the items, though a batch goes on behind other items', () => {
	const items = [sms(numbers(200), 'a'), sms(numbers(1), 'b'), sms(numbers(9, 200), 'a')];
	const plan = planRequests(
		items.map((task, index) => itemOf(index, task)),
		true,
	);
	expect(plan.map(([{ owners }]) => owners[0].item.index)).toEqual([0, 1, 2]);
});

it('fills a request to its last place', () => {
	const items = [sms(numbers(150)), sms(numbers(50, 150))];
	expect(
		sizes(
			items.map((task, index) => itemOf(index, task)),
			true,
		),
	).toEqual([200]);
	expect(sizes([itemOf(0, sms([]))], true)).toEqual([]);
});

it('makes one recipient of a number that several combined items name', () => {
	const items = [numbers(2), numbers(2, 1)].map((each, index) => itemOf(index, sms(each)));
	const [request] = planRequests(items, true);
	expect(request.map(({ to, owners }) => [to, owners.map(({ item }) => item.index)])).toEqual([
		[numbers(1)[0], [0]],
		[numbers(1, 1)[0], [0, 1]],
		[numbers(1, 2)[0], [1]],
	]);
});

it('leaves out a number that an earlier try has reached, and a dry run', () => {
	const item = itemOf(0, sms(numbers(3)));
	item.results.set(numbers(1)[0], { thrown: '', isSent: true });
	const dryRun = itemOf(1, sms(numbers(3)), {}, true);
	expect(sizes([item, dryRun], false)).toEqual([2]);
});

it('tells an item of a refused number that another item sends in the next try', () => {
	const refused = { thrown: failure(), isSent: true };
	const owners = (result: NumberResult, combine: boolean) => {
		const kept = itemOf(0, sms(numbers(2)));
		kept.results
			.set(numbers(1)[0], result)
			.set(numbers(2)[1], { value: answer('a'), isSent: true });
		const [[recipient]] = planRequests([kept, itemOf(1, sms(numbers(1)))], combine);
		return recipient.owners.map(({ item }) => item.index);
	};
	expect(owners(refused, true)).toEqual([1, 0]);
	expect(owners(refused, false)).toEqual([1]);
	expect(owners({ thrown: UNKNOWN, isSent: true }, true)).toEqual([1]);
	expect(owners({ reason: 'limit' }, true)).toEqual([1]);
});

it('never lets a dry run share a request with what is sent', () => {
	const plan = (dryRuns: boolean[]) =>
		planRequests(
			dryRuns.map((isDryRun, index) => itemOf(index, sms(numbers(2, index)), {}, isDryRun)),
			true,
		).map((request) => request.map(({ to }) => to));
	expect(plan([true, false])).toEqual([numbers(2, 1)]);
	expect(plan([false, true])).toEqual([numbers(2)]);
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
			const requests = planRequests([item], false);
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

	it('counts a number of several combined items once, and each of its keys', () => {
		const items = Array.from({ length: 10_001 }, (_each, index) =>
			itemOf(index, sms(numbers(1)), { perRecipient: limit }),
		);
		expect(planRequests(items, true)).toHaveLength(1);
		expect(planRequests(items, false)).toEqual([]);
	});

	it('counts a number for the day and for the hour, where combined items ask for both', () => {
		const perHour = { ...limit, period: 'hour' as const };
		const itemsFor = (count: number) =>
			[limit, perHour].map((perRecipient, at) => itemOf(at, sms(numbers(count)), { perRecipient }));
		expect(sizes(itemsFor(5000), true)).toHaveLength(25);
		expect(sizes(itemsFor(5001), true)).toEqual([]);
	});
});
