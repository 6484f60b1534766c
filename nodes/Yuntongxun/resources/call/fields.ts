import { translate } from '../../language/translate';
import { option, parameter } from '../../operation/field';
import type { Validator } from '../../operation/field';
import { callNumber, cleanCell } from '../../operation/phoneNumber';
import { buildValueError, FieldError } from '../../operation/validationError';
import { choice, integerText, text, textOrJson } from '../../operation/validators';

/** The phone number to call. Specification sections 4.1 and 4.2. */
export const to = parameter(callNumber, {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 13800000000',
	description:
		'Phone number to call. A landline needs its area code; an extension follows a hyphen: 01012345678-801.',
});

/**
 * A number that the service compares with its list, so it is not respelled: only what spreadsheets and copying
 * leave around its digits goes.
 */
const callerId: Validator<string | undefined> = (value, property, item) => {
	const written = text(value, property, item);
	if (written === undefined) return undefined;
	const number = cleanCell(written).replace(/[() -]/g, '');
	if (/^\+?\d{3,20}$/.test(number)) return number;
	const remedy = 'Enter 3 to 20 digits, perhaps with a plus sign in front.';
	throw buildValueError(property.displayName, value, remedy, 'is not a phone number');
};

/** The number that the called phone shows. Specification sections 4.1 and 4.2. */
export const displayNum = option(callerId, {
	displayName: 'Caller ID',
	name: 'displayNum',
	type: 'string',
	default: '',
	placeholder: 'e.g. 01012345678',
	description:
		'Number that the called phone shows (displayNum). Yuntongxun must permit it. If it is the called number, the phone shows a number of the platform instead.',
});

/** Specification sections 4.1, 4.2 and 8. */
const MAX_PLAY_COUNT = 3;

export const playTimes = option(integerText, {
	displayName: 'Play Count',
	name: 'playTimes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PLAY_COUNT },
	default: 1,
	description: `How many times to play the content (playTimes), from 1 to ${MAX_PLAY_COUNT}`,
});

export const lang = option(choice, {
	displayName: 'Language',
	name: 'lang',
	type: 'options',
	options: [
		{ name: 'Chinese', value: 'zh' },
		{
			name: 'English',
			value: 'en',
			description: 'Not yet supported by the service; sent as chosen',
		},
	],
	default: 'zh',
	description: 'Language of the platform voice (lang)',
});

/** The specification names no bound; what is longer might be cut on its way back. */
const MAX_DATA_BYTES = 1024;

const customData: Validator<string | undefined> = (value, property, item) => {
	const data = textOrJson(value, property, item);
	const bytes = Buffer.byteLength(data ?? '');
	if (bytes <= MAX_DATA_BYTES) return data;
	throw new FieldError(
		property.displayName,
		translate('has {bytes} bytes', { bytes }),
		translate(
			'The result brings back at most {max} bytes of UTF-8; a Chinese character takes three. Send an ID, and use it to look up the rest.',
			{ max: MAX_DATA_BYTES },
		),
	);
};

const userData = option(customData, {
	displayName: 'Custom Data',
	name: 'userData',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-42',
	description: 'Data of your own that comes back with the result (userData)',
	displayOptions: { show: { '/resultDelivery': ['trigger', 'url', 'wait'] } },
});

/** Options of both kinds of call that are sent as they are. */
export const CALL_OPTIONS = { playTimes, userData };
