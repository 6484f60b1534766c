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
const OF_SENDING = [
	'allowedRecipients',
	'dryRun',
	'idempotencyKey',
	'maxPerRecipient',
	'maxPerRecipientPeriod',
	...OF_MOST,
];

/** The table of operations of the contract, by the names that workflows store. */
export const FORMS: OperationForm[] = [
	{
		resource: 'Account',
		operation: 'Get',
		fields: [],
		options: ['simplify', ...OF_MOST],
	},
	{
		resource: 'SMS',
		operation: 'Send Template SMS',
		fields: ['!to', '!templateId', 'datas', 'appId'],
		options: ['combineItems', 'templateText', ...OF_SENDING],
	},
	{
		resource: 'Sub-Account',
		operation: 'Create',
		fields: ['!friendlyName', 'onDuplicate', 'appId'],
		options: ['omitSecrets', ...OF_MOST],
	},
	{
		resource: 'Sub-Account',
		operation: 'Close',
		fields: ['!subAccountSid', 'appId'],
		options: OF_MOST,
	},
	{
		resource: 'Sub-Account',
		operation: 'Get by Name',
		fields: ['!friendlyName', 'appId'],
		options: ['omitSecrets', ...OF_MOST],
	},
	{
		resource: 'Sub-Account',
		operation: 'Get Many',
		fields: ['returnAll', 'limit', 'appId'],
		options: ['omitSecrets', 'startNo', ...OF_ALL],
	},
	{
		resource: 'Verification Code',
		operation: 'Create',
		fields: ['!to', 'codeLength', 'codeLifetime'],
		options: [],
	},
	{
		resource: 'Verification Code',
		operation: 'Check',
		fields: ['!verificationToken', '!code'],
		options: ['maxAttempts'],
	},
	{
		resource: 'Voice Call',
		operation: 'Send Verification Code',
		fields: ['!to', 'voice', 'codeSource', '!verifyCode', ...RESULT, 'appId'],
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
		fields: ['!to', 'content', '!mediaTxt', ...RESULT, 'appId'],
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
const WAITING = ['continueWhen', 'waitLimit', 'waitLimitUnit'];
const SIGNING = ['signRespUrl', 'signedUrlLifetime'];
const SPEECH = ['txtSpeed', 'txtVolume', 'txtPitch', 'txtBgsound'];
const CALL_TEXT = ['!to', 'content', '!mediaTxt', 'resultDelivery'];
const CALL_CODE = ['!to', 'voice', 'codeSource', '!verifyCode', 'resultDelivery'];

/** Every choice that shows or hides something; one after the other in the same form. */
export const CHOICES: Choice[] = [
	{
		...NOTIFY,
		title: 'audio',
		choose: [['content', 'Audio Files']],
		fields: ['!to', 'content', '!mediaName', 'mediaNameType', 'resultDelivery', 'appId'],
		gone: SPEECH,
	},
	{
		...NOTIFY,
		title: 'text and audio',
		choose: [['content', 'Text, Then Audio Files']],
		fields: [
			'!to',
			'content',
			'!mediaTxt',
			'!mediaName',
			'mediaNameType',
			'resultDelivery',
			'appId',
		],
	},
	{
		...NOTIFY,
		title: 'result to a URL',
		choose: [
			['content', 'Text to Speak'],
			['resultDelivery', 'Send Result to URL'],
		],
		fields: [...CALL_TEXT, '!respUrl', 'appId'],
		more: SIGNING,
	},
	{
		...NOTIFY,
		title: 'result to the trigger',
		choose: [['resultDelivery', 'Start the Trigger in This Workflow']],
		fields: [...CALL_TEXT, 'appId'],
		more: SIGNING,
	},
	{
		...NOTIFY,
		title: 'waiting for the result',
		choose: [['resultDelivery', 'Wait for Result']],
		fields: [...CALL_TEXT, ...WAITING, 'appId'],
		more: ['relayUrl'],
	},
	{
		...VERIFY,
		title: 'generated code',
		choose: [
			['resultDelivery', 'Do Nothing'],
			['codeSource', 'Generate a Code'],
		],
		fields: ['!to', 'voice', 'codeSource', 'codeLength', 'resultDelivery', 'appId'],
	},
	{
		...VERIFY,
		title: 'own audio',
		choose: [['voice', 'Own Audio Files']],
		fields: ['!to', 'voice', '!playVerifyCode', 'verifyCode', 'resultDelivery', 'appId'],
	},
	{
		...VERIFY,
		title: 'given code and waiting',
		choose: [
			['voice', 'Platform Voice'],
			['codeSource', 'Enter a Code'],
			['resultDelivery', 'Wait for Result'],
		],
		fields: [...CALL_CODE, ...WAITING, 'appId'],
		more: ['relayUrl'],
	},
	{
		...VERIFY,
		title: 'result to a URL',
		choose: [['resultDelivery', 'Send Result to URL']],
		fields: [...CALL_CODE, '!respUrl', 'appId'],
		more: SIGNING,
	},
];

/** What users read for each name. */
const LABELS: Record<string, string> = {
	allowedRecipients: 'Allowed Recipients',
	appId: 'App ID',
	code: 'Code',
	codeLength: 'Code Length',
	codeLifetime: 'Code Lifetime (Minutes)',
	codeSource: 'Code Source',
	combineItems: 'Combine Identical Messages',
	content: 'Content',
	continueWhen: 'Continue When',
	datas: 'Variables',
	displayNum: 'Caller ID',
	dryRun: 'Dry Run',
	friendlyName: 'Friendly Name',
	idempotencyKey: 'Idempotency Key',
	lang: 'Language',
	limit: 'Limit',
	maxAttempts: 'Max Attempts',
	maxCallTime: 'Max Call Duration (Seconds)',
	maxConcurrency: 'Max Parallel Requests',
	maxPerRecipient: 'Max per Recipient',
	maxPerRecipientPeriod: 'Max per Recipient Period',
	mediaName: 'Audio Files',
	mediaNameType: 'Audio Source',
	mediaTxt: 'Text to Speak',
	omitSecrets: 'Omit Secrets',
	onDuplicate: 'If Name Already Exists',
	playTimes: 'Play Count',
	playVerifyCode: 'Audio Files',
	relayUrl: 'Relay URL',
	requestsPerSecond: 'Max Requests per Second',
	respUrl: 'Result URL',
	resultDelivery: 'When the Call Ends',
	returnAll: 'Return All',
	simplify: 'Simplify',
	signRespUrl: 'Sign Result URL',
	signedUrlLifetime: 'Signed URL Lifetime (Hours)',
	startNo: 'Skip',
	subAccountSid: 'Sub-Account',
	templateId: 'Template ID',
	templateText: 'Template Text',
	timeout: 'Timeout (Milliseconds)',
	to: 'To',
	txtBgsound: 'Background Sound',
	txtPitch: 'Speech Pitch',
	txtSpeed: 'Speech Speed',
	txtVolume: 'Speech Volume',
	userData: 'User Data',
	verificationToken: 'Verification Token',
	verifyCode: 'Code',
	voice: 'Voice',
	waitLimit: 'Max Wait Time',
	waitLimitUnit: 'Unit',
	welcomePrompt: 'Welcome Audio File',
	wireFormat: 'Data Format',
};

/** The labels of fields, in their order. */
export const labelsOf = (fields: string[]): string[] =>
	fields.map((field) => LABELS[field.replace('!', '')]);

/** The labels of those fields that have to be filled in. */
export const requiredOf = (fields: string[]): string[] =>
	labelsOf(fields.filter((field) => field.startsWith('!')));
