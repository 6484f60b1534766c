import { parameter, withDefault } from '../../operation/field';
import { wholeNumber } from '../../operation/validators';
import { CODE_LENGTH } from './code';

/** How many digits a random code has. */
export const codeLength = withDefault(
	parameter(wholeNumber, {
		displayName: 'Code Length',
		name: 'codeLength',
		type: 'number',
		typeOptions: CODE_LENGTH,
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
