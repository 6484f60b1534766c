import { parameter, withDefault } from '../../operation/field';
import type { Validator } from '../../operation/field';
import { callNumber, smsNumber } from '../../operation/phoneNumber';
import { wholeNumber } from '../../operation/validators';

const numberFor: Validator<string> = (value, property, item) =>
	(item.chosen('channel') === 'sms' ? smsNumber : callNumber)(value, property, item);

/** The person who gets the code. */
export const to = parameter(numberFor, {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 13800000000',
	description: 'Phone number of the person who gets the code, such as 13800000000',
});

/** How many digits a random code has. Specification section 8. */
export const codeLength = withDefault(
	parameter(wholeNumber, {
		displayName: 'Code Length',
		name: 'codeLength',
		type: 'number',
		typeOptions: { minValue: 4, maxValue: 8 },
		default: 6,
		description: 'How many digits the code has, from 4 to 8',
	}),
);

/** For how many minutes a code is good. */
export const codeLifetime = withDefault(
	parameter(wholeNumber, {
		displayName: 'Code Lifetime (Minutes)',
		name: 'codeLifetime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1440 },
		default: 10,
		description: 'How many minutes the code is good for, from 1 to 1440 (a day)',
	}),
);
