import type { Endpoint } from '../../service/client';
import { FieldRefusal, parameter } from '../form';
import type { Operation } from '../operation';
import { oneRequest } from '../operation';
import { fieldsOf, isoDate } from '../output';
import { MAX_NUMBERS, textedNumbers } from '../phoneNumber';
import { texts, trimmed } from '../rules';
import { appId, OPTIONS_OF_SENDING } from '../sharedFields';

/** Specification section 4.3. */
const TEMPLATE_SMS: Endpoint = {
	name: 'TemplateSMS',
	method: 'POST',
	path: 'SMS/TemplateSMS',
	root: 'TemplateSMS',
	member: 'TemplateSMS',
	essential: 'smsMessageSid',
	changes: true,
};

const to = parameter(
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 13800000000, 13800000001',
		description: `Mobile numbers to text, at most ${MAX_NUMBERS}. Put commas, semicolons or line breaks between several, or give a list with an expression. A number that stands there twice gets one message.`,
	},
	textedNumbers,
);

const templateId = parameter(
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 100002',
		description:
			'Approved template, by its ID in the Yuntongxun console. A trial account can use template 1 only.',
	},
	trimmed,
);

const datas = parameter(
	{
		displayName: 'Variables',
		name: 'datas',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
		default: [],
		placeholder: 'e.g. 384512',
		description:
			'What takes the place of {1}, {2} and so on in the template, in this order. A list from an expression fills several places. Leave out when the template has no variables.',
	},
	texts,
);

/** A text made from a template. Specification sections 2.3 and 4.3. */
export const send: Operation = {
	value: 'send',
	name: 'Send Template SMS',
	action: 'Send a template SMS',
	description: `Sends a text made from an approved template to up to ${MAX_NUMBERS} mobile numbers`,
	endpoint: TEMPLATE_SMS,
	fields: [appId, to, templateId, datas],
	options: OPTIONS_OF_SENDING,
	prepare(form) {
		const numbers = to.read(form) ?? [];
		if (numbers.length > MAX_NUMBERS) {
			throw new FieldRefusal(
				to.property.displayName,
				`must name at most ${MAX_NUMBERS} numbers, and these are ${numbers.length}: split them into several items`,
				numbers,
			);
		}
		return oneRequest(
			TEMPLATE_SMS,
			{
				to: numbers.join(','),
				appId: appId.read(form),
				templateId: templateId.read(form),
				datas: datas.read(form),
			},
			(answer) => ({
				...fieldsOf(answer, ['statusCode', 'smsMessageSid', 'dateCreated']),
				...isoDate('createdAt', answer.text('dateCreated')),
				to: numbers.join(','),
			}),
			{ to: numbers },
		);
	},
};
