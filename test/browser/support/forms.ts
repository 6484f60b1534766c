/** One operation of the action node, as the public contract has it. */
export interface OperationForm {
	resource: string;
	operation: string;
	/** Fields from top to bottom while nothing else is chosen; `!` marks those to be filled in. */
	fields: string[];
	/** What can be added under Options. */
	options: string[];
}

const RESULT = ['resultDelivery'];
const OF_ALL = ['wireFormat', 'timeout'];
const OF_MOST = ['maxConcurrency', 'requestsPerSecond', ...OF_ALL];
const OF_SENDING = ['allowedRecipients', 'dryRun', 'idempotencyKey', ...OF_MOST];

/** The table of operations of the contract, by the names that workflows store. */
export const FORMS: OperationForm[] = [
	{
		resource: 'Account',
		operation: 'Get',
		fields: [],
		options: OF_MOST,
	},
	{
		resource: 'SMS',
		operation: 'Send Template SMS',
		fields: ['appId', '!to', '!templateId', 'datas'],
		options: ['combineItems', ...OF_SENDING],
	},
	{
		resource: 'Sub-Account',
		operation: 'Create',
		fields: ['appId', '!friendlyName', 'onDuplicate'],
		options: ['omitSecrets', ...OF_MOST],
	},
	{
		resource: 'Sub-Account',
		operation: 'Close',
		fields: ['appId', '!subAccountSid'],
		options: OF_MOST,
	},
	{
		resource: 'Sub-Account',
		operation: 'Get by Name',
		fields: ['appId', '!friendlyName'],
		options: ['omitSecrets', ...OF_MOST],
	},
	{
		resource: 'Sub-Account',
		operation: 'Get Many',
		fields: ['appId', 'returnAll', 'limit'],
		options: ['omitSecrets', 'startNo', ...OF_ALL],
	},
	{
		resource: 'Voice Call',
		operation: 'Send Verification Code',
		fields: ['appId', '!to', 'voice', 'codeSource', '!verifyCode', ...RESULT],
		options: [
			'displayNum',
			'playTimes',
			'lang',
			'userData',
			'welcomePrompt',
			'maxCallTime',
			...OF_SENDING,
		],
	},
	{
		resource: 'Voice Call',
		operation: 'Send Notification',
		fields: ['appId', '!to', 'content', '!mediaTxt', ...RESULT],
		options: [
			'displayNum',
			'playTimes',
			'userData',
			'txtSpeed',
			'txtVolume',
			'txtPitch',
			'txtBgsound',
			...OF_SENDING,
		],
	},
];

/** What a choice changes: fields and options that it brings, and those that it takes away. */
export interface Choice {
	title: string;
	resource: string;
	operation: string;
	/** Field and name of the option, one after the other. */
	choose: Array<[field: string, option: string]>;
	/** All fields that show then, `!` as above. */
	fields: string[];
	/** Options that are there then, and not without the choice. */
	more?: string[];
	/** Options that are gone then. */
	gone?: string[];
}

const NOTIFY = { resource: 'Voice Call', operation: 'Send Notification' };
const VERIFY = { resource: 'Voice Call', operation: 'Send Verification Code' };
const SIGNING = ['signRespUrl', 'signedUrlLifetime'];
const SPEECH = ['txtSpeed', 'txtVolume', 'txtPitch', 'txtBgsound'];
const CALL_TEXT = ['appId', '!to', 'content', '!mediaTxt', 'resultDelivery'];
const CALL_CODE = ['appId', '!to', 'voice', 'codeSource', '!verifyCode', 'resultDelivery'];

/** Every choice that shows or hides something; one after the other in the same form. */
export const CHOICES: Choice[] = [
	{
		...NOTIFY,
		title: 'audio',
		choose: [['content', 'Audio Files']],
		fields: ['appId', '!to', 'content', '!mediaName', 'mediaNameType', 'resultDelivery'],
		gone: SPEECH,
	},
	{
		...NOTIFY,
		title: 'text and audio',
		choose: [['content', 'Text, Then Audio Files']],
		fields: [
			'appId',
			'!to',
			'content',
			'!mediaTxt',
			'!mediaName',
			'mediaNameType',
			'resultDelivery',
		],
	},
	{
		...NOTIFY,
		title: 'result to a URL',
		choose: [
			['content', 'Text to Speak'],
			['resultDelivery', 'Send to a URL'],
		],
		fields: [...CALL_TEXT, '!respUrl'],
		more: SIGNING,
	},
	{
		...NOTIFY,
		title: 'result to the trigger',
		choose: [['resultDelivery', 'Send to the Trigger in This Workflow']],
		fields: CALL_TEXT,
		more: SIGNING,
	},
	{
		...NOTIFY,
		title: 'waiting for the result',
		choose: [['resultDelivery', 'Wait for It']],
		fields: [...CALL_TEXT, 'waitLimit', 'waitLimitUnit'],
		more: ['relayUrl'],
	},
	{
		...VERIFY,
		title: 'generated code',
		choose: [
			['resultDelivery', 'None'],
			['codeSource', 'Generate a Code'],
		],
		fields: ['appId', '!to', 'voice', 'codeSource', 'codeLength', 'resultDelivery'],
	},
	{
		...VERIFY,
		title: 'own audio',
		choose: [['voice', 'Own Audio Files']],
		fields: ['appId', '!to', 'voice', '!playVerifyCode', 'verifyCode', 'resultDelivery'],
	},
	{
		...VERIFY,
		title: 'given code and waiting',
		choose: [
			['voice', 'Platform Voice'],
			['codeSource', 'Enter a Code'],
			['resultDelivery', 'Wait for It'],
		],
		fields: [...CALL_CODE, 'waitLimit', 'waitLimitUnit'],
		more: ['relayUrl'],
	},
	{
		...VERIFY,
		title: 'result to a URL',
		choose: [['resultDelivery', 'Send to a URL']],
		fields: [...CALL_CODE, '!respUrl'],
		more: SIGNING,
	},
];

/** What users read for each name. */
const LABELS: Record<string, string> = {
	allowedRecipients: 'Allowed Recipients',
	appId: 'App ID',
	codeLength: 'Code Length',
	codeSource: 'Code Source',
	combineItems: 'Combine Items',
	content: 'Content',
	datas: 'Variables',
	displayNum: 'Caller Number',
	dryRun: 'Dry Run',
	friendlyName: 'Friendly Name',
	idempotencyKey: 'Idempotency Key',
	lang: 'Language',
	limit: 'Limit',
	maxCallTime: 'Max Call Time',
	maxConcurrency: 'Max Concurrency',
	mediaName: 'Audio Files',
	mediaNameType: 'Audio Source',
	mediaTxt: 'Text to Speak',
	omitSecrets: 'Omit Secrets',
	onDuplicate: 'If the Name Exists',
	playTimes: 'Play Times',
	playVerifyCode: 'Audio Files',
	relayUrl: 'Relay URL',
	requestsPerSecond: 'Requests per Second',
	respUrl: 'Result URL',
	resultDelivery: 'Call Result',
	returnAll: 'Return All',
	signRespUrl: 'Sign Result URL',
	signedUrlLifetime: 'Signed URL Lifetime',
	startNo: 'Start Number',
	subAccountSid: 'Sub-Account',
	templateId: 'Template ID',
	timeout: 'Timeout',
	to: 'To',
	txtBgsound: 'Background Sound',
	txtPitch: 'Speech Pitch',
	txtSpeed: 'Speech Speed',
	txtVolume: 'Speech Volume',
	userData: 'User Data',
	verifyCode: 'Code',
	voice: 'Voice',
	waitLimit: 'Limit Wait Time',
	waitLimitUnit: 'Unit',
	welcomePrompt: 'Welcome Prompt',
	wireFormat: 'Wire Format',
};

/** The labels of fields, in their order. */
export const labelsOf = (fields: string[]): string[] =>
	fields.map((field) => LABELS[field.replace('!', '')]);

/** The labels of those fields that have to be filled in. */
export const requiredOf = (fields: string[]): string[] =>
	labelsOf(fields.filter((field) => field.startsWith('!')));
