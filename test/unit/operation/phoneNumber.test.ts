import { callNumber, smsNumber, smsNumbers } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { buildForm, buildProperty } from '../../support/form';

const TO = buildProperty({ displayName: 'To', name: 'to', required: true });

const called = (value: unknown) => callNumber(value, TO, buildForm()).text;
const texted = (value: unknown) => smsNumbers(value, TO, buildForm()).map(({ text }) => text);

// The spellings that people have are in test/corpus/cells (unit/corpusCells), what stands around digits in
// properties/numbersSpelled and properties/numbers. Here: bounds, what those lack, and whole messages.

const RULE =
	'It takes mobile numbers of mainland China, landlines with their area code, such as 01012345678 or 01012345678-801, 400 and 800 numbers, and foreign numbers that begin with + or 00 and a country code. One such as 1.38E+10 was shortened by a spreadsheet: format its column as text.';
const UNKNOWN = 'is not a phone number that this node takes';

describe('callNumber', () => {
	it.each<[string, unknown, string]>([
		['a plus sign and fifteen digits', `+852${'1'.repeat(12)}`, `+852${'1'.repeat(12)}`],
		['00 and seven digits', '008521234', '008521234'],
		['a number of Washington', '+1 202-555-0123', '+12025550123'],
		['a line end behind', '13800000000\r\n', '13800000000'],
		['a separator behind', '13800000000,', '13800000000'],
		['full-width digits with a code and an extension', '８６13800000000-9', '13800000000-9'],
		['an extension of six digits', '010-12345678-123456', '01012345678-123456'],
		['two landlines of seven digits and one of eight', '0755-1234567-8', '07551234567-8'],
		['a code before an area code that begins with it', '+86 861 1234567', '08611234567'],
		['an invisible mark', '\u202a138\u202c00000000\u00ad', '13800000000'],
		['a hyphen that does not break', '138\u20110000\u20110000', '13800000000'],
		['forty characters at most, without blanks', ` 138${' '.repeat(50)}00000000`, '13800000000'],
	])('takes %s', (_what, value, expected) => {
		expect(called(value)).toBe(expected);
	});

	it.each<unknown>([
		...['10086', '95588', '12345', '12345678', '1234567', '0', '138', '1380000000', true],
		...['85212345678', '1012345678', '+8521-1', '+44-20-7946-0958', '+85212345678-801'],
		...['+852 1234 5678 801', '+1 415 555 0100 8'],
		...['01012345678-', '01012345678-1234567', '010-65529988-65529989', '01012345678转'],
		...['1380000000-1', '0101234567-8', '0755 1234567 8', '13800000000 13800000001'],
		...['04001234567', '08001234567', '+86 0400 123 4567', '0211234567', '0101234567'],
		...['110', '010110', '01011012345', '075512012345', '0011012345678', '001202555012'],
		...['+1 305 555.0000', '+1-305-555.000', '138 0000.0000'],
		...['+852123', `+852${'1'.repeat(13)}`, '+0852123456', '++8613800000000', '138****0000'],
		...['١٣٨٠٠٠٠٠٠٠٠', '0755-1234567²', '138/00000000', 13800000000.5, -13800000000],
		...['1'.repeat(41), `1${'-'.repeat(80_000)}x`, 'CALL-ME', '138\ufffd0000000', '-801'],
		...['1.38E+10', 1.38e21, '13800000000.00', '13800000000#'],
	])('explains what it accepts, and never shows the refused number: %p', (value) => {
		expect(() => called(value)).toThrow(new Error(`'To' ${UNKNOWN}. ${RULE}`));
	});

	it.each<[unknown, RegExp]>([
		[{ to: '13800000000' }, /^'To' is an object\. It takes mobile numbers/],
		[Object.create(null), /^'To' is an object\. It takes mobile numbers/],
		['', /^'To' is empty/],
		[undefined, /^'To' is empty/],
		[null, /^'To' is empty/],
		[[], /^'To' is empty/],
		[' \u200b ', /^'To' is empty/],
		['13800000000、13800000001', /^'To' is a list\. .* Split Out node/],
		[['13800000000'], /^'To' is a list\. .* Split Out node/],
		['undefined', /^'To' is the word "undefined"\. The expression found no such field/],
	])('refuses %j', (value, words) => {
		expect(() => called(value)).toThrow(words);
	});
});

describe('smsNumbers', () => {
	it.each<[string, unknown, string[]]>([
		['empty entries', ',13800000000,, ;\n-,13800000001;', ['13800000000', '13800000001']],
		['lists in a list', ['13800000000;13800000001'], ['13800000000', '13800000001']],
		['empty entries of a list', ['', null, undefined, '13800000000'], ['13800000000']],
		['a number abroad, as it comes first', '+85212345678;0085212345678', ['+85212345678']],
	])('takes %s', (_what, value, expected) => {
		expect(texted(value)).toEqual(expected);
	});

	it.each([[''], [null], [' , ;；，\n-'], [[]], [['', null, ' ']]])('refuses %j', (value) => {
		expect(() => texted(value)).toThrow("'To' is empty");
	});

	const LANDLINE =
		'is not a mobile number. An SMS does not reach a landline or a 400 or 800 number.';

	it.each<[string, unknown, string]>([
		['a short number', '10086', UNKNOWN],
		['a list in a list', [['13800000000']], 'is a list'],
		['a landline', '01012345678', LANDLINE],
		['a landline with an extension', '01012345678-801', LANDLINE],
		['a service number', '400-820-8820', LANDLINE],
		[
			'a privacy number',
			'17000000000-1234',
			"has an extension. It is probably a shop's privacy number, which can only be called.",
		],
	])('refuses %s', (_what, value, flaw) => {
		expect(() => texted(value)).toThrow(`'To' ${flaw}`);
	});

	it('names the first twenty bad entries of a list, and how many more there are', () => {
		const one = `'To' has entries that cannot be used: entry 3 is an object. ${RULE}`;
		expect(() => texted(['13800000000', '', { to: '1' }])).toThrow(one);

		const bad = Array.from({ length: 23 }, () => '12');
		const named = Array.from({ length: 20 }, (_each, at) => `entry ${at + 2} ${UNKNOWN}`);
		expect(() => texted(['13800000000', ...bad])).toThrow(
			`'To' has entries that cannot be used: ${named.join(', ')}, 3 more. ${RULE}`,
		);
	});

	it.each<[string, unknown, string]>([
		['behind an empty one', '13800000000,,12', '3'],
		['in its line', '13800000000,\n12\r\n', '2'],
		['behind a blank at the end of a line', '13800000000,\u3000 \r\n12', '2'],
		['behind one with two numbers', ['13800000000', '13700000000\n13600000000', '12'], '3'],
		['with two numbers itself', ['13800000000', '13700000000\n12'], '2'],
		['in the only text of a list', ['13800000000;12'], '2'],
	])('names a bad entry by its place in the list as it was entered: %s', (_where, list, place) => {
		expect(() => texted(list)).toThrow(`cannot be used: entry ${place} ${UNKNOWN}`);
	});

	it('takes 10,000 numbers and no more, blank entries aside', () => {
		const many = Array.from({ length: 10_001 }, (_each, at) => String(13_800_000_000 + at));
		expect(texted([...many.slice(1), '', ' -'])).toHaveLength(10_000);
		const words = "'To' is longer than a list of 10000 numbers. Split the list into several items.";
		expect(() => texted(many)).toThrow(words);
	});

	it('does not split a text too long for 10,000 entries', () => {
		const words = "'To' is longer than a list of 10000 numbers";
		expect(() => texted('-,'.repeat(205_001))).toThrow(words);
		expect(() => texted(Array<string>(9000).fill('1'.repeat(46)))).toThrow(words);
		expect(() => called(' '.repeat(410_001))).toThrow(words);
	});
});

it('smsNumber takes one number, as smsNumbers does', () => {
	const one = (value: unknown) => smsNumber(value, TO, buildForm()).text;
	expect(one('+86 138-0000-0005')).toBe('13800000005');
	expect(() => one('01012345678')).toThrow("'To' is not a mobile number");
	expect(() => one('13800000000;13800000001')).toThrow("'To' is a list");
});
