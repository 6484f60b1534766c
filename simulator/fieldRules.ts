/** What a field's value must look like. */
export interface ValueRule {
	/** The rule in words, as in "must be …". */
	readonly words: string;
	/** Whether a non-empty value keeps the rule. */
	readonly test: (value: string) => boolean;
}

const matching = (pattern: RegExp, words: string): ValueRule => ({
	words,
	test: (value) => pattern.test(value),
});

const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

const wholeNumber = (min: number, max = Infinity): ValueRule => ({
	words: `a whole number from ${min} to ${max} without decimals or leading zeros`,
	test: (value) => WHOLE_NUMBER.test(value) && Number(value) >= min && Number(value) <= max,
});

const choice = (...values: string[]): ValueRule => ({
	words: `one of ${values.join(', ')}`,
	test: (value) => values.includes(value),
});

function isWebAddress(value: string): boolean {
	if (!/^https?:\/\/[^\s/?#]+\S*$/i.test(value) || /\p{Cc}/u.test(value)) return false;
	try {
		// After a few thousand calls, URL.canParse in Node.js 20 and 22 is wrong for ß and the like.
		return new URL(value).host !== '';
	} catch {
		return false;
	}
}

/** Three digits or more, a leading plus, and an extension of up to eight digits. */
const CALLED_NUMBER = /^\+?(\d{3,20})(-\d{1,8})?$/;
/** Only an area code stands before the hyphen: `010-12345678` is no extension. */
const AREA_CODE_THEN_HYPHEN = /^0\d{2,3}-/;
/** Seven or eight digits that can only be a landline without its area code. */
const LANDLINE_WITHOUT_AREA_CODE = /^[2-8]\d{6,7}(-|$)/;

const isCalledNumber = (value: string): boolean =>
	CALLED_NUMBER.test(value) &&
	!AREA_CODE_THEN_HYPHEN.test(value) &&
	!LANDLINE_WITHOUT_AREA_CODE.test(value);

/** The value rules of specification 4 and 8, by the name of what they describe. */
export const RULES = {
	anyText: { words: 'any text', test: () => true },
	calledNumber: {
		words: 'one number of digits, a landline with its area code, an extension joined with "-"',
		test: isCalledNumber,
	},
	verifyCode: matching(/^[A-Za-z0-9]{4,8}$/, '4 to 8 digits and letters'),
	playTimes: wholeNumber(1, 3),
	webAddress: { words: 'a valid http or https URL', test: isWebAddress },
	language: choice('zh', 'en'),
	fileNames: matching(/^[^;\s][^;]*(;[^;\s][^;]*)*$/, 'file names separated by ";", none empty'),
	fileName: matching(/^[^;]+$/, 'one file name'),
	positive: wholeNumber(1),
	zeroOrOne: choice('0', '1'),
	speedOrPitch: wholeNumber(-500, 500),
	volume: wholeNumber(-20, 20),
	backgroundSound: wholeNumber(0, 6),
	templateId: matching(/^\d+$/, 'digits'),
	lettersAndDigits: matching(/^[A-Za-z0-9]+$/, 'letters and digits'),
	requestId: matching(/^[A-Za-z0-9]{1,32}$/, '1 to 32 letters and digits'),
	senderSuffix: matching(/^\d{1,4}$/, '1 to 4 digits'),
	startNumber: wholeNumber(0),
	pageSize: wholeNumber(1, 100),
} satisfies Record<string, ValueRule>;
