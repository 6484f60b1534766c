import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { planRequests } from '../../nodes/Yuntongxun/executor/messages';
import { smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { buildForm, buildProperty } from '../support/form';
import { answer, failure, buildItem, toFate, showItem, sms, UNKNOWN } from '../support/messages';

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

it('the requests tell each item of exactly its own numbers, whichever requests fail', () => {
	const ends = fc.infiniteStream(fc.constantFrom('accepted', 'refused', 'unknown', 'notBegun'));
	fc.assert(
		fc.property(items, ends, (all, fates) => {
			const endings = new Map<string, string>();
			const planned = all.map((own, index) => buildItem(index, sms(own)));
			for (const request of planRequests(planned)) {
				const end = fates.next().value;
				for (const { number } of request.recipients) {
					endings.set(`${request.item.index} ${number.text}`, end);
				}
				if (ENDS[end]) request.fate = toFate(ENDS[end]);
			}
			planned.forEach((item, at) => {
				const { outputs, rows } = showItem(item);
				const having = (end: string) =>
					all[at].filter((to) => endings.get(`${at} ${to}`) === end).sort();
				const listed = (entries: IDataObject[]) =>
					entries.flatMap(({ to }) => String(to).split(',')).sort();
				const inState = (state: string) => listed(rows.filter((row) => row.state === state));
				const open = having('notBegun');
				expect(inState('accepted')).toEqual(having('accepted'));
				expect(inState('unclear')).toEqual(having('unknown'));
				expect(inState('refused')).toEqual(having('refused'));
				expect(inState('notSent')).toEqual(open);
				const [json] = outputs;
				if (json === undefined) return expect(open.length).toBeGreaterThan(0);
				const { messages = [] } = (json.error ?? json) as { messages?: IDataObject[] };
				if (messages.length > 0) expect(listed(messages)).toEqual([...all[at]].sort());
			});
		}),
	);
});

const ENDS: Record<string, ReturnType<typeof answer> | Error | undefined> = {
	accepted: answer('x'),
	refused: failure(),
	unknown: UNKNOWN,
};
