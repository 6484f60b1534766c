import type { Endpoint } from '../../client/request';
import { buildRequestFields, defineMessage } from '../../operation/defineOperation';
import { option, parameter } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import { choice, fileNames, integerText, matching } from '../../operation/validators';
import { appId } from '../fields';
import { buildDeliveryFields, DELIVERY_OPTIONS } from './deliveryFields';
import { CALL_OPTIONS, displayNum, lang, to } from './fields';
import { buildCall } from './resultDelivery';

/** Specification section 4.1. */
export const VOICE_VERIFY: Endpoint = {
	name: 'VoiceVerify',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	essential: 'callSid',
	hasSideEffects: true,
};

const voice = parameter(choice, {
	displayName: 'Voice',
	name: 'voice',
	type: 'options',
	options: [
		{
			name: 'Platform Voice',
			value: 'default',
			description: "Play the platform's standard sentence with the code",
		},
		{
			name: 'Own Audio Files',
			value: 'custom',
			description: 'Play approved audio files that spell out the code',
		},
	],
	default: 'default',
	description: 'Which voice speaks the code',
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
		'Code to speak (verifyCode), 4 to 8 letters and digits, as text: a number drops leading zeros',
	displayOptions: { show: { voice: ['default'] } },
});

const codeBesideAudio = parameter(codeRule, {
	...CODE_PROPERTY,
	description: 'Code (verifyCode), 4 to 8 letters and digits; can be left empty',
	displayOptions: { show: { voice: ['custom'] } },
});

const playVerifyCode = parameter(fileNames, {
	displayName: 'Audio Files',
	name: 'playVerifyCode',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. yourcode.wav;three.wav;eight.wav',
	description: 'Approved wav files (playVerifyCode), separated by semicolons, in the order to play',
	displayOptions: { show: { voice: ['custom'] } },
});

const welcomePrompt = option(fileNames, {
	displayName: 'Welcome Audio File',
	name: 'welcomePrompt',
	type: 'string',
	default: '',
	placeholder: 'e.g. welcome.wav',
	description: 'Approved wav file to play before the code (welcomePrompt)',
});

const maxCallTime = option(integerText, {
	displayName: 'Max Call Duration',
	name: 'maxCallTime',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'Longest duration of the call (maxCallTime), probably in seconds; 0 is not sent',
});

/** Options that are sent as they are. */
const PLAIN_OPTIONS = { displayNum, ...CALL_OPTIONS, lang, welcomePrompt };

/** A call that reads out a verification code. Specification sections 2.1 and 4.1. */
export const sendOwnCode = defineMessage({
	value: 'verify',
	name: 'Make with Own Code (Voice Verification)',
	action: 'Make a voice verification call with own code',
	description:
		'Speak your own code in a call (VoiceVerify). The resource Verification Code creates and checks codes for you. It costs money. Returns a callSid right away.',
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
		const fields = buildRequestFields({ appId, playVerifyCode, ...PLAIN_OPTIONS }, values, {
			to: values.to.text,
			verifyCode: values.spokenCode ?? values.codeBesideAudio,
			maxCallTime: values.maxCallTime === '0' ? undefined : values.maxCallTime,
		});
		const call = { endpoint: VOICE_VERIFY, event: 'voiceVerification' as const, fields };
		return buildCall(call, values, item);
	},
});
