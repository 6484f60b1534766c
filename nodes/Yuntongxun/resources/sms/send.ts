import { translate } from '../../language/translate';
import { defineMessage, buildRequestFields } from '../../operation/defineOperation';
import { notice, option, parameter } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import { getForeignHints, smsNumbers } from '../../operation/phoneNumber';
import { ValidationError } from '../../operation/validationError';
import { matching } from '../../operation/validators';
import { answerSms, readAcceptedFields } from '../acceptedAnswer';
import { TEMPLATE_SMS } from '../endpoints';
import { appId, reqId } from '../fields';
import { templateId } from '../smsTemplate/templateId';
import { buildListedText } from '../smsTemplate/templates';
import { fillTemplateText, templateText, datas, variables, variablesMode } from './variables';

/** Name of the ID of a request. */
const ID = 'smsMessageSid';

/** Maximum number of phone numbers in a request. Specification section 8. */
const MAX_NUMBERS = 200;

const to = parameter(smsNumbers, {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 13800000000, 13800000001',
	description: `Mobile numbers, separated by commas, semicolons or line breaks, or a list from an expression. More than ${MAX_NUMBERS} are sent in several requests.`,
});

const checkNotice = notice(
	'checkNotice',
	'To see the whole text before anything is sent, add Dry Run under Options.',
);

/** Digits after the sender's number. Not in the specification; untried against the live service. */
const subAppend = option(matching(/^\d{1,4}$/, '1 to 4 digits'), {
	displayName: 'Sender Suffix',
	name: 'subAppend',
	type: 'string',
	default: '',
	placeholder: 'e.g. 42',
	description: "Adds 1 to 4 digits to the sender's number (subAppend); replies include them",
});

/** Sends a template SMS. Specification sections 2.3 and 4.3. */
export const sendTemplateSms = defineMessage({
	value: 'send',
	name: 'Send',
	action: 'Send an SMS',
	description:
		'Text one or many people from an approved template. It costs money. Returns an smsMessageSid right away; the output does not tell you whether it arrived.',
	endpoint: TEMPLATE_SMS,
	fields: { toolNotice, to, templateId, variablesMode, variables, datas, checkNotice, appId },
	options: { templateText, reqId, subAppend, ...OPTIONS_OF_SENDING },
	prepare(values) {
		const rows = values.variables ?? values.datas;
		const template = buildRequestFields({ appId, templateId, reqId, subAppend }, values, {
			datas: rows,
		});
		const { to: numbers, reqId: requestId } = values;
		checkRequestId(requestId, numbers.length);
		const own = requestId === undefined ? {} : { reqId: requestId };
		const { preview, hints = [] } = fillTemplateText(values.templateText, rows);

		return {
			recipients: numbers,
			id: ID,
			entryMembers: [ID, 'dateCreated'],
			maxNumbersPerRequest: MAX_NUMBERS,
			requestFor: (reached) => ({
				endpoint: TEMPLATE_SMS,
				fields: { to: reached.join(','), ...template },
			}),
			outputFor: (answer) => ({ ...readAcceptedFields(answer, ID), ...own }),
			texts: { label: datas.property.displayName, rows: rows ?? [] },
			rehearse: () => ({
				answerFor: answerSms,
				preview,
				listedText: buildListedText(values.appId, values.templateId, rows),
			}),
			hints: [...getForeignHints(numbers), ...hints],
		};
	},
});

/** The service accepts an ID once a day. @throws ValidationError if there are several requests */
function checkRequestId(requestId: string | undefined, count: number): void {
	if (requestId === undefined || count <= MAX_NUMBERS) return;
	throw new ValidationError(
		translate("'ID in Reports' is for one request, and 'To' has {count} numbers", { count }),
		translate(
			'A request can have up to {max} numbers, and the service accepts an ID once a day. Split the list into items, each with its own ID.',
			{ max: MAX_NUMBERS },
		),
	);
}
