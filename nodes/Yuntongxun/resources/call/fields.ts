import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../service/client';
import { option, parameter } from '../form';
import type { Form } from '../form';
import { fieldsOf, isoDate } from '../output';
import { calledNumber } from '../phoneNumber';
import { textOrJson, trimmed, whole } from '../rules';

/** Whom to call. Specification sections 4.1 and 4.2. */
export const to = parameter(
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 13800000000',
		description:
			'Phone number to call, such as 13800000000. Put the area code before a landline number without a hyphen, and an extension after one: 01012345678-801.',
	},
	calledNumber,
);

export const displayNum = option(
	{
		displayName: 'Caller Number',
		name: 'displayNum',
		type: 'string',
		default: '',
		placeholder: 'e.g. 01012345678',
		description:
			'Number that the called phone shows, such as 01012345678. Yuntongxun has to permit it for your account, and it must not be the called number; otherwise a number of the platform is shown.',
	},
	trimmed,
);

export const playTimes = option(
	{
		displayName: 'Play Times',
		name: 'playTimes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3 },
		default: 1,
		description: 'How many times the called person hears the content, from 1 to 3',
	},
	whole,
);

export const userData = option(
	{
		displayName: 'User Data',
		name: 'userData',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-42',
		description:
			'Note of your own, such as order-42, that comes back as userData with the call result, so that you know what the call was about. An object from an expression comes back as userDataParsed, too.',
	},
	textOrJson,
);

/** What both kinds of call give out. Specification sections 2.1 and 2.2. */
export function callOutput(answer: Answer, number: string): IDataObject {
	return {
		...fieldsOf(answer, ['statusCode', 'callSid', 'dateCreated']),
		...isoDate('createdAt', answer.text('dateCreated')),
		to: number,
	};
}

/** What the user should know before the call is placed. Specification section 4.2. */
export function callHints(form: Form, number: string): string[] {
	return displayNum.read(form) === number
		? [
				'Caller Number is the number that is called. The service shows a number of the platform instead: leave Caller Number out, or enter another one that Yuntongxun permits.',
			]
		: [];
}
