import fc from 'fast-check';

import { callNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import type { PhoneNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { recipientFilter } from '../../nodes/Yuntongxun/operation/recipientFilter';
import { buildForm, buildProperty } from '../support/form';
import { RUNS } from '../support/propertyRuns';

const TO = buildProperty({ displayName: 'To' });

/** Reads a number to call; undefined if it is refused. */
function read(cell: string): PhoneNumber | undefined {
	try {
		return callNumber(cell, TO, buildForm());
	} catch {
		return undefined;
	}
}

const digits = (length: number) =>
	fc
		.stringMatching(new RegExp(`^[2-8]\\d{${length - 1}}$`))
		.filter((text) => text.length === length);

/** Numbers of mainland China as they are dialed, in the groups in which people write them. */
const GROUPED: Array<fc.Arbitrary<string[]>> = [
	fc.tuple(fc.constantFrom('138', '199', '145'), digits(4), digits(4)),
	fc.tuple(fc.constantFrom('010', '021', '029'), digits(4), digits(4)),
	fc.tuple(fc.constantFrom('0755', '0312', '0951'), digits(4), digits(4)),
	fc.tuple(fc.constantFrom('0755', '0312', '0951'), digits(3), digits(4)),
	fc.tuple(fc.constantFrom('400', '800'), digits(3), digits(4)),
];
const grouped = fc.oneof(...GROUPED);

const separator = fc.constantFrom('', ' ', '-', ' - ', '\u3000', '－', '—', '\u200b');
const country = fc.constantFrom('', '+86', '0086', '86', '＋86 ', '+86-', '0086-', '86-', '(+86)');
const wrapping = fc.constantFrom<(cell: string) => string>(
	(cell) => cell,
	(cell) => `'${cell}`,
	(cell) => `"${cell}"`,
	(cell) => `="${cell}"`,
	(cell) => `“${cell}”`,
	(cell) => ` ${cell}\t`,
	(cell) => cell.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
);
const mark = fc.constantFrom('-', '转', ' 转 ', '分机', ' ext. ', 'x', '#', '（转');

it('a mainland number is sent in one spelling, whatever stands around its digits', () => {
	fc.assert(
		fc.property(grouped, country, separator, separator, wrapping, (groups, code, a, b, wrap) => {
			const cell = wrap(`${code}${groups[0]}${a}${groups[1]}${b}${groups[2]}`);
			const number = read(cell);
			expect([cell, number?.text]).toEqual([cell, groups.join('')]);
			expect(number?.key).toBe(groups.join(''));
		}),
	);
});

it('the area code may go without its zero behind a country code', () => {
	const abroad = fc.constantFrom('+86', '0086', '86', '+86 (0)', '+86-');
	fc.assert(
		fc.property(
			fc.oneof(GROUPED[1], GROUPED[2], GROUPED[3]),
			abroad,
			separator,
			(groups, code, a) => {
				const [area, ...local] = groups;
				expect(read(`${code}${area.slice(1)}${a}${local.join(a)}`)?.text).toBe(groups.join(''));
			},
		),
	);
});

it('an extension follows a whole line, however it is marked', () => {
	const extension = fc.stringMatching(/^\d{1,6}$/);
	fc.assert(
		fc.property(grouped, separator, mark, extension, (groups, a, marked, behind) => {
			const cell = `${groups.join(a)}${marked}${behind}`;
			expect([cell, read(cell)?.text]).toEqual([cell, `${groups.join('')}-${behind}`]);
		}),
	);
});

/** Cells of digits and what stands between digits, most of them no number. */
const anyCell = fc
	.array(
		fc.constantFrom(
			...'0123456789',
			...['010', '021', '0755', '755', '86', '+86', '0086', '138', '400', '95', '+852', '00'],
			...['110', '119', '120', '122', '-', '-', ' ', '(', ')', '转', 'x', '#', '.0', '"', "'", '='],
		),
		{ maxLength: 14 },
	)
	.map((parts) => parts.join(''));

/** Every kind of line that can be called (contract 16), one shape each. */
const LINES = [
	/^1[3-9]\d{9}$/,
	/^010\d{8}$/,
	/^02\d{9}$/,
	/^0[3-9]\d{9,10}$/,
	/^[48]00\d{7}$/,
	/^(\+|00)[1-9]\d{6,14}$/,
];

/** The digits that somebody wrote, without the zero of trunk calls, and with 86 taken off once or twice. */
const toBareDigits = (written: string) =>
	[/^(00)?(86)?0?/, /^(00)?(86)?(86)?0?/].map((code) =>
		written
			.replace(/[\p{Cf}"'`\u2018\u2019\u201c\u201d]/gu, '')
			.replace(/\.0\D*$/, '')
			.replace(/\D/g, '')
			.replace(code, ''),
	);

it('what was read is a line with the digits that were written, reads the same again, and is extended only within China', () => {
	fc.assert(
		fc.property(anyCell, (cell) => {
			const number = read(cell);
			if (number === undefined) return;
			const [line, ...extensions] = number.text.split('-');
			expect([cell, line, LINES.some((kind) => kind.test(line))]).toEqual([cell, line, true]);
			const [dialed] = toBareDigits(line);
			expect(toBareDigits(cell)).toContain(dialed + extensions.join(''));
			const isForeign = /^(\+|00)/.test(line);
			expect(extensions).toHaveLength(isForeign || extensions.length === 0 ? 0 : 1);
			expect(number.line).toBe(line.replace(/^00/, '+'));
			expect(read(number.text)).toEqual(number);
		}),
		{
			numRuns: 4 * RUNS,
			examples: [
				['868611900110'],
				['8008602100.0 '],
				['00860)010010'],
				['+86 0 0 10010'],
				['0(004000'],
				['13813800119转.00'],
			],
		},
	);
});

/** The area codes that there are, roughly: 010, 02x, and 03xx to 09xx without 096x and 098x. */
function isAreaCode(code: string): boolean {
	if (code === '10' || (code.length === 2 && code[0] === '2')) return true;
	if (code.length !== 3 || code === '400' || code === '800') return false;
	return '345678'.includes(code[0]) || (code[0] === '9' && !'68'.includes(code[1]));
}

/** Reads a dialed text by itself: whether a switch could take it for police, fire brigade or ambulance. */
function reachesEmergency(text: string): boolean {
	let line = text.split('-')[0].replace('+', '');
	while (line.startsWith('0')) line = line.slice(1);
	for (const rest of [line, line.startsWith('86') ? line.slice(2) : line]) {
		const national = rest.startsWith('0') ? rest.slice(1) : rest;
		if (['110', '119', '120', '122'].includes(national)) return true;
		const [area, service] = [national.slice(0, -3), national.slice(-3)];
		if (['110', '119', '120', '122'].includes(service) && isAreaCode(area)) return true;
	}
	return beginsAsEmergency(text);
}

/** Whether a switch has dialed one of four numbers before it has read all of a domestic text. */
function beginsAsEmergency(text: string): boolean {
	if (/^(\+|00)/.test(text)) return false;
	const lines = ['110', '119', '120', '122'];
	const codes = ['', '0', ...Array.from({ length: 1000 }, (_each, code) => String(code))]
		.filter((code) => code === '' || code === '0' || isAreaCode(code))
		.map((code) => (code === '' || code === '0' ? code : `0${code}`));
	return lines.some((line) => codes.some((code) => text.startsWith(code + line)));
}

it('no accepted spelling dials an emergency line', () => {
	const line = fc.tuple(
		fc.constantFrom('', '+86', '0086', '86', '+', '00', '0', '+86 86'),
		fc.constantFrom('', '0', '(0)'),
		fc.constantFrom('', '10', '21', '755', '951', '312', '999'),
		fc.constantFrom('110', '119', '120', '122', '11012345', '12012345', '1191234'),
		fc.constantFrom('', '', '-1', '转1', 'x801', '.0', '-110', '#'),
	);
	const between = fc.constantFrom('', '', '-', ' ', ')', '(', '\u200b', '"');
	const spelled = fc
		.tuple(line, between, wrapping)
		.map(([parts, a, wrap]) => wrap(`${parts.slice(0, 4).join(a)}${parts[4]}`));
	fc.assert(
		fc.property(fc.oneof(spelled, anyCell), (cell) => {
			const number = read(cell);
			expect([cell, number !== undefined && reachesEmergency(number.text)]).toEqual([cell, false]);
		}),
		{ numRuns: 8 * RUNS, examples: [['086120'], ['0 86-119']] },
	);
	expect(['110', '010110', '+8610110', '0755120', '+86951119'].map(reachesEmergency)).not.toContain(
		false,
	);
});

const ALLOWED = buildProperty({ displayName: 'Allowed Recipients' });

it('a beginning allows what is sent with it in front, and nothing else', () => {
	const beginning = grouped.chain((groups) =>
		fc.integer({ min: 1, max: 10 }).map((length) => groups.join('').slice(0, length)),
	);
	fc.assert(
		fc.property(beginning, grouped, anyCell, (start, groups, cell) => {
			const filter = recipientFilter(`${start}*`, ALLOWED, buildForm());
			const numbers = [groups.join(''), `${start}12345678`.slice(0, 11), cell];
			for (const number of numbers.map(read)) {
				if (number === undefined) continue;
				const isMeant = number.text.startsWith(start) && !number.text.startsWith('00');
				expect([start, number.text, filter?.(number)]).toEqual([start, number.text, isMeant]);
			}
		}),
		{ numRuns: 2 * RUNS },
	);
});
