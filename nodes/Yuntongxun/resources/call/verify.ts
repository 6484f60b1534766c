import { randomInt } from 'crypto';

import type { Endpoint } from '../../service/client';
import { option, parameter } from '../form';
import type { Form } from '../form';
import type { Operation } from '../operation';
import { oneRequest } from '../operation';
import { choice, matching, trimmed, whole, wholeNumber } from '../rules';
import { appId, OPTIONS_OF_SENDING } from '../sharedFields';
import { callHints, callOutput, displayNum, playTimes, to, userData } from './fields';
import { DELIVERY_FIELDS, DELIVERY_OPTIONS, resultDeliveryOf } from './resultDelivery';

/** Specification section 4.1. */
const VOICE_VERIFY: Endpoint = {
	name: 'VoiceVerify',
	method: 'POST',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	member: 'VoiceVerify',
	essential: 'callSid',
	changes: true,
};

/** Lengths that a code may have. Specification section 8. */
const CODE_LENGTH = { minValue: 4, maxValue: 8 };

const voice = parameter(
	{
		displayName: 'Voice',
		name: 'voice',
		type: 'options',
		options: [
			{
				name: 'Platform Voice',
				value: 'default',
				description: 'The platform speaks its standard sentence with the code',
			},
			{
				name: 'Own Audio Files',
				value: 'custom',
				description: 'Plays approved audio files that together say the code',
			},
		],
		default: 'default',
		description: 'Who says the code to the called person',
	},
	choice,
);

const codeSource = parameter(
	{
		displayName: 'Code Source',
		name: 'codeSource',
		type: 'options',
		options: [
			{ name: 'Enter a Code', value: 'given', description: 'Reads out a code that you enter' },
			{
				name: 'Generate a Code',
				value: 'generate',
				description: 'Makes a random code of digits and puts it into the output as verifyCode',
			},
		],
		default: 'given',
		description: 'Where the code comes from',
		displayOptions: { show: { voice: ['default'] } },
	},
	choice,
);

const codeLength = parameter(
	{
		displayName: 'Code Length',
		name: 'codeLength',
		type: 'number',
		typeOptions: CODE_LENGTH,
		default: 6,
		description: 'How many digits the code has, from 4 to 8',
		displayOptions: { show: { voice: ['default'], codeSource: ['generate'] } },
	},
	wholeNumber,
);

const codeRule = matching(
	new RegExp(`^[A-Za-z0-9]{${CODE_LENGTH.minValue},${CODE_LENGTH.maxValue}}$`),
	`${CODE_LENGTH.minValue} to ${CODE_LENGTH.maxValue} letters and digits`,
);

const CODE = {
	displayName: 'Code',
	name: 'verifyCode',
	type: 'string' as const,
	default: '',
	placeholder: 'e.g. 384512',
};

const spokenCode = parameter(
	{
		...CODE,
		required: true,
		description: 'Verification code to read out, 4 to 8 letters and digits such as 384512',
		displayOptions: { show: { voice: ['default'], codeSource: ['given'] } },
	},
	codeRule,
);

const codeBesideAudio = parameter(
	{
		...CODE,
		description:
			'Verification code of 4 to 8 letters and digits, such as 384512. The audio files say it, so this may stay empty.',
		displayOptions: { show: { voice: ['custom'] } },
	},
	codeRule,
);

const playVerifyCode = parameter(
	{
		displayName: 'Audio Files',
		name: 'playVerifyCode',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. yourcode.wav;three.wav;eight.wav',
		description:
			'Names of wav files, with semicolons between, played in this order, such as yourcode.wav;three.wav;eight.wav. Upload the files in the Yuntongxun console and wait for their approval. Recommended are mono files, 8 kHz, 16-bit PCM.',
		displayOptions: { show: { voice: ['custom'] } },
	},
	trimmed,
);

const lang = option(
	{
		displayName: 'Language',
		name: 'lang',
		type: 'options',
		options: [
			{ name: 'Chinese', value: 'zh' },
			{
				name: 'English',
				value: 'en',
				description: 'Not yet supported by the service; sent as chosen',
			},
		],
		default: 'zh',
		description: 'Language of the platform voice',
	},
	choice,
);

const welcomePrompt = option(
	{
		displayName: 'Welcome Prompt',
		name: 'welcomePrompt',
		type: 'string',
		default: '',
		placeholder: 'e.g. welcome.wav',
		description: 'Name of an approved wav file that is played before the code, such as welcome.wav',
	},
	trimmed,
);

const maxCallTime = option(
	{
		displayName: 'Max Call Time',
		name: 'maxCallTime',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'When to hang up, in whole seconds after the call was answered: 60 is a minute. The service does not document the unit; seconds are what it is taken for. Use 0 for no limit.',
	},
	whole,
);

/** A code of digits that nobody can foresee, or nothing where the code is given. */
function generatedCode(form: Form): string | undefined {
	if (codeSource.read(form) !== 'generate') return undefined;
	const length = codeLength.read(form) ?? Number(codeLength.property.default);
	return String(randomInt(10 ** length)).padStart(length, '0');
}

/** A call that reads out a verification code. Specification sections 2.1 and 4.1. */
export const verify: Operation = {
	value: 'verify',
	name: 'Send Verification Code',
	action: 'Call a phone and read out a verification code',
	description: 'Calls a phone number and reads out a code of 4 to 8 letters and digits',
	endpoint: VOICE_VERIFY,
	resultAction: 'VoiceCode',
	fields: [
		appId,
		to,
		voice,
		codeSource,
		codeLength,
		spokenCode,
		playVerifyCode,
		codeBesideAudio,
		...DELIVERY_FIELDS,
	],
	options: [
		displayNum,
		playTimes,
		lang,
		userData,
		welcomePrompt,
		maxCallTime,
		...DELIVERY_OPTIONS,
		...OPTIONS_OF_SENDING,
	],
	prepare(form) {
		const number = to.read(form) ?? '';
		const delivery = resultDeliveryOf(form);
		const generated = generatedCode(form);
		const seconds = maxCallTime.read(form);
		return oneRequest(
			VOICE_VERIFY,
			{
				appId: appId.read(form),
				verifyCode: generated ?? spokenCode.read(form) ?? codeBesideAudio.read(form),
				to: number,
				displayNum: displayNum.read(form),
				playTimes: playTimes.read(form),
				respUrl: delivery.respUrl,
				lang: lang.read(form),
				userData: userData.read(form),
				welcomePrompt: welcomePrompt.read(form),
				playVerifyCode: playVerifyCode.read(form),
				maxCallTime: seconds === '0' ? undefined : seconds,
			},
			(answer) => ({
				...callOutput(answer, number),
				...(generated !== undefined && { verifyCode: generated }),
			}),
			{
				to: [number],
				hints: [...callHints(form, number), ...delivery.hints],
				wait: delivery.wait,
			},
		);
	},
};
