import { toPhoneNumber } from '../../../nodes/Yuntongxun/operation/numberIdentity';
import { recipientFilter } from '../../../nodes/Yuntongxun/operation/recipientFilter';
import { buildForm, buildProperty } from '../../support/form';

const ALLOWED = buildProperty({ displayName: 'Allowed Recipients', name: 'allowedRecipients' });

const filterFor = (list: string) => {
	const filter = recipientFilter(list, ALLOWED, buildForm());
	if (filter === undefined) throw new Error('There is no filter');
	return (number: string) => filter(toPhoneNumber(number));
};

const words = (text: string) => text.split(' ').filter(Boolean);

describe('recipientFilter', () => {
	// Whole numbers in all their spellings: test/unit/corpusCells.test.ts; beginnings of dialed numbers: properties/numbersSpelled.
	// Here, what an entry stands for; the entry; numbers that it lets through; numbers that it does not.
	it.each<[string, string, string, string]>([
		['a landline', '01012345678', '01012345678-801 861012345678 +861012345678', ''],
		['an extension', '01012345678-801', '01012345678-801', '01012345678'],
		['another extension', '01012345678-802', '', '01012345678-801'],
		['an extension abroad', '+861012345678-7', '01012345678-7', ''],
		['digits that are no country code', '8610086', '', '10086'],
		['a beginning with a full-width asterisk', '138＊', '13800000000', ''],
		['a beginning with a full-width hyphen', '138－0000*', '13800000000', ''],
		['a beginning with a zero', '0138*', '+8613800000000', ''],
		['an area code and more', '010-1234*', '01012345678', ''],
		['an area code without its zero', '10*', '10086', '01012345678 +861012345678'],
		['no area code', '01*', '', '013800000000'],
		[
			'China',
			'+86*',
			'01012345678 13800000000 +861012345678 008613800000000-12',
			'+85212345678 0085212345678',
		],
		[
			'China, in short',
			'86*',
			'+8613800000000 01012345678 10086 95588 962120 4008208820 87654321 01012345',
			'+85212345678',
		],
		['China, not what only lacks its plus sign', '+86*', '', '85212345678 442079460958'],
		['mobile numbers of China', '+86138*', '13800000000', '0138000 0138000000'],
		['short numbers', '+8612*', '12345', ''],
		['one short number', '+8610086*', '10086', ''],
		['part of an area code', '+8643*', '04311234567', '4311234'],
		['an area code behind its country code and zero', '86010*', '01012345678', '10086'],
		['an area code in parentheses', '（010）*', '01012345678', '10086'],
		['an area code abroad and a short number', '+8610*', '01012345678', '10086 1012345678'],
		['an area code of three digits abroad', '+86312*', '03121234567', ''],
		['an area code and digits behind it', '+86-755-8765*', '075587654321', '075512345678'],
		['an area code that may be a bank', '+8695*', '95588', '09511234567'],
		['countries that begin with 85', '+85*', '+85212345678', '13800000000'],
		['a country', '+852*', '+85212345678', ''],
		['no country', '852*', '', '+85212345678'],
		['nothing there is', '0010*', '', '01012345678 13800000000'],
	])('%s, %j, lets %j through, and not %j', (_what, allowed, through, not) => {
		const isLetThrough = filterFor(allowed);
		expect(words(through).filter((number) => !isLetThrough(number))).toEqual([]);
		expect(words(not).filter(isLetThrough)).toEqual([]);
	});

	it.each<[string, string[], number]>([
		[
			'an asterisk that is not behind a beginning',
			['*8000*', '*0000', '*', '＊0000', '**', '*-8888'],
			1,
		],
		[
			'an asterisk in the middle of the second entry',
			['13800000000, 138*000', '13800000000;1.8*'],
			2,
		],
		['an asterisk behind an extension', ['13912345678-8888*'], 1],
		['a beginning of several countries', ['+8*', '008*', '+0*', '000*', '+8600*'], 1],
		['a beginning with more digits than a number has', [`${'1'.repeat(21)}*`], 1],
		['no digits of a number', ['+*', '00*', '0-0*', '138........', 'everybody', '12'], 1],
		['too many digits, or too few', ['1'.repeat(41), '1380000000'], 1],
		['an emergency number', ['110'], 1],
		['a number without its first digit', ['3800000000', '1012345678', '85212345678'], 1],
	])('refuses %s: %j, by the position of the entry', (_what, lists, position) => {
		for (const allowed of lists) {
			expect(() => filterFor(allowed)).toThrow(
				`'Allowed Recipients' has an entry that no number can match: entry ${position}. Enter a phone number, or its first digits followed by an asterisk, such as 1390000*.`,
			);
		}
	});

	it.each([',', ' ; 、'])('refuses %j, which contains no number', (allowed) => {
		expect(() => filterFor(allowed)).toThrow("'Allowed Recipients' contains no number");
	});

	it('is built once for all items with the same list', () => {
		const allowed = '13800000000, 13800000001';
		const build = () => recipientFilter(allowed, ALLOWED, buildForm());
		expect(build()).toBe(build());
		expect(filterFor('13800000001')('13800000000')).toBe(false);
		expect(filterFor(allowed)('13800000000')).toBe(true);
	});
});
