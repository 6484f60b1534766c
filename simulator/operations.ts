import { RULES, type ValueRule } from './fieldRules';
import { broken, shown, type Violation } from './violation';

/**
 * The operations, by the names of specification 1; the last ones only the vendor's SDKs have.
 */
export type OperationName =
	| 'VoiceVerify'
	| 'LandingCalls'
	| 'TemplateSMS'
	| 'AccountInfo'
	| 'SubAccounts'
	| 'QuerySubAccountByName'
	| 'GetSubAccounts'
	| 'CloseSubAccount'
	| 'QuerySMSTemplate'
	| 'CallResult';

/** The content of a request body, the same for XML and JSON. */
export interface RequestContent {
	/** Fields by name. The `type` attribute of `mediaName` appears as `mediaNameType`. */
	readonly fields: ReadonlyMap<string, string>;
	/** The values of `datas`; absent if the container was not sent. */
	readonly datas?: readonly string[];
}

/** One field of a request (the tables of specification 4). */
export interface Field {
	readonly name: string;
	readonly rule: ValueRule;
	/** The code if a required field is missing or empty; without it the field is optional. */
	readonly requiredCode?: string;
	/** The code if the value breaks the rule (default 160031). */
	readonly code?: string;
	/** An empty value has a meaning of its own, so it may be sent. */
	readonly mayBeEmpty?: boolean;
	/** In XML the field is carried by the attribute `type` of one of these elements. */
	readonly typeOf?: readonly string[];
}

/** What the specification says of one operation's request. */
export interface Operation {
	readonly name: OperationName;
	readonly method: 'GET' | 'POST';
	/** Path segments behind the account id. */
	readonly path: readonly string[];
	/** Whether the path may end in a slash (specification 4.2). */
	readonly trailingSlash?: boolean;
	/** Root element of an XML request; absent if the request has no body. */
	readonly root?: string;
	/** In the body; of a GET, in the query. */
	readonly fields: readonly Field[];
	/** Whether the request may have the container `datas` (specification 4.3). */
	readonly hasDatas?: boolean;
	/** Rules about several fields together. */
	readonly together?: (content: RequestContent) => readonly Violation[];
}

/** At most this many recipients in one request (specification 8). */
const MAX_RECIPIENTS = 200;

const appId: Field = { name: 'appId', rule: RULES.lettersAndDigits, requiredCode: '111169' };
const friendlyName: Field = {
	name: 'friendlyName',
	rule: RULES.anyText,
	requiredCode: '111151',
};
const callFields: readonly Field[] = [
	appId,
	{ name: 'to', rule: RULES.calledNumber, requiredCode: '160044', code: '160042' },
	{ name: 'playTimes', rule: RULES.playTimes },
	{ name: 'respUrl', rule: RULES.webAddress },
	{ name: 'userData', rule: RULES.anyText },
];

const isGiven = ({ fields }: RequestContent, name: string): boolean =>
	(fields.get(name) ?? '').trim() !== '';

function verifyTogether(content: RequestContent): readonly Violation[] {
	const words = 'verifyCode is required unless playVerifyCode (the custom-audio variant) is sent';
	return isGiven(content, 'verifyCode') || isGiven(content, 'playVerifyCode')
		? []
		: [broken('required:verifyCode', words)];
}

const SPEECH_FIELDS = ['txtSpeed', 'txtVolume', 'txtPitch', 'txtBgsound'] as const;

function landingTogether(content: RequestContent): readonly Violation[] {
	const { fields } = content;
	const hasAudio = isGiven(content, 'mediaName');
	const hasText = isGiven(content, 'mediaTxt');
	if (!hasAudio && !hasText) {
		return [broken('media', 'mediaName and mediaTxt must not both be empty')];
	}
	const playsBoth = fields.get('playMode') === '1';
	const isSpoken = hasText && (!hasAudio || playsBoth);
	const found: Violation[] = [];
	const refuseIf = (isIneffective: boolean, name: string, why: string): void => {
		if (!isIneffective) return;
		found.push(broken('ineffective', `${name} was sent although ${why}: it must be left out`));
	};
	for (const name of SPEECH_FIELDS) {
		refuseIf(!isSpoken && fields.has(name), name, 'no mediaTxt is effective');
	}
	const hasBoth = hasAudio && hasText;
	refuseIf(playsBoth && !hasBoth, 'playMode', 'there are not both an audio file and a text');
	const hasType = isGiven(content, 'mediaNameType');
	refuseIf(hasType && !hasAudio, 'mediaNameType', 'there is no mediaName');
	const isOwn = isGiven(content, 'displayNum') && fields.get('displayNum') === fields.get('to');
	refuseIf(isOwn, 'displayNum', 'it is the called number');
	return found;
}

const RECIPIENT = /^\+?\d{5,20}$/;

function smsTogether({ fields }: RequestContent): readonly Violation[] {
	const to = fields.get('to');
	if (!to) return [];
	const numbers = recipients(to);
	const found: Violation[] = [];
	const malformed = numbers.filter((number) => !RECIPIENT.test(number));
	if (malformed.length > 0) {
		const words = `to must be numbers separated by English commas: ${shown(malformed[0])}`;
		found.push(broken('field:to', words, numbers.length > 1 ? '112316' : '160042'));
	}
	if (numbers.length > MAX_RECIPIENTS) {
		const words = `to has ${numbers.length} numbers, at most ${MAX_RECIPIENTS} are allowed`;
		found.push(broken('recipients', words, '160048'));
	}
	if (new Set(numbers).size < numbers.length) {
		found.push(broken('duplicates', 'to has the same number more than once', '160045'));
	}
	return found;
}

const post = (
	name: OperationName,
	path: readonly string[],
	root: string,
	fields: readonly Field[],
	more: Partial<Operation> = {},
): Operation => ({ name, method: 'POST', path, root, fields, ...more });

const get = (name: OperationName, fields: readonly Field[]): Operation => ({
	name,
	method: 'GET',
	path: [name],
	fields,
});

/** Every operation of the service (specification 4). */
export const OPERATIONS: readonly Operation[] = [
	post(
		'VoiceVerify',
		['Calls', 'VoiceVerify'],
		'VoiceVerify',
		[
			...callFields,
			{ name: 'displayNum', rule: RULES.anyText },
			{ name: 'verifyCode', rule: RULES.verifyCode },
			{ name: 'lang', rule: RULES.language },
			{ name: 'welcomePrompt', rule: RULES.fileName, mayBeEmpty: true },
			{ name: 'playVerifyCode', rule: RULES.fileNames },
			{ name: 'maxCallTime', rule: RULES.positive },
		],
		{ together: verifyTogether },
	),
	post(
		'LandingCalls',
		['Calls', 'LandingCalls'],
		'LandingCall',
		[
			...callFields,
			{ name: 'displayNum', rule: RULES.anyText, mayBeEmpty: true },
			{ name: 'mediaName', rule: RULES.fileNames, mayBeEmpty: true },
			{
				name: 'mediaNameType',
				rule: RULES.zeroOrOne,
				// Which of the two carries it is not shown (specification 4.2).
				typeOf: ['mediaName', 'mediaNameType'],
			},
			{ name: 'mediaTxt', rule: RULES.anyText, mayBeEmpty: true },
			{ name: 'txtSpeed', rule: RULES.speedOrPitch },
			{ name: 'txtVolume', rule: RULES.volume },
			{ name: 'txtPitch', rule: RULES.speedOrPitch },
			{ name: 'txtBgsound', rule: RULES.backgroundSound },
			{ name: 'playMode', rule: RULES.zeroOrOne },
		],
		{ together: landingTogether, trailingSlash: true },
	),
	post(
		'TemplateSMS',
		['SMS', 'TemplateSMS'],
		'TemplateSMS',
		[
			{ name: 'to', rule: RULES.anyText, requiredCode: '112306' },
			appId,
			{ name: 'templateId', rule: RULES.templateId, requiredCode: '112307', code: '160057' },
			{ name: 'reqId', rule: RULES.requestId, code: '160055' },
			{ name: 'subAppend', rule: RULES.senderSuffix, code: '160065' },
		],
		{ together: smsTogether, hasDatas: true },
	),
	get('AccountInfo', []),
	// The specification asks for letters and digits, or an email address; the service takes more.
	post('SubAccounts', ['SubAccounts'], 'SubAccount', [appId, friendlyName]),
	post('QuerySubAccountByName', ['QuerySubAccountByName'], 'SubAccount', [appId, friendlyName]),
	post('GetSubAccounts', ['GetSubAccounts'], 'SubAccount', [
		appId,
		{ name: 'startNo', rule: RULES.startNumber },
		{ name: 'offset', rule: RULES.pageSize },
	]),
	post('CloseSubAccount', ['CloseSubAccount'], 'SubAccount', [
		{ name: 'subAccountSid', rule: RULES.lettersAndDigits, requiredCode: '111144' },
	]),
	post('QuerySMSTemplate', ['SMS', 'QuerySMSTemplate'], 'Request', [
		appId,
		{ name: 'templateId', rule: RULES.templateId, mayBeEmpty: true, code: '160057' },
	]),
	get('CallResult', [{ name: 'callsid', rule: RULES.lettersAndDigits, requiredCode: '160031' }]),
];

/** The numbers of a `to` field of TemplateSMS, in order (specification 4.3). */
export const recipients = (to: string): string[] => to.split(',');

/**
 * Checks the fields of a request against the operation's table (specification 4 and 8).
 * @returns what is wrong, in the order of the table, then what is wrong between fields
 */
export function checkFields(operation: Operation, content: RequestContent): Violation[] {
	const known = new Set(operation.fields.map(({ name }) => name));
	const strangers = [...content.fields.keys()].filter((name) => !known.has(name));
	return [
		...operation.fields.flatMap((field) => checkField(field, content.fields.get(field.name)) ?? []),
		...strangers.map((name) =>
			broken('unknownField', `${operation.name} has no field ${shown(name)}`),
		),
		...checkDatas(operation, content),
		...(operation.together?.(content) ?? []),
	];
}

function checkField(
	{ name, rule, requiredCode, code, mayBeEmpty }: Field,
	value: string | undefined,
): Violation | undefined {
	if (value !== undefined && value.trim() !== '') {
		return rule.test(value)
			? undefined
			: broken(`field:${name}`, `${name} must be ${rule.words}: ${shown(value)}`, code);
	}
	if (requiredCode) {
		const state = value === undefined ? 'missing' : 'empty';
		return broken(`required:${name}`, `${name} is required and ${state}`, requiredCode);
	}
	if (value === undefined || mayBeEmpty) return undefined;
	const words = `${name} was sent empty: leave an optional field without a value out`;
	return broken(`empty:${name}`, words);
}

function checkDatas(operation: Operation, { datas }: RequestContent): Violation[] {
	if (datas === undefined) return [];
	if (!operation.hasDatas) {
		return [broken('unknownField', `${operation.name} has no field "datas"`)];
	}
	return datas.length > 0
		? []
		: [broken('empty:datas', 'datas was sent empty: leave it out if there are no variables')];
}
