import { omitUndefined, defineMessage, buildRequestFields } from '../../operation/defineOperation';
import { option, parameter } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import { readAcceptedFields } from '../../operation/output';
import { choice, fileNames, integerText, matching } from '../../operation/validators';
import { appId } from '../appId';
import { VOICE_VERIFY } from '../endpoints';
import { buildDeliveryFields, DELIVERY_OPTIONS } from './deliveryFields';
import { CALL_OPTIONS, getNumberHints, lang, to } from './fields';
import { getResultDelivery } from './resultDelivery';

const voice = parameter(choice, {
	displayName: 'Voice',
	name: 'voice',
	type: 'options',
	options: [
		{
			name: 'Platform Voice',
			value: 'default',
			description: 'Play the standard sentence of the platform with the code',
		},
		{
			name: 'Own Audio Files',
			value: 'custom',
			description: 'Play approved audio files that together say the code',
		},
	],
	default: 'default',
	description: 'Whose voice says the code',
});

const codeRule = matching(/^[A-Za-z0-9]{4,8}$/, '4 to 8 letters and digits');

/** Two fields share this name, and so one value: with audio files the code may stay empty. */
const CODE_PROPERTY = {
	displayName: 'Code',
	name: 'verifyCode',
	type: 'string' as const,
	default: '',
	placeholder: 'e.g. 384512',
};

const spokenCode = parameter(codeRule, {
	...CODE_PROPERTY,
	required: true,
	description:
		'Verification code to read out (verifyCode), 4 to 8 letters and digits such as 384512; case does not matter',
	displayOptions: { show: { voice: ['default'] } },
});

const codeBesideAudio = parameter(codeRule, {
	...CODE_PROPERTY,
	description:
		'Verification code (verifyCode) of 4 to 8 letters and digits, such as 384512; case does not matter. The audio files say it, so this may stay empty.',
	displayOptions: { show: { voice: ['custom'] } },
});

const playVerifyCode = parameter(fileNames, {
	displayName: 'Audio Files',
	name: 'playVerifyCode',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. yourcode.wav;three.wav;eight.wav',
	description:
		'Names of approved wav files (playVerifyCode), separated by semicolons and played in this order, such as yourcode.wav;three.wav;eight.wav. Upload them in the Yuntongxun console; mono, 8 kHz, 16-bit PCM at 128 kbps is recommended.',
	displayOptions: { show: { voice: ['custom'] } },
});

const welcomePrompt = option(fileNames, {
	displayName: 'Welcome Audio File',
	name: 'welcomePrompt',
	type: 'string',
	default: '',
	placeholder: 'e.g. welcome.wav',
	description:
		"Name of an approved wav file to play before the code (welcomePrompt), such as welcome.wav. Several, separated by semicolons, are sent, too, but the service's documentation names only one.",
});

const maxCallTime = option(integerText, {
	displayName: 'Max Call Duration (Seconds)',
	name: 'maxCallTime',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'When to hang up after the call was answered (maxCallTime): 60 is a minute. Use 0 for no limit. The service does not document the unit; seconds are assumed.',
});

/** Options that are sent as they are. */
const PLAIN_OPTIONS = { ...CALL_OPTIONS, lang, welcomePrompt };

/** A call that reads out a verification code. Specification sections 2.1 and 4.1. */
export const sendOwnCode = defineMessage({
	value: 'verify',
	name: 'Send Verification Code',
	action: 'Call someone and read out your own code',
	description:
		'Call someone and read out a code that you give. It costs money. Returns at once with a callSid, before anybody answers; only Wait for Result tells whether somebody did.',
	endpoint: VOICE_VERIFY,
	fields: {
		toolNotice,
		to,
		voice,
		spokenCode,
		playVerifyCode,
		codeBesideAudio,
		...buildDeliveryFields('On voice verification call ended'),
		appId,
	},
	options: { ...PLAIN_OPTIONS, maxCallTime, ...DELIVERY_OPTIONS, ...OPTIONS_OF_SENDING },
	prepare(values, item) {
		const { to: number } = values;
		const delivery = getResultDelivery('voiceVerification', values, item);
		const fields = buildRequestFields({ appId, playVerifyCode, ...PLAIN_OPTIONS }, values, {
			to: number.text,
			verifyCode: values.spokenCode ?? values.codeBesideAudio,
			maxCallTime: values.maxCallTime === '0' ? undefined : values.maxCallTime,
		});

		return {
			recipients: [number],
			maxNumbersPerRequest: 1,
			requestFor: (_numbers, respUrl = delivery.respUrl) => ({
				endpoint: VOICE_VERIFY,
				fields: omitUndefined({ ...fields, respUrl }),
			}),
			outputFor: (answer) => ({ ...readAcceptedFields(answer, 'callSid'), to: number.text }),
			hints: [...getNumberHints(number), ...delivery.hints],
			resultWish: delivery.resultWish,
		};
	},
});
