import { classifyLine, toPhoneNumber } from '../../../nodes/Yuntongxun/operation/numberIdentity';

/** The key of numbers, by what they are. */
const KEYS: Record<string, Record<string, string>> = {
	'an extension behind a mobile number': { '8613800000000-12': '+8613800000000-12' },
	'an extension behind a landline': { '01012345678-12': '+8601012345678-12' },
	'a landline of another city': {
		'867551234567': '+8607551234567',
		'8675512345678-1': '+86075512345678-1',
		'+864311234567': '+8604311234567',
	},
	'a short or service number': {
		'10086': '+8610086',
		'+8610086': '+8610086',
		'4008208820': '+864008208820',
		'864008208820-1': '+864008208820-1',
		'00868008208820': '+868008208820',
	},
	'a number abroad': {
		'+85212345678-12': '+85212345678-12',
		'0085212345678': '+85212345678',
	},
	'digits that are no such number': {
		'1012345678': '+861012345678',
		'8610012345678': '+868610012345678',
	},
};

it.each(Object.entries(KEYS))('%s has the key of the number that it reaches', (_what, keys) => {
	for (const [text, key] of Object.entries(keys)) {
		const sent = key.startsWith('+86') ? key.slice('+86'.length) : text;
		expect(toPhoneNumber(text)).toEqual({ text: sent, key, line: key.split('-')[0] });
	}
});

it.each([
	['a mobile number', 'known', ['13800000000', '+8613800000000-801']],
	['a landline', 'known', ['01012345678', '861012345678']],
	['a short number of a city', 'known', ['01012345', '075595588']],
	['a service number', 'known', ['4008208820', '8008208820', '95588']],
	['a landline without its city', 'unknown', ['12345678', '1234567-801', '+861234567']],
	['a number abroad', 'foreign', ['+14155550100', '0014155550100']],
	[
		'anything else',
		'unknown',
		['138', '10086', '123456', '123456789', '010123456', '138000000000'],
	],
])('the line of %s is %s', (_what, kind, numbers) => {
	const kinds = numbers.map((text) => [text, classifyLine(toPhoneNumber(text))]);
	expect(kinds).toEqual(numbers.map((text) => [text, kind]));
});
