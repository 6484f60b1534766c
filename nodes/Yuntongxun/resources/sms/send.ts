import type { Endpoint } from '../../service/client';
import { parameter } from '../form';
import type { Operation } from '../operation';
import { present } from '../operation';
import { MAX_NUMBERS, textedNumbers } from '../phoneNumber';
import { texts, trimmed } from '../rules';
import { appId, combineItems, OPTIONS_OF_SENDING } from '../sharedFields';
import { partsOf, textAll } from './bulk';

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
		description: `Mobile numbers to text, such as 13800000000, 13800000001. Put commas, semicolons or line breaks between several, or give a list with an expression. A number that stands there twice gets one text. More than ${MAX_NUMBERS} go out in several requests.`,
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
			'Number of an approved template, such as 100002, from the list of templates in the Yuntongxun console. A trial account can use template 1 only.',
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
			'What takes the place of {1}, {2} and so on in the template, in this order, such as 384512 for a code. A list from an expression fills several places. Add none when the template has no variables.',
	},
	texts,
);

/** A text made from a template. Specification sections 2.3 and 4.3. */
export const send: Operation = {
	value: 'send',
	name: 'Send Template SMS',
	action: 'Send a template SMS',
	description: 'Sends a text made from an approved template to one or many mobile numbers',
	endpoint: TEMPLATE_SMS,
	fields: [appId, to, templateId, datas],
	options: [combineItems, ...OPTIONS_OF_SENDING],
	prepare(form) {
		const numbers = to.read(form) ?? [];
		const template = present({
			appId: appId.read(form),
			templateId: templateId.read(form),
			datas: datas.read(form),
		});
		const requestFor = (recipients: string[]) => ({
			endpoint: TEMPLATE_SMS,
			fields: { to: recipients.join(','), ...template },
		});
		return {
			to: numbers,
			request: requestFor(numbers),
			shared: {
				key: JSON.stringify(template),
				requestsFor: (items) => partsOf(items).length,
				completeAll: async (items, request) =>
					await textAll(items, async (part) => await request(requestFor(part))),
			},
		};
	},
};
