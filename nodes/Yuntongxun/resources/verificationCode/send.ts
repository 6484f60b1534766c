import { parameter, shownFor } from '../../operation/field';
import type { Validator } from '../../operation/field';
import { definedFields, defineOperation, fieldsToSend } from '../../operation/defineOperation';
import { acceptedFields } from '../../operation/output';
import { choice, texts } from '../../operation/validators';
import { FieldError } from '../../operation/validationError';
import { callHints, displayNum, lang, playTimes } from '../call/fields';
import { OPTIONS_OF_SENDING } from '../../operation/options';
import { appId } from '../appId';
import { TEMPLATE_SMS, VOICE_VERIFY } from '../endpoints';
import { templateId as templateOfSms } from '../sms/send';
import { filledText, templateText } from '../sms/templateText';
import { newCode } from './code';
import { codeLength, codeLifetime, to } from './fields';

const channel = parameter(choice, {
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'Phone Call', value: 'call', description: 'The voice of the platform says the code' },
		{ name: 'SMS', value: 'sms', description: 'A template of yours holds the code' },
	],
	default: 'call',
	description: 'How the code gets to the person',
});

const CODE = '{code}';
const MINUTES = '{minutes}';

const rowsWithCode: Validator<string[]> = (value, property, item) => {
	const rows = texts(value, property, item) ?? [];
	if (rows.some((row) => row.includes(CODE))) return rows;
	throw new FieldError(property.displayName, `must have ${CODE} in one row at least`, value);
};

const datas = parameter(rowsWithCode, {
	displayName: 'Variables',
	name: 'datas',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	default: [CODE, MINUTES],
	placeholder: 'e.g. {code}',
	description:
		'Values for {1}, {2} and so on in the template, in this order, such as {code} for the code and {minutes} for its lifetime',
	displayOptions: { show: { channel: ['sms'] } },
});

const templateId = shownFor({ channel: ['sms'] }, templateOfSms);

/** Options of a call that a code can have, too. */
const OF_CALL = {
	displayNum: shownFor({ '/channel': ['call'] }, displayNum),
	playTimes: shownFor({ '/channel': ['call'] }, playTimes),
	lang: shownFor({ '/channel': ['call'] }, lang),
};

/**
 * Makes a code, calls or texts it, and gives a token to check it with. The code is in nothing that
 * n8n gets to see. Specification sections 2.1, 2.3, 4.1 and 4.3.
 */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Call or text with new verification code',
	description:
		'Call or text somebody with a new random code, and give a token to check it with. Nobody but this person sees the code.',
	endpoint: VOICE_VERIFY,
	fields: { to, channel, templateId, datas, codeLength, codeLifetime, appId },
	options: {
		...OF_CALL,
		templateText: shownFor({ '/channel': ['sms'] }, templateText),
		...OPTIONS_OF_SENDING,
	},
	prepare(values, { keyFor }) {
		const { to: number = '', channel: by, codeLength: length, codeLifetime: minutes } = values;
		const { datas: rows, templateText: text, dryRun: isDryRun } = values;
		const [endpoint, id] =
			by === 'sms' ? [TEMPLATE_SMS, 'smsMessageSid'] : [VOICE_VERIFY, 'callSid'];
		const sent = fieldsToSend({ appId, templateId, ...OF_CALL }, values, { to: number });
		const filled = (code: string) =>
			rows?.map((row) => row.split(CODE).join(code).split(MINUTES).join(String(minutes)));
		const { preview, hints = [] } = filledText(text, filled('0'.repeat(length)));
		const { preview: shown } = filledText(text, filled(CODE));
		const issue = newCode(number, length, minutes, keyFor);
		return {
			kind: 'message',
			recipients: [number],
			maxNumbersPerRequest: 1,
			requestFor() {
				const code = isDryRun ? CODE : issue().verifyCode;
				const own = rows ? { datas: filled(code) } : { verifyCode: code };
				return { endpoint, fields: definedFields({ ...sent, ...own }), secrets: [code] };
			},
			outputFor: (answer) => ({
				...acceptedFields(answer, id),
				to: number,
				channel: by,
				...issue().token,
			}),
			get errorFields() {
				return issue().token;
			},
			preview: preview && { ...preview, ...shown, characters: preview.characters },
			hints: [...callHints(values.displayNum, number), ...hints],
		};
	},
});
