import type { Endpoint } from '../../client/request';
import { translate } from '../../language/translate';
import { buildRequestFields, defineMessage } from '../../operation/defineOperation';
import { option, parameter } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import { getForeignHints, smsNumbers } from '../../operation/phoneNumber';
import { matching, textList } from '../../operation/validators';
import { answerSms, readAcceptedFields } from '../acceptedAnswer';
import { appId } from '../fields';
import { buildPreview, templateId } from '../smsTemplate/templateId';

/** Specification section 4.3. */
export const TEMPLATE_SMS: Endpoint = {
	name: 'TemplateSMS',
	path: 'SMS/TemplateSMS',
	root: 'TemplateSMS',
	essential: 'smsMessageSid',
	hasSideEffects: true,
};

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

const datas = parameter(textList, {
	displayName: 'Variables',
	name: 'datas',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	default: [],
	placeholder: 'e.g. 384512',
	description:
		"Values for {1}, {2} and so on in the template, in this order; one expression can return a list of all. To a time such as $now append .setZone('Asia/Shanghai').toFormat('M\u6708d\u65e5 HH:mm').",
});

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
		'Text one or many people from an approved template (TemplateSMS). It costs money. Returns an smsMessageSid right away; the output does not tell you whether it arrived.',
	endpoint: TEMPLATE_SMS,
	fields: { toolNotice, to, templateId, datas, appId },
	options: { subAppend, ...OPTIONS_OF_SENDING },
	prepare(values, item) {
		const template = buildRequestFields({ appId, templateId, datas, subAppend }, values);
		const { to: numbers, datas: rows = [] } = values;

		return {
			recipients: numbers,
			maxNumbersPerRequest: MAX_NUMBERS,
			requestFor: (reached) => ({
				endpoint: TEMPLATE_SMS,
				fields: { to: reached.join(','), ...template },
			}),
			outputFor: (answer) => readAcceptedFields(answer, TEMPLATE_SMS),
			rehearse: () => ({
				answerFor: answerSms,
				members: buildPreview(item, values.templateId, rows),
			}),
			// Somebody who runs it by hand can mend such a variable.
			hints: [...getForeignHints(numbers), ...(item.inProduction ? [] : tellEmptyRows(rows))],
		};
	},
});

/** Tells each variable that came to nothing. */
const tellEmptyRows = (rows: readonly string[]): string[] =>
	rows.flatMap((row, at) => {
		const words = 'Variable {place} is empty and will be sent that way';
		return row === '' ? [translate(words, { place: `{${at + 1}}` })] : [];
	});
