import { callNumber, smsNumber, smsNumbers } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { buildForm, buildProperty } from '../../support/form';

const TO = buildProperty({ displayName: 'To', name: 'to', required: true });

const called = (value: unknown) => callNumber(value, TO, buildForm()).text;
const texted = (value: unknown) => smsNumbers(value, TO, buildForm()).map(({ text }) => text);

const digits = (length: number) => '1380000000013800000000'.slice(0, length);

describe('callNumber', () => {
	it.each<[string, unknown, string]>([
		['a mobile number', '13800000000', '13800000000'],
		['a number of n8n', 13800000000, '13800000000'],
		['twenty digits', digits(20), digits(20)],
		['an extension of eight digits', '01012345678-12345678', '01012345678-12345678'],
		['an extension of a service number', '10086-1', '10086-1'],
		['a plus sign', '+85212345678', '+85212345678'],
		['a plus sign and twenty digits', `+852${digits(17)}`, `+852${digits(17)}`],
		['blanks', ' 138 0000\t0000 ', '13800000000'],
		['blanks that are not seen', '\ufeff138\u00a00000\u200b0000\u3000', '13800000000'],
		['a line end behind', '13800000000\r\n', '13800000000'],
		['+86', '+8613800000000', '13800000000'],
		['0086', '008613800000000', '13800000000'],
		['+86 and an extension', '+8613800000000-801', '13800000000-801'],
		['86 without a sign', '8613800000000', '13800000000'],
		['86 before eleven digits of no mobile number, kept', '8612800000000', '8612800000000'],
		['+86 before eleven digits of no mobile number', '+8612800000000', '12800000000'],
		['full-width digits', '１３８００００００００', '13800000000'],
		[
			'full-width digits with a country code and an extension',
			'８６13800000000-９',
			'13800000000-9',
		],
		['a separator behind', '13800000000,', '13800000000'],
		...['\u00ad', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069'].map(
			(mark): [string, string, string] => [
				`the invisible mark U+${mark.charCodeAt(0).toString(16)}`,
				`${mark}138${mark}00000000${mark}`,
				'13800000000',
			],
		),
		['a mobile number in three groups', '138-0000-0000', '13800000000'],
		['a mobile number in two groups', '138-00000000', '13800000000'],
		['groups behind a country code', '+86138-0000-0000', '13800000000'],
		['a hyphen behind the country code', '+86-138-0000-0000', '13800000000'],
		['the same without groups', '0086-13800000000-801', '13800000000-801'],
		['a full-width plus', '＋85212345678', '+85212345678'],
		['a hyphen that does not break', '138\u20110000\u20110000', '13800000000'],
		['groups behind 86 alone', '86 138-00000000', '13800000000'],
		['full-width hyphens', '138－0000－0000', '13800000000'],
		['a full-width hyphen before an extension', '13800000000－801', '13800000000-801'],
		['eight digits that begin with 86, kept', '86138000', '86138000'],
		['forty characters at most, without blanks', ` 138${' '.repeat(50)}00000000`, '13800000000'],
		['0086 inside a number, kept', '2008613800000000', '2008613800000000'],
	])('takes %s', (_what, value, expected) => {
		expect(called(value)).toBe(expected);
	});

	it.each([
		...['13-1', '138-1', '138-00000-00', '1-2-3', '+1-234', '8521-1', '+8521-1', '87654321-801'],
		...['6428-1111', '876-5432', '0216428-801', '010-1234567-8', '010-12345-678', '0123-4567890'],
		...['+44-20-79460958', '86-95588', '+86-10086', '01012345678-801-2', '01012345678-801转2'],
	])('refuses a hyphen that nothing tells the meaning of: %s', (value) => {
		expect(() => called(value)).toThrow(
			"'To' has a hyphen inside the number. Write the number in digits only. A hyphen starts an extension after a complete number with its area code, such as 01012345678-801.",
		);
	});

	it.each(['1.38E+10', '1.38e10', '138E+8', '+1.38E+10', 1.38e21])(
		'refuses a number that a spreadsheet shortened and explains it: %s',
		(value) => {
			expect(() => called(value)).toThrow(
				"'To' is in scientific notation, such as 1.38E+10. A spreadsheet shortened the number. Format its column as text and read the file again.",
			);
		},
	);

	it.each([
		['1380000000', 10],
		['138000000000', 12],
		['+861380000000', 10],
		['86138000000000', 12],
		['1380000000-1', 10],
		['138000000000-801', 12],
		['138000000000转801', 12],
	])('refuses a mobile number with a digit too few or too many: %s', (value, count) => {
		expect(() => called(value)).toThrow(`'To' has ${count} digits. A mobile number has 11 digits.`);
	});

	it.each<[string, unknown[]]>([
		['has 2 digits', ['12', '+12']],
		['has 3 digits', ['138', '114', '+138']],
		['has 1 digit', ['1']],
		['has 0 digits', ['+']],
		['has 21 digits', [digits(21), `+852${digits(18)}`]],
		['has letters', ['CALL-ME', '1380000000O', '13800000000p801', '138xxxx0000', true]],
		['has a plus sign that is not at the beginning', ['++13800000000', '138+00000000']],
		[
			'has a character that is not a digit',
			[
				'١٣٨٠٠٠٠٠٠٠٠',
				'138.0000.0000',
				'138/00000000',
				'01012345678~801',
				'+44 (0)20 7946 0958',
				13800000000.5,
			],
		],
		['has no number before its hyphen or extension', ['-801', '转801', -13800000000]],
		['has more than 40 characters', ['1'.repeat(41), `1${'-'.repeat(80_000)}x`]],
	])('says of what is no number that it %s, never the number', (flaw, values) => {
		for (const value of values) {
			expect(() => called(value)).toThrow(`'To' ${flaw}. Enter a phone number of 5 to 20 digits.`);
		}
	});

	it.each(['01012345678-', '01012345678-123456789', '13800000000转123456789', '01012345678转'])(
		'refuses an extension that is not 1 to 8 digits: %s',
		(value) => {
			expect(() => called(value)).toThrow(
				"'To' has an extension that is not 1 to 8 digits. An extension follows a hyphen, such as 01012345678-801.",
			);
		},
	);

	it.each(['13800000000 13800000001', '01012345678 801', '(010)12345678(801)', '10086 1'])(
		'refuses what follows a whole number: %s',
		(value) => {
			expect(() => called(value)).toThrow(
				"'To' has extra digits after a complete number. An extension follows a hyphen, such as 01012345678-801. A second number needs an entry of its own.",
			);
		},
	);

	it.each(['+01012345678', '0001012345678', '+86 0085212345678', '00 0852'])(
		'refuses a country code that there is not: %s',
		(value) => {
			expect(() => called(value)).toThrow(/^'To' has a country code that does not exist\. /);
		},
	);

	it.each(['2987388888', 2164281111, '1012345678', '75587654321', '85212345678', '2165550123'])(
		'refuses a landline whose zero a spreadsheet dropped, or a foreign number without +: %s',
		(value) => {
			expect(() => called(value)).toThrow(
				"'To' has no zero in front of its area code. A spreadsheet may have dropped it: format its column as text. A foreign number needs + and its country code.",
			);
		},
	);

	it.each(['4008208820', '8008208820', '95013123456', '9621201234', '447900900123'])(
		'misses no zero in %s',
		(value) => expect(called(value)).toBe(value),
	);

	it('refuses a character that got lost, and a number whose digits are hidden', () => {
		expect(() => called('138\ufffd0000000')).toThrow(
			"'To' contains a garbled character (\ufffd). The file was read in the wrong encoding. Save it as UTF-8 and read it again.",
		);
		expect(() => called('138****0000')).toThrow(
			"'To' has asterisks in place of digits. The number is masked. Get it from a source that shows all its digits.",
		);
	});

	it.each([
		...['86 0755-122', '10110', '+86 86110', '="110"', '119.0', '110-12345678', '+860119'],
		...['110', '122', '+110', '110-1', '010110', '＋８６１１０', '1\u20661\u20690'],
	])('refuses an emergency number, however it is written: %s', (value) => {
		expect(() => called(value)).toThrow(/^'To' is an emergency number\. This node never calls /);
	});

	it.each<[unknown, RegExp]>([
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
		['five digits', '10086', ['10086']],
		['twenty digits', digits(20), [digits(20)]],
		['a plus sign', '+85212345678', ['+85212345678']],
		['a list in a text', '13800000000；13800000001', ['13800000000', '13800000001']],
		['line ends', '13800000000\r\n13800000001\r\n', ['13800000000', '13800000001']],
		['blanks and hyphens', ' 138-0000-0000 , 138 0000 0001', ['13800000000', '13800000001']],
		['empty entries', ',13800000000,, ;\n-,13800000001;', ['13800000000', '13800000001']],
		['a list', ['13800000000', 13800000001], ['13800000000', '13800000001']],
		['lists in a list', ['10000;10001', '10002'], ['10000', '10001', '10002']],
		['empty entries of a list', ['', null, undefined, '13800000000'], ['13800000000']],
		['+86 with hyphens', '+86-138-0000-0000', ['13800000000']],
		['a number in several spellings', '13800000000;013800000000', ['13800000000']],
		['a number twice', '13800000001,13800000000,13800000001', ['13800000001', '13800000000']],
		['a landline with hyphens', '010-1234-5678', ['01012345678']],
		['a landline in two spellings', '01012345678;+861012345678', ['01012345678']],
		['invisible marks', '\u202a13800000000\u202c', ['13800000000']],
	])('takes %s', (_what, value, expected) => {
		expect(texted(value)).toEqual(expected);
	});

	it.each([[''], [null], [' , ;；，\n-'], [[]], [['', null, ' ']]])('refuses %j', (value) => {
		expect(() => texted(value)).toThrow("'To' is empty");
	});

	it.each<[string, unknown, string]>([
		['four digits', '1380', 'has 4 digits'],
		['letters', 'now', 'has letters'],
		['numbers with blanks between', '13800000000 13800000001', 'has extra digits after'],
		['a list in a list', [['13800000000']], 'is a list'],
		['a mobile number with 12 digits', '138000000000', 'has 12 digits'],
		['hyphens out of place', '1380000000-1', 'has 10 digits'],
		['an extension', '13800000000-801', 'has an extension'],
		['the extension of a landline', '01012345678-801', 'has an extension'],
		['the word of a missing field', 'undefined', 'is the word "undefined"'],
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
		expect(() => texted('13800000000,+86110')).toThrow('entry 2 is an emergency number');
	});

	it('counts blank entries', () => {
		expect(texted(`${'\n'.repeat(9_998)}13800000000,13800000001\r\n`)).toHaveLength(2);
		const words = "'To' has more than 10000 entries";
		expect(() => texted(`${'-,'.repeat(10_000)}13800000000`)).toThrow(words);
		expect(() => texted([...Array<string>(10_000).fill(''), '13800000000'])).toThrow(words);
	});

	it('splits no text that is longer than 10,000 entries can be', () => {
		const words = "'To' is longer than 410000 characters";
		expect(() => texted('-,'.repeat(205_001))).toThrow(words);
		expect(() => texted(Array<string>(9000).fill('1'.repeat(46)))).toThrow(words);
		expect(() => called(' '.repeat(410_001))).toThrow(words);
	});

	it('takes 10,000 numbers and no more', () => {
		const many = Array.from({ length: 10_001 }, (_each, at) => String(13_800_000_000 + at));
		expect(texted(many.slice(1))).toHaveLength(10_000);
		expect(() => texted(many)).toThrow("'To' has more than 10000 entries");
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
