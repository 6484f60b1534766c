import type { Endpoint } from '../../client/request';
import { buildRequestFields, defineMessage } from '../../operation/defineOperation';
import { option, parameter } from '../../operation/field';
import { OPTIONS_OF_SENDING, toolNotice } from '../../operation/options';
import { choice, fileNames, integerText, spokenText } from '../../operation/validators';
import { readAcceptedFields } from '../acceptedAnswer';
import { appId } from '../fields';
import { buildDeliveryFields, DELIVERY_OPTIONS } from './deliveryFields';
import { CALL_OPTIONS, displayNum, to } from './fields';
import { buildCall } from './resultDelivery';

/** Specification section 4.2. */
const LANDING_CALLS: Endpoint = {
	name: 'LandingCalls',
	path: 'Calls/LandingCalls',
	root: 'LandingCall',
	essential: 'callSid',
	hasSideEffects: true,
};

const WITH_TEXT = ['text', 'textAndAudio'];
const WITH_AUDIO = ['audio', 'textAndAudio'];

const content = parameter(choice, {
	displayName: 'Content',
	name: 'content',
	type: 'options',
	options: [
		{ name: 'Audio Files', value: 'audio', description: 'Play approved audio files' },
		{ name: 'Text to Speak', value: 'text', description: 'Read out a text' },
		{
			name: 'Text, Then Audio Files',
			value: 'textAndAudio',
			description: 'Read out a text, then play approved audio files',
		},
	],
	default: 'text',
	description: 'Speak a text, play audio files, or both',
});

const mediaTxt = parameter(spokenText, {
	displayName: 'Text to Speak',
	name: 'mediaTxt',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. Your order 42 is ready to be picked up.',
	description:
		"Text for a computer voice to read out (mediaTxt). To a time such as $now append .setZone('Asia/Shanghai').toFormat('M\u6708d\u65e5 HH:mm').",
	displayOptions: { show: { content: WITH_TEXT } },
});

const mediaName = parameter(fileNames, {
	displayName: 'Audio Files',
	name: 'mediaName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. welcome.wav;closing.wav',
	description: 'Approved wav files (mediaName), separated by semicolons, in the order to play',
	displayOptions: { show: { content: WITH_AUDIO } },
});

const mediaNameType = parameter(choice, {
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
	description: 'Where the audio files come from (mediaNameType)',
	displayOptions: { show: { content: WITH_AUDIO } },
});

const FOR_TEXT = { show: { '/content': WITH_TEXT } };

const txtSpeed = option(integerText, {
	displayName: 'Speech Speed',
	name: 'txtSpeed',
	type: 'number',
	typeOptions: { minValue: -500, maxValue: 500 },
	default: 0,
	description: 'How fast to read the text (txtSpeed), from -500 to 500',
	displayOptions: FOR_TEXT,
});

const txtVolume = option(integerText, {
	displayName: 'Speech Volume',
	name: 'txtVolume',
	type: 'number',
	typeOptions: { minValue: -20, maxValue: 20 },
	default: 0,
	description: 'How loud to read the text (txtVolume), from -20 to 20',
	displayOptions: FOR_TEXT,
});

const txtPitch = option(integerText, {
	displayName: 'Speech Pitch',
	name: 'txtPitch',
	type: 'number',
	typeOptions: { minValue: -500, maxValue: 500 },
	default: 0,
	description: 'How high the voice is (txtPitch), from -500 to 500',
	displayOptions: FOR_TEXT,
});

const txtBgsound = option(choice, {
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
	description: 'Platform sound to play behind the text (txtBgsound)',
	displayOptions: FOR_TEXT,
});

const DELIVERY_FIELDS = buildDeliveryFields('On voice notification call ended');
const MEDIA = { mediaTxt, mediaName, mediaNameType };
const SPEECH = { txtSpeed, txtVolume, txtPitch, txtBgsound };

/** A call that speaks a text or plays audio files. Specification sections 2.2 and 4.2. */
export const sendNotification = defineMessage({
	value: 'notify',
	name: 'Make (Voice Notification)',
	action: 'Make a voice notification call',
	description:
		'Call someone and speak a text or play audio files (LandingCalls). It costs money. Returns a callSid right away; the output does not tell you whether anybody answered.',
	endpoint: LANDING_CALLS,
	fields: { toolNotice, to, content, ...MEDIA, ...DELIVERY_FIELDS, appId },
	options: { displayNum, ...CALL_OPTIONS, ...SPEECH, ...DELIVERY_OPTIONS, ...OPTIONS_OF_SENDING },
	prepare(values, item) {
		const sent = { appId, ...MEDIA, displayNum, ...CALL_OPTIONS, ...SPEECH };
		const fields = buildRequestFields(sent, values, {
			to: values.to.text,
			playMode: values.content === 'textAndAudio' ? '1' : undefined,
			// Own audio is the default of the service, and the specification leaves its XML value open.
			mediaNameType: values.mediaNameType === '1' ? '1' : undefined,
		});
		const call = { endpoint: LANDING_CALLS, event: 'voiceNotification' as const, fields };
		return {
			...buildCall(call, values, item),
			outputFor: (answer) => ({
				...readAcceptedFields(answer, LANDING_CALLS),
				...(answer.text('orderid') !== '' && { orderid: answer.text('orderid') }),
			}),
		};
	},
});
