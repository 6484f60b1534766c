import { translate } from '../../language/translate';
import { defineMessage, buildRequestFields } from '../../operation/defineOperation';
import { option, parameter, shownFor, withDefault } from '../../operation/field';
import type { ItemForm, Validator } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import {
	callNumber,
	getForeignHints,
	parsePhoneNumber,
	smsNumber,
} from '../../operation/phoneNumber';
import type { PhoneNumber } from '../../operation/phoneNumber';
import { FieldError } from '../../operation/validationError';
import { choice, textList, trimmed, wholeNumber } from '../../operation/validators';
import { answerCall, answerSms, readAcceptedFields } from '../acceptedAnswer';
import { displayNum, lang, playTimes } from '../call/fields';
import { VOICE_VERIFY } from '../call/verify';
import { appId } from '../fields';
import { TEMPLATE_SMS } from '../sms/send';
import { buildPreview, templateId as templateOfSms } from '../smsTemplate/templateId';
import { createToken, readToken } from './token';
import type { VerificationToken } from './token';

const MINUTE_MS = 60_000;

const numberFor: Validator<PhoneNumber> = (value, property, item) =>
	(item.chosen('channel') === 'sms' ? smsNumber : callNumber)(value, property, item);

const to = parameter(numberFor, {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 13800000000',
	description: 'Phone number of the person who gets the code',
});

const channel = parameter(choice<'call' | 'sms'>, {
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'Phone Call', value: 'call', description: "The platform's voice speaks the code" },
		{ name: 'SMS', value: 'sms', description: 'Your template contains the code' },
	],
	default: 'call',
	description: 'How to send the code',
});

const CODE = '{code}';
const MINUTES = '{minutes}';

const rowsWithCode: Validator<string[]> = (value, property, item) => {
	const rows = textList(value, property, item) ?? [];
	if (rows.some((row) => row.includes(CODE))) return rows;
	throw new FieldError(
		property.displayName,
		translate('has no row with {place}', { place: CODE }),
		translate('Put {place} into at least one row: it is replaced by the code.', { place: CODE }),
	);
};

const datas = parameter(rowsWithCode, {
	displayName: 'Variables',
	name: 'datas',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	default: [CODE, MINUTES],
	placeholder: 'e.g. {code}',
	description:
		'Values for {1}, {2} and so on; {code} is replaced by the code, {minutes} by its lifetime',
	displayOptions: { show: { channel: ['sms'] } },
});

const templateId = shownFor({ channel: ['sms'] }, templateOfSms);

const resendToken = option(trimmed, {
	displayName: 'Token of the First Send',
	name: 'resendToken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. code.AbCdEf…',
	description: 'Token from an earlier Send (verificationToken), to send the same code again',
});

/** How many digits a new code has. Specification section 8. */
const codeLength = withDefault(
	parameter(wholeNumber, {
		displayName: 'Code Length',
		name: 'codeLength',
		type: 'number',
		typeOptions: { minValue: 4, maxValue: 8 },
		default: 6,
		description: 'How many digits a new code has, from 4 to 8',
	}),
);

const codeLifetime = withDefault(
	parameter(wholeNumber, {
		displayName: 'Code Lifetime (Minutes)',
		name: 'codeLifetime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1440 },
		default: 10,
		description: 'How many minutes a new code is valid, from 1 to 1440',
	}),
);

/** The endpoint of each channel, and its answer in a dry run. */
const SERVICE = {
	call: { endpoint: VOICE_VERIFY, answerFor: answerCall },
	sms: { endpoint: TEMPLATE_SMS, answerFor: answerSms },
};

/** Options of a call that apply to a code, too. */
const OPTIONS_OF_CALL = {
	displayNum: shownFor({ '/channel': ['call'] }, displayNum),
	playTimes: shownFor({ '/channel': ['call'] }, playTimes),
	lang: shownFor({ '/channel': ['call'] }, lang),
};

/**
 * Calls or texts somebody with a code, either a new one or that of a token again, and returns a token
 * to check it with. The code goes to the phone only; no output and no error shows it. Specification
 * sections 2.1, 2.3, 4.1 and 4.3.
 */
export const sendCode = defineMessage({
	value: 'send',
	name: 'Send',
	action: 'Send a verification code',
	description:
		'Call or text someone a random code that only this person learns. It costs money. Returns a token for Check right away.',
	endpoint: VOICE_VERIFY,
	fields: { toolNotice, to, channel, templateId, datas, codeLength, codeLifetime, appId },
	options: { resendToken, ...OPTIONS_OF_CALL, ...OPTIONS_OF_SENDING },
	prepare(values, form) {
		const { to: number, channel: by, datas: written } = values;
		const now = Math.floor(Date.now() / 1000) * 1000;
		const token = getToken(values, now, form);
		const given = {
			verificationToken: token.text,
			expiresAt: new Date(token.expiresAt).toISOString(),
		};

		const code = values.dryRun ? '***' : token.code;
		const rows = written && fillVariables(written, code, countMinutes(token, now));
		const fields = buildRequestFields({ appId, templateId, ...OPTIONS_OF_CALL }, values, {
			to: number.text,
			...(rows ? { datas: rows } : { verifyCode: code }),
		});

		const { endpoint, answerFor } = SERVICE[by];
		return {
			recipients: [number],
			maxNumbersPerRequest: 1,
			requestFor: () => ({ endpoint, fields, secrets: [code] }),
			outputFor: (answer) => ({ ...readAcceptedFields(answer, endpoint), channel: by, ...given }),
			errorFields: given,
			secretMembers: ['verificationToken'],
			rehearse: () => ({
				answerFor,
				// The code of a real token is nobody's to see.
				members: {
					...(token.isRehearsal && { rehearsedCode: token.code }),
					...(rows && buildPreview(form, values.templateId, rows)),
				},
			}),
			hints: getForeignHints([number]),
		};
	},
});

/** Whole minutes that a code is good for. @param now milliseconds since 1970, a whole second */
const countMinutes = ({ expiresAt }: VerificationToken, now: number) =>
	Math.floor((expiresAt - now) / MINUTE_MS);

interface CodeChoice {
	to: PhoneNumber;
	resendToken: string | undefined;
	codeLength: number;
	/** In minutes. */
	codeLifetime: number;
	dryRun: boolean | undefined;
}

/**
 * Makes the token of a new code, or finds that of a code to send again.
 *
 * @throws FieldError if a code cannot be sent again to this number, or expires in less than a minute
 */
function getToken(choices: CodeChoice, now: number, form: ItemForm): VerificationToken {
	const { to: number, resendToken: earlier, codeLength, codeLifetime } = choices;
	if (earlier === undefined) {
		const expiresAt = now + codeLifetime * MINUTE_MS;
		const made = { to: number.text, expiresAt, isRehearsal: choices.dryRun ?? false };
		return createToken(made, codeLength, form.keyFor);
	}

	const token = readToken(earlier, form);
	if (token === undefined) throw buildResendError('is not a token of this account');
	if (parsePhoneNumber(token.to)?.key !== number.key) {
		throw buildResendError('belongs to another number');
	}
	if (countMinutes(token, now) < 1) {
		throw buildResendError('has expired, or will within a minute');
	}
	return token;
}

const buildResendError = (flaw: string) =>
	new FieldError(
		resendToken.property.displayName,
		flaw,
		'Use the complete verificationToken that Send gave for this number, or leave the field empty to send a new code.',
	);

const fillVariables = (rows: readonly string[], code: string, minutes: number): string[] =>
	rows.map((row) => row.split(CODE).join(code).split(MINUTES).join(String(minutes)));
