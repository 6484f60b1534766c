import { parameter, shownFor } from '../../operation/field';
import { defineOperation, definedFields } from '../../operation/defineOperation';
import type { Message, ValuesOf } from '../../operation/defineOperation';
import type { ItemContext } from '../../operation/itemContext';
import { fieldsOf, isoDate } from '../../operation/output';
import { callNumber, smsNumber } from '../../operation/phoneNumber';
import { choice, texts } from '../../operation/validators';
import { FieldError } from '../../operation/validationError';
import * as ofCall from '../call/fields';
import { VOICE_VERIFY } from '../call/verify';
import { appId, OPTIONS_OF_SENDING } from '../sharedFields';
import * as ofSms from '../sms/send';
import { lengthHints, previewOf, templateText } from '../sms/templateText';
import { randomCode } from './code';
import { codeLength, codeLifetime } from './fields';
import { issueToken } from './token';

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

const BY_CALL = { channel: ['call'] };
const BY_SMS = { channel: ['sms'] };

const to = parameter(
	(value, property, item) =>
		item.chosen('channel') === 'sms'
			? smsNumber(value, property, item)
			: callNumber(value, property, item),
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 13800000000',
		description: 'Phone number that gets the code, such as 13800000000',
	},
);

const CODE = '{code}';
const MINUTES = '{minutes}';

const datas = parameter(
	(value, property, item) => {
		const rows = texts(value, property, item) ?? [];
		if (rows.some((row) => row.includes(CODE))) return rows;
		throw new FieldError(property.displayName, `must have ${CODE} in one row at least`, value);
	},
	{
		displayName: 'Variables',
		name: 'datas',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
		default: [CODE, MINUTES],
		placeholder: 'e.g. {code}',
		description:
			'Values for {1}, {2} and so on in the template, in this order, such as {code} for the code and {minutes} for its lifetime',
		displayOptions: { show: BY_SMS },
	},
);

const fields = {
	to,
	channel,
	templateId: shownFor(BY_SMS, ofSms.templateId),
	datas,
	codeLength,
	codeLifetime,
	appId,
};

const options = {
	displayNum: shownFor({ '/channel': BY_CALL.channel }, ofCall.displayNum),
	playTimes: shownFor({ '/channel': BY_CALL.channel }, ofCall.playTimes),
	lang: shownFor({ '/channel': BY_CALL.channel }, ofCall.lang),
	templateText: shownFor({ '/channel': BY_SMS.channel }, templateText),
	...OPTIONS_OF_SENDING,
};

type Values = ValuesOf<typeof fields & typeof options>;

/** A channel, as far as a message needs it. */
interface Channel extends Pick<Message, 'preview' | 'hints'> {
	endpoint: typeof VOICE_VERIFY;
	/** Names the accepted call or SMS in the answer. */
	id: string;
	/** The fields of the request that take the code. */
	withCode(code: string): Record<string, string | string[] | undefined>;
}

const CHANNELS: Record<string, (values: Values) => Channel> = {
	call({ displayNum, playTimes, lang, to: number = '' }) {
		return {
			endpoint: VOICE_VERIFY,
			id: 'callSid',
			withCode: (verifyCode) => ({ verifyCode, displayNum, playTimes, lang }),
			hints: ofCall.callHints(displayNum, number),
		};
	},
	sms(values) {
		const { templateText: text, templateId, datas: rows = [], codeLifetime: minutes } = values;
		const filled = (code: string) =>
			rows.map((row) => row.split(CODE).join(code).split(MINUTES).join(String(minutes)));
		const previewWith = (code: string) =>
			text === undefined ? undefined : previewOf(text, filled(code));
		const sent = previewWith('0'.repeat(values.codeLength));
		return {
			endpoint: ofSms.TEMPLATE_SMS,
			id: 'smsMessageSid',
			withCode: (code) => ({ templateId, datas: filled(code) }),
			preview: sent && { ...sent, preview: previewWith(CODE)?.preview ?? '' },
			hints: sent && lengthHints(sent),
		};
	},
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
	fields,
	options,
	prepare(values, item) {
		const number = values.to ?? '';
		const name = values.channel ?? 'call';
		const { endpoint, id, withCode, preview, hints } = CHANNELS[name](values);
		const isDryRun = values.dryRun ?? false;
		const common = { appId: values.appId, to: number };
		const verification = newVerification(number, values, item);
		return {
			recipients: [{ to: number }],
			requestFor() {
				const code = isDryRun ? CODE : verification.issue();
				const request = { endpoint, fields: definedFields({ ...common, ...withCode(code) }) };
				return { ...request, secrets: [code] };
			},
			outputFor: (answer) => ({
				...fieldsOf(answer, ['statusCode', id, 'dateCreated']),
				...isoDate('createdAt', answer.text('dateCreated')),
				to: number,
				channel: name,
				...verification.token,
			}),
			get errorFields() {
				return verification.token;
			},
			preview,
			hints,
		};
	},
});

/** A code that is made when it is first asked for, so that its lifetime begins with the request. */
function newVerification(to: string, values: Values, { keyFor }: ItemContext) {
	const { codeLength: length, codeLifetime: minutes } = values;
	let code: string | undefined;
	const verification = {
		token: undefined as ReturnType<typeof issueToken> | undefined,
		/** @returns the code, each time the same */
		issue(): string {
			if (code === undefined) {
				code = randomCode(length);
				verification.token = issueToken(code, to, minutes, keyFor);
			}
			return code;
		},
	};
	return verification;
}
