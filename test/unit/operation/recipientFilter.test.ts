import fc from 'fast-check';

import { toPhoneNumber } from '../../../nodes/Yuntongxun/operation/numberIdentity';
import { recipientFilter } from '../../../nodes/Yuntongxun/operation/recipientFilter';
import { buildForm, buildProperty } from '../../support/form';

const ALLOWED = buildProperty({ displayName: 'Allowed Recipients', name: 'allowedRecipients' });

const filterFor = (list: string) => {
	const filter = recipientFilter(list, ALLOWED, buildForm());
	if (filter === undefined) throw new Error('There is no filter');
	return (number: string) => filter(toPhoneNumber(number));
};

describe('recipientFilter', () => {
	it.each<[string, string, boolean]>([
		['138-0000-0000', '13800000000', true],
		['010-12345678', '01012345678-801', true],
		['010-1234*', '01012345678', true],
		['138－0000*', '13800000000', true],
		['010*', '+861012345678', true],
		['+8610*', '01012345678', true],
		['8610*', '01012345678', true],
		['10*', '01012345678', false],
		['10*', '+861012345678', false],
		['10*', '10086', true],
		['+861*', '01012345678', true],
		['+861*', '13800000000', true],
		['01012345678', '861012345678', true],
		['+86*', '01012345678', true],
		['13800000000', '13800000000', true],
		['13800000000', '13800000001', false],
		['3800000000', '13800000000', false],
		['13800000001, 13800000000', '13800000000', true],
		['13800000001，13800000000', '13800000000', true],
		['13800000001\n13800000000', '13800000000', true],
		['138 0000 0000', '13800000000', true],
		['+8613800000000', '13800000000', true],
		['008613800000000', '13800000000', true],
		['1380*', '13800000000', true],
		['1381*', '13800000000', false],
		['380*', '13800000000', false],
		['13800000000*', '13800000000', true],
		['+852*', '+85212345678', true],
		['852*', '+85212345678', false],
		['01012345678', '01012345678-801', true],
		['01012345678-801', '01012345678-801', true],
		['01012345678-802', '01012345678-801', false],
		['01012345678-801', '01012345678', false],
		['010*', '01012345678-801', true],
		['+86*', '13800000000', true],
		['+86*', '+861012345678', true],
		['+86*', '008613800000000-12', true],
		['0086*', '+861012345678', true],
		['+86138*', '13800000000', true],
		['0086138*', '13900000000', false],
		['+86*', '+85212345678', false],
		['+86*', '0085212345678', false],
		['86*', '+8613800000000', true],
		['86*', '01012345678', true],
		['86*', '10086', true],
		['86*', '+85212345678', false],
		['86-*', '13800000000', true],
		['8613800000000', '13800000000', true],
		['013800000000', '13800000000', true],
		['13800000000', '013800000000', true],
		['13800000000', '8613800000000-7', true],
		['１３８００００００００', '13800000000', true],
		['13900000000、13800000000', '13800000000', true],
		['86138*', '13800000000', true],
		['0138*', '+8613800000000', true],
		['138*', '013800000000', true],
		['0*', '13800000000', false],
		['0*', '01012345678', true],
		['0010*', '01012345678', false],
		['01*', '013800000000', false],
		['861*', '13800000000', true],
		['861*', '01012345678', true],
		['861*', '85212345678', false],
		['8610086', '10086', false],
		['+8610086', '10086', true],
		['4008208820', '+864008208820', true],
		['400*', '+864008208820', true],
		['+86400*', '4008208820', true],
		['+864*', '4008208820', true],
		['+864*', '04311234567', true],
		['+8612*', '12345', true],
		['+8695*', '95588', true],
		['+8610086*', '10086', true],
		['0010*', '13800000000', false],
		['86400*', '864008208820', true],
		['138＊', '13800000000', true],
		['1012345678', '+861012345678', false],
		['01012345678', '+861012345678', true],
		['+861012345678', '00861012345678-7', true],
		['+861012345678-7', '01012345678-7', true],
	])('%j lets %s through: %s', (allowed, number, expected) => {
		expect(filterFor(allowed)(number)).toBe(expected);
	});

	it('lets a number through exactly if an entry names it or its beginning', () => {
		const short = fc.integer({ min: 0, max: 9 }).map((index) => String(13800000000 + index));
		const entry = fc.oneof(
			short.map((number) => ({ written: number, fits: (other: string) => other === number })),
			fc.tuple(short, fc.integer({ min: 1, max: 11 })).map(([number, many]) => {
				const beginning = number.slice(0, many);
				return {
					written: `${beginning}*`,
					fits: (other: string) => other.slice(0, many) === beginning,
				};
			}),
		);
		fc.assert(
			fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), short, (entries, number) => {
				expect(filterFor(entries.map(({ written }) => written).join(', '))(number)).toBe(
					entries.some(({ fits }) => fits(number)),
				);
			}),
			{ numRuns: 300 },
		);
	});

	it.each<[string, number]>([
		['*8000*', 1],
		['*0000', 1],
		['*', 1],
		['＊0000', 1],
		['110', 1],
		['13800000000, 138*000', 2],
		['13800000000;1.8*', 2],
		['138........', 1],
		['13912345678-8888*', 1],
		['*-8888', 1],
		['+*', 1],
		['00*', 1],
		['0-0*', 1],
		['**', 1],
		['1380000000', 1],
		['12', 1],
		['everybody', 1],
		['1'.repeat(41), 1],
	])('refuses %j, of which no number can match entry %i', (allowed, position) => {
		expect(() => filterFor(allowed)).toThrow(
			`'Allowed Recipients' has an entry that no number can match: entry ${position}. Enter a phone number, or its first digits with an asterisk behind, such as 1390000*.`,
		);
	});

	it.each([',', ' ; 、'])('refuses %j, which names no number', (allowed) => {
		expect(() => filterFor(allowed)).toThrow("'Allowed Recipients' names no number");
	});

	it('is built once for all items with the same list', () => {
		const allowed = '13800000000, 13800000001';
		const build = () => recipientFilter(allowed, ALLOWED, buildForm());
		expect(build()).toBe(build());
		expect(filterFor('13800000001')('13800000000')).toBe(false);
		expect(filterFor(allowed)('13800000000')).toBe(true);
	});
});
