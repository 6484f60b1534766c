import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RunStopped } from '../../nodes/Yuntongxun/execution/notBegun';
import { smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { partsOf, textAll } from '../../nodes/Yuntongxun/resources/sms/bulk';
import type { Answer } from '../../nodes/Yuntongxun/client/client';
import { ServiceFailure } from '../../nodes/Yuntongxun/client/serviceFailure';
import { formOf, propertyOf } from '../unit/support/form';

/** Most numbers of a request. Specification section 8. */
const MOST = 200;

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));

const unique = (all: string[]) => all.filter((each, at) => all.indexOf(each) === at);

/** Items of all sizes whose numbers overlap. */
const items = fc.array(
	fc
		.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 450 }))
		.map(([from, count]) => numbers(count, from)),
	{ minLength: 1, maxLength: 4 },
);

describe('a list of numbers', () => {
	const separator = fc.constantFrom(',', '，', '、', ';', '；', '\n', '\r\n', ' , ', ',,', ';\n');
	const layout = fc.constantFrom<(number: string) => string>(
		(number) => number,
		(number) => ` ${number}\t`,
		(number) => `${number.slice(0, 3)}-${number.slice(3, 7)}-${number.slice(7)}`,
		(number) => `${number.slice(0, 3)} ${number.slice(3)}`,
		(number) => `+86${number}`,
		(number) => `0086 ${number}`,
		(number) => `86${number}`,
		(number) => number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
	);
	const read = (value: unknown) => smsNumbers(value, propertyOf(), formOf());

	it('loses no number, gains none, and keeps each once, in the order of first mention', () => {
		const entry = fc.tuple(
			fc.integer({ min: 0, max: 20 }).map((index) => numbers(1, index)[0]),
			layout,
			separator,
		);
		fc.assert(
			fc.property(fc.array(entry, { minLength: 1, maxLength: 40 }), (entries) => {
				const written = entries.map(([number, laidOut, between]) => laidOut(number) + between);
				const expected = unique(entries.map(([number]) => number));
				expect(read(written.join(''))).toEqual(expected);
				expect(read(written)).toEqual(expected);
			}),
		);
	});
});

describe('the requests', () => {
	it('name every number once, and at most 200 each', () => {
		fc.assert(
			fc.property(items, (all) => {
				const parts = partsOf(all);
				const named = new Set(parts.flat());
				expect(parts.flat()).toHaveLength(named.size);
				expect(named).toEqual(new Set(all.flat()));
				expect(parts.every(({ length }) => length >= 1 && length <= MOST)).toBe(true);
			}),
		);
	});

	it('keep together the numbers of an item, where nobody before named them and they fit', () => {
		const sizes = fc.array(fc.integer({ min: 1, max: MOST }), { minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(sizes, (all) => {
				const own = all.map((size, item) => numbers(size, 1000 * item));
				const partOf = new Map(
					partsOf(own).flatMap((part, at) => part.map((number): [string, number] => [number, at])),
				);
				const spread = own.map((each) => new Set(each.map((number) => partOf.get(number))).size);
				expect(spread).toEqual(own.map(() => 1));
			}),
		);
	});

	it('tell each item of exactly its own numbers, whichever requests fail', async () => {
		const ends = fc.infiniteStream(fc.constantFrom('accepted', 'refused', 'unknown', 'notBegun'));
		await fc.assert(
			fc.asyncProperty(items, ends, async (all, fates) => {
				const fateOf = new Map<string, string>();
				let sent = 0;
				const results = await Promise.allSettled(
					textAll(all, async (members, numbersFor) => {
						const part = numbersFor(members);
						const fate = fates.next().value;
						sent += part.length;
						for (const number of part) fateOf.set(number, fate);
						if (fate === 'notBegun') throw new RunStopped();
						if (fate !== 'accepted') throw failure(fate === 'refused' ? 'no' : 'unknown');
						return accepted;
					}),
				);
				expect(sent).toBe(fateOf.size);
				const told = results.map((result, item) => waysIn(result, all[item]).sort().join(' '));
				const done = all.map((own) =>
					own
						.map((number) => `${number}:${WAYS[fateOf.get(number) ?? '']}`)
						.sort()
						.join(' '),
				);
				expect(told).toEqual(done);
			}),
		);
	});
});

/** Whether each end permits sending again. */
const WAYS: Record<string, string> = {
	accepted: 'yes',
	refused: 'no',
	unknown: 'unknown',
	notBegun: 'no',
};

/** What an item says of each of its numbers. */
function waysIn(result: PromiseSettledResult<IDataObject[]>, own: string[]): string[] {
	const all = (to: string, way: unknown) => to.split(',').map((number) => `${number}:${way}`);
	if (result.status === 'fulfilled') {
		const [{ to, messages = [{ to, accepted: 'yes' }] }] = result.value;
		return (messages as IDataObject[]).flatMap((each) => all(String(each.to), each.accepted));
	}
	const thrown: unknown = result.reason;
	if (thrown instanceof RunStopped) return all(own.join(), 'no');
	if (!(thrown instanceof ServiceFailure)) throw thrown;
	const { messages, accepted: way } = thrown.facts;
	return messages?.flatMap((each) => all(String(each.to), each.accepted)) ?? all(own.join(), way);
}

const accepted: Answer = {
	statusCode: '000000',
	text: (name) => (name === 'statusCode' ? '000000' : 'x'),
	records: [],
};

const failure = (way: 'no' | 'unknown') =>
	new ServiceFailure({
		happened: 'Refused',
		advice: '',
		statusCode: '',
		statusMsg: '',
		accepted: way,
	});
