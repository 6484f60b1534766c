import type { Endpoint } from '../../service/client';
import { option, parameter } from '../form';
import type { Operation } from '../operation';
import { oneRequest } from '../operation';
import { choice, text, trimmed, whole } from '../rules';
import { appId, OPTIONS_OF_SENDING } from '../sharedFields';
import { callHints, callOutput, displayNum, playTimes, to, userData } from './fields';
import { DELIVERY_FIELDS, DELIVERY_OPTIONS, resultDeliveryOf } from './resultDelivery';

/** Specification section 4.2. */
const LANDING_CALLS: Endpoint = {
	name: 'LandingCalls',
	method: 'POST',
	path: 'Calls/LandingCalls',
	root: 'LandingCall',
	member: 'LandingCall',
	essential: 'callSid',
	changes: true,
};

const WITH_TEXT = ['text', 'textAndAudio'];
const WITH_AUDIO = ['audio', 'textAndAudio'];

const content = parameter(
	{
		displayName: 'Content',
		name: 'content',
		type: 'options',
		options: [
			{ name: 'Audio Files', value: 'audio', description: 'Plays approved audio files' },
			{ name: 'Text to Speak', value: 'text', description: 'Speaks a text' },
			{
				name: 'Text, Then Audio Files',
				value: 'textAndAudio',
				description: 'Speaks a text and then plays approved audio files',
			},
		],
		default: 'text',
		description: 'What the called person hears',
	},
	choice,
);

const mediaTxt = parameter(
	{
		displayName: 'Text to Speak',
		name: 'mediaTxt',
		type: 'string',
		typeOptions: { rows: 3 },
		required: true,
		default: '',
		placeholder: 'e.g. Your order 42 is ready to be picked up.',
		description:
			'Text that a computer voice reads to the called person, such as "Your order 42 is ready to be picked up"',
		displayOptions: { show: { content: WITH_TEXT } },
	},
	text,
);

const mediaName = parameter(
	{
		displayName: 'Audio Files',
		name: 'mediaName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. welcome.wav;closing.wav',
		description:
			'Names of wav files, with semicolons between, played in this order, such as welcome.wav;closing.wav. Upload your own files in the Yuntongxun console and wait for their approval. Recommended are mono files, 8 kHz, 16-bit PCM.',
		displayOptions: { show: { content: WITH_AUDIO } },
	},
	trimmed,
);

const mediaNameType = parameter(
	{
		displayName: 'Audio Source',
		name: 'mediaNameType',
		type: 'options',
		options: [
			{
				name: 'Own Audio',
				value: '0',
				description: 'Approved files that you uploaded in the Yuntongxun console',
			},
			{
				name: 'Platform Audio',
				value: '1',
				description: 'Files that the platform offers to everyone, such as ccp_marketingcall.wav',
			},
		],
		default: '0',
		description: 'Where the audio files come from',
		displayOptions: { show: { content: WITH_AUDIO } },
	},
	choice,
);

const SPOKEN = { show: { '/content': WITH_TEXT } };

const txtSpeed = option(
	{
		displayName: 'Speech Speed',
		name: 'txtSpeed',
		type: 'number',
		typeOptions: { minValue: -500, maxValue: 500 },
		default: 0,
		description:
			'How fast the text is read, from -500 to 500, with 0 for the normal speed. Newer documents of the service name only -50 to 50.',
		displayOptions: SPOKEN,
	},
	whole,
);

const txtVolume = option(
	{
		displayName: 'Speech Volume',
		name: 'txtVolume',
		type: 'number',
		typeOptions: { minValue: -20, maxValue: 20 },
		default: 0,
		description: 'How loud the text is read, from -20 to 20, with 0 for the normal volume',
		displayOptions: SPOKEN,
	},
	whole,
);

const txtPitch = option(
	{
		displayName: 'Speech Pitch',
		name: 'txtPitch',
		type: 'number',
		typeOptions: { minValue: -500, maxValue: 500 },
		default: 0,
		description: 'How high the voice is, from -500 to 500, with 0 for the normal pitch',
		displayOptions: SPOKEN,
	},
	whole,
);

const txtBgsound = option(
	{
		displayName: 'Background Sound',
		name: 'txtBgsound',
		type: 'options',
		options: [
			{ name: 'None', value: '0' },
			{ name: 'Platform Sound 1', value: '1' },
			{ name: 'Platform Sound 2', value: '2' },
			{ name: 'Platform Sound 3', value: '3' },
			{ name: 'Platform Sound 4', value: '4' },
			{ name: 'Platform Sound 5', value: '5' },
			{ name: 'Platform Sound 6', value: '6' },
		],
		default: '0',
		description: 'Sound of the platform that plays behind the spoken text',
		displayOptions: SPOKEN,
	},
	choice,
);

/** A call that speaks a text or plays audio files. Specification sections 2.2 and 4.2. */
export const notify: Operation = {
	value: 'notify',
	name: 'Send Notification',
	action: 'Call a phone and read out a notification',
	description: 'Calls a phone number and speaks a text or plays audio files',
	endpoint: LANDING_CALLS,
	resultAction: 'SellingCall',
	fields: [appId, to, content, mediaTxt, mediaName, mediaNameType, ...DELIVERY_FIELDS],
	options: [
		displayNum,
		playTimes,
		userData,
		txtSpeed,
		txtVolume,
		txtPitch,
		txtBgsound,
		...DELIVERY_OPTIONS,
		...OPTIONS_OF_SENDING,
	],
	prepare(form) {
		const number = to.read(form) ?? '';
		const delivery = resultDeliveryOf(form);
		return oneRequest(
			LANDING_CALLS,
			{
				appId: appId.read(form),
				to: number,
				mediaName: mediaName.read(form),
				mediaNameType: mediaNameType.read(form),
				mediaTxt: mediaTxt.read(form),
				displayNum: displayNum.read(form),
				playTimes: playTimes.read(form),
				respUrl: delivery.respUrl,
				userData: userData.read(form),
				txtSpeed: txtSpeed.read(form),
				txtVolume: txtVolume.read(form),
				txtPitch: txtPitch.read(form),
				txtBgsound: txtBgsound.read(form),
				playMode: content.read(form) === 'textAndAudio' ? '1' : undefined,
			},
			(answer) => ({
				...callOutput(answer, number),
				...(answer.text('orderid') !== '' && { orderid: answer.text('orderid') }),
			}),
			{
				to: [number],
				hints: [...callHints(form, number), ...delivery.hints],
				wait: delivery.wait,
			},
		);
	},
};
