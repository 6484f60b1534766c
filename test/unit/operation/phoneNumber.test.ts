import { callNumber, smsNumber, smsNumbers } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { buildForm, buildProperty } from '../../support/form';

const TO = buildProperty({ displayName: 'To', name: 'to', required: true });

const called = (value: unknown) => callNumber(value, TO, buildForm()).text;
const texted = (value: unknown) => smsNumbers(value, TO, buildForm()).map(({ text }) => text);

const digits = (length: number) => '1380000000013800000000'.slice(0, length);

// The spellings that people have are in test/corpus/cells (unit/corpusCells), what stands around digits in
// properties/numbersSpelled and properties/numbers. Here: bounds, what those lack, and whole messages.

describe('callNumber', () => {
	it.each<[string, unknown, string]>([
		['twenty digits', digits(20), digits(20)],
		['a plus sign and twenty digits', `+852${digits(17)}`, `+852${digits(17)}`],
		['a line end behind', '13800000000\r\n', '13800000000'],
		['a separator behind', '13800000000,', '13800000000'],
		['86 before eleven digits of no mobile number, kept', '8612800000000', '8612800000000'],
		['+86 before eleven digits of no mobile number', '+8612800000000', '12800000000'],
		['full-width digits with a code and an extension', '８６13800000000-９', '13800000000-9'],
		...['\u00ad', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069'].map(
			(mark): [string, string, string] => [
				`the invisible mark U+${mark.charCodeAt(0).toString(16)}`,
				`${mark}138${mark}00000000${mark}`,
				'13800000000',
			],
		),
		['groups behind a country code, and an extension', '0086-13800000000-801', '13800000000-801'],
		['a hyphen that does not break', '138\u20110000\u20110000', '13800000000'],
		['a full-width hyphen before an extension', '13800000000－801', '13800000000-801'],
		['forty characters at most, without blanks', ` 138${' '.repeat(50)}00000000`, '13800000000'],
		['0086 inside a number, kept', '2008613800000000', '2008613800000000'],
		['eleven digits that lack no zero', '95013123456', '95013123456'],
		['ten digits that lack no zero', '9621201234', '9621201234'],
	])('takes %s', (_what, value, expected) => {
		expect(called(value)).toBe(expected);
	});

	const COUNT = 'A mobile number has 11 digits.';
	const ANY = 'Enter a phone number of 5 to 20 digits.';

	it.each<[string, string, unknown[]]>([
		[
			'has a hyphen inside the number',
			'Write the number in digits only. A hyphen starts an extension after a complete number with its area code, such as 01012345678-801.',
			[
				...['8521-1', '+8521-1', '876-5432', '1380000000-1', '138000000000-801', '1234567转1'],
				...['0216428-801', '010-1234567-8', '86-95588', '+86-10086', '01012345678-801转2'],
			],
		],
		[
			'is in scientific notation, such as 1.38E+10',
			'A spreadsheet shortened the number. Format its column as text and read the file again.',
			['1.38E+10', '138E+8', '+1.38E+10', 1.38e21],
		],
		['has 10 digits', COUNT, ['1380000000', '+861380000000', '138-00000-00']],
		['has 12 digits', COUNT, ['86138000000000', '138000000000转801']],
		['has 2 digits', ANY, ['12', '+12']],
		['has 3 digits', ANY, ['138', '114', '+138', '13-1', '1-2-3']],
		['has 1 digit', ANY, ['1']],
		['has 0 digits', ANY, ['+']],
		['has 21 digits', ANY, [digits(21), `+852${digits(18)}`]],
		['has letters', ANY, ['CALL-ME', '13800000000p801', true]],
		['has a plus sign that is not at the beginning', ANY, ['++13800000000', '138+00000000']],
		[
			'has a character that is not a digit',
			ANY,
			['١٣٨٠٠٠٠٠٠٠٠', '138/00000000', '01012345678~801', 13800000000.5],
		],
		['has no number before its hyphen or extension', ANY, ['-801', '转801', -13800000000]],
		['has more than 40 characters', ANY, ['1'.repeat(41), `1${'-'.repeat(80_000)}x`]],
		[
			'has an extension that is not 1 to 8 digits',
			'An extension follows a hyphen, such as 01012345678-801.',
			['01012345678-', '01012345678-123456789', '13800000000转123456789', '01012345678转'],
		],
		[
			'has extra digits after a complete number',
			'An extension follows a hyphen, such as 01012345678-801. A second number needs an entry of its own.',
			['13800000000 13800000001', '(010)12345678(801)', '10086 1'],
		],
		[
			'has no zero in front of its area code',
			'A spreadsheet may have dropped it: format its column as text. A foreign number needs + and its country code.',
			[2164281111, '85212345678'],
		],
		[
			'contains a garbled character (\ufffd)',
			'The file was read in the wrong encoding. Save it as UTF-8 and read it again.',
			['138\ufffd0000000'],
		],
		[
			'has asterisks in place of digits',
			'The number is masked. Get it from a source that shows all its digits.',
			['138****0000'],
		],
	])('says of a number that it %s, what to do, and never the number', (flaw, remedy, values) => {
		for (const value of values) expect(() => called(value)).toThrow(`'To' ${flaw}. ${remedy}`);
	});

	it.each<[unknown, RegExp]>([
		['00 0852', /^'To' has a country code that does not exist\. /],
		...['86 0755-122', '10110', '+86 86110', '1\u20661\u20690'].map((cell): [string, RegExp] => [
			cell,
			/^'To' is or begins with an emergency number\. This node never calls /,
		]),
		['', /^'To' is empty/],
		[undefined, /^'To' is empty/],
		[null, /^'To' is empty/],
		[[], /^'To' is empty/],
		[' \u200b ', /^'To' is empty/],
		['13800000000、13800000001', /^'To' has more than one number\. .* Split Out node/],
		[['13800000000'], /^'To' is a list\. .* Split Out node/],
		[{ to: '13800000000' }, /^'To' is an object/],
		[Object.create(null), /^'To' is an object/],
		['undefined', /^'To' is the word "undefined"\. The expression found no such field/],
	])('refuses %j', (value, words) => {
		expect(() => called(value)).toThrow(words);
	});
});

describe('smsNumbers', () => {
	it.each<[string, unknown, string[]]>([
		['twenty digits', digits(20), [digits(20)]],
		['empty entries', ',13800000000,, ;\n-,13800000001;', ['13800000000', '13800000001']],
		['lists in a list', ['10000;10001', '10002'], ['10000', '10001', '10002']],
		['empty entries of a list', ['', null, undefined, '13800000000'], ['13800000000']],
		['a landline in two spellings', '01012345678;+861012345678', ['01012345678']],
		['a number abroad, as it comes first', '+85212345678;0085212345678', ['+85212345678']],
	])('takes %s', (_what, value, expected) => {
		expect(texted(value)).toEqual(expected);
	});

	it.each([[''], [null], [' , ;；，\n-'], [[]], [['', null, ' ']]])('refuses %j', (value) => {
		expect(() => texted(value)).toThrow("'To' is empty");
	});

	it.each<[string, unknown, string]>([
		['four digits', '1380', 'has 4 digits'],
		['a list in a list', [['13800000000']], 'is a list'],
		['hyphens out of place', '1380000000-1', 'has a hyphen inside the number'],
	])('refuses %s', (_what, value, flaw) => {
		expect(() => texted(value)).toThrow(new RegExp(`^'To' ${flaw}`));
	});

	it.each<[string, unknown, string]>([
		['twenty-one digits', `13800000000,${digits(21)}`, 'entry 2 has 21 digits'],
		['letters', '13800000000,13800000001,now', 'entry 3 has letters'],
		['a bad number behind empty entries', ',13800000000,,12', 'entry 2 has 2 digits'],
		['an object in a list', ['13800000000', { to: '1' }], 'entry 2 is an object'],
		['a long entry', `1${'-'.repeat(50)}1,13800000000`, 'entry 1 has more than 40 characters'],
	])('refuses a list with %s and says which entry', (_what, value, flaw) => {
		expect(() => texted(value)).toThrow(
			new RegExp(`^'To' has an entry that cannot be used: ${flaw}\\. `),
		);
	});

	it('counts the bad entries of a list and names the first twenty places', () => {
		const bad = Array.from({ length: 23 }, () => '12');
		const named = Array.from({ length: 20 }, (_each, at) => `entry ${at + 2} has 2 digits`);
		expect(() => texted(['13800000000', ...bad])).toThrow(
			`'To' has 23 entries that cannot be used: ${named.join(', ')}, and 3 more. Enter a phone number of 5 to 20 digits.`,
		);
	});

	it('refuses an emergency number in a list', () => {
		expect(() => texted('13800000000,+86110')).toThrow(
			'entry 2 is or begins with an emergency number',
		);
	});

	it('takes 10,000 numbers and no more, blank entries aside', () => {
		const many = Array.from({ length: 10_001 }, (_each, at) => String(13_800_000_000 + at));
		expect(texted([...many.slice(1), '', ' -'])).toHaveLength(10_000);
		const words = "'To' is longer than a list of 10000 numbers. Split the list into several items.";
		expect(() => texted(many)).toThrow(words);
	});

	it('splits no text that is longer than 10,000 entries can be', () => {
		const words = "'To' is longer than a list of 10000 numbers";
		expect(() => texted('-,'.repeat(205_001))).toThrow(words);
		expect(() => texted(Array<string>(9000).fill('1'.repeat(46)))).toThrow(words);
		expect(() => called(' '.repeat(410_001))).toThrow(words);
	});
});

describe('smsNumber', () => {
	const one = (value: unknown) => smsNumber(value, TO, buildForm()).text;

	it('takes one number, as smsNumbers does', () => {
		expect(one('+86 138-0000-0005')).toBe('13800000005');
		expect(() => one('1234')).toThrow("'To' has 4 digits. Enter a phone number of 5 to 20 digits.");
		expect(() => one('10000;10001')).toThrow("'To' has more than one number");
	});
});
