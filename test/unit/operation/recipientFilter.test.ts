import { smsNumbers } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import {
	recipientFilter,
	requireAllowed,
} from '../../../nodes/Yuntongxun/operation/recipientFilter';
import { buildForm, buildProperty, toPhoneNumber } from '../../support/form';

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
		['a landline', '01012345678', '01012345678-801 861012345678 +861012345678', '01012345679'],
		['an extension', '01012345678-801', '01012345678-801', '01012345678 01012345678-802'],
		['a beginning with full-width marks', '138－0000＊', '13800000000', '13900000000'],
		['an area code and more', '010-1234*', '01012345678-801', '01087654321'],
		['an area code in parentheses', '（010）*', '01012345678', '02112345678 13800000000'],
		['every mainland mobile', '1*', '13800000000 +8613800000000', '01012345678 +12025550123'],
		['every landline', '0*', '01012345678', '4008208820 0085212345678'],
		['service numbers', '4*', '4008208820', '04311234567'],
		['China', '+86*', '01012345678 13800000000-12 4008208820', '+85212345678 0085212345678'],
		['China', '0086*', '01012345678', '+85212345678'],
		['a country', '+852*', '+85212345678 0085212345678', '+85312345678 08521234567'],
		['the same country', '00852*', '+85212345678 0085212345678', '08521234567'],
	])('%s, %j, lets %j through, and not %j', (_what, allowed, through, not) => {
		const isLetThrough = filterFor(allowed);
		expect(words(through).filter((number) => !isLetThrough(number))).toEqual([]);
		expect(words(not).filter(isLetThrough)).toEqual([]);
	});

	it.each<[string, string[], number]>([
		['an asterisk that is not behind a beginning', ['*8000*', '*', '＊0000', '*-8888'], 1],
		['an asterisk in the middle of the second entry', ['13800000000, 138*000', '1*;1.8*'], 2],
		['an asterisk behind an extension', ['13912345678-8888*'], 1],
		['what stands behind empty entries', [',,138*x', '138*,13900000000\n1.8*'], 3],
		['what stands in the third line', ['138*,\n139*,\r\n13x'], 3],
		['a beginning that no line has', ['0138*', '10*', '8610*', '86*', '852*', '12*', '0400*'], 1],
		['a beginning that no number is sent with', ['+86138*', '+0*', '+*', '00*', '0086010*'], 1],
		['a beginning with an emergency number', ['110*', '010110*', '0755-120*'], 1],
		['no digits of a number', ['0-0*', '138........', 'everybody', '12', '1380000000'], 1],
		['an emergency or a short number', ['110', '10086'], 1],
		['a number without its first digit', ['3800000000', '1012345678', '85212345678'], 1],
	])('refuses %s: %j, by the position of the entry', (_what, lists, position) => {
		for (const allowed of lists) {
			expect(() => filterFor(allowed)).toThrow(
				`'Allowed Recipients' has an entry that no number can match: entry ${position}. Enter a phone number, its first digits`,
			);
		}
	});

	it('names who is not in it by the place in the list as it was entered', () => {
		const isAllowed = recipientFilter('138*', ALLOWED, buildForm());
		const refuse = (list: unknown) => () =>
			requireAllowed(smsNumbers(list, ALLOWED, buildForm()), isAllowed ?? (() => true));
		for (const list of [
			'13800000000,,13900000000',
			['13800000000', '13800000000', 13_900_000_000],
		]) {
			expect(refuse(list)).toThrow("'To' has a number that is not in Allowed Recipients: entry 3");
		}
		expect(refuse('13800000000')).not.toThrow();
	});

	it.each([',', ' ; 、'])('refuses %j, which holds no number', (allowed) => {
		expect(() => filterFor(allowed)).toThrow("'Allowed Recipients' is empty");
	});
});
