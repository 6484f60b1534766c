import fc from 'fast-check';

import { smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { buildForm, buildProperty } from '../support/form';

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));

const unique = (all: string[]) => all.filter((each, at) => all.indexOf(each) === at);

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
const read = (value: unknown) =>
	smsNumbers(value, buildProperty(), buildForm()).map(({ text }) => text);

it('a list of numbers loses none, gains none, and keeps each once, in the order of first mention', () => {
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
