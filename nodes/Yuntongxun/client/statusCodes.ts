/** What a failure code says, in words for the person who runs the workflow. */
export interface StatusMeaning {
	/** What happened: one clause, first letter a capital, no final period. */
	happened: string;
	/** What to do next: one or two sentences, with periods. */
	advice: string;
}

/** By code: several codes and ranges (`first-last`) in one key are separated by blanks. */
type Rows = Readonly<Record<string, readonly [happened: string, advice: string]>>;

const ACCOUNT_SID =
	'Copy Account SID from the Yuntongxun console into the Yuntongxun API credential ' +
	'again, whole and without blanks.';
const ACCOUNT_NAME = 'Change the name of the account in the Yuntongxun console.';
const AUTH_TOKEN =
	'Copy Auth Token from the Yuntongxun console into the Yuntongxun API credential again. ' +
	'Base URL must be the address this account was given.';
const ON_THE_WAY =
	'The node never sends such a request, so something probably changed it on the way. ' +
	'Check Base URL in the Yuntongxun API credential, and any proxy of the n8n server.';
const ALLOW_LIST =
	'add the outgoing address of the n8n server to the IP allow-list in the Yuntongxun console.';

const TOP_UP = 'Top up the account in the Yuntongxun console.';
const BILLING = `${TOP_UP} If the balance is high enough, ask Yuntongxun support why.`;

const APP_ID =
	'Copy App ID from the Yuntongxun console into the node, or into the Yuntongxun API credential.';
const APP_NAME = 'Change the name of the application in the Yuntongxun console.';
const APP_OWNER =
	'Take App ID and the Account SID of the Yuntongxun API credential from one Yuntongxun account.';
const APP_STATE =
	'Look at the application in the Yuntongxun console, or use the App ID of another one. ' +
	'Yuntongxun support can tell the reason.';
const TRIAL =
	'In a trial, To takes only test numbers registered in the Yuntongxun console, and SMS ' +
	'only Template ID 1 with numeric Variables. Take the application live there to reach everyone.';

const RECIPIENT = 'Fill in To; if it is an expression, check that it gives a number.';
const NUMBER_FORMAT =
	'Write each number in To in digits only, and separate several with commas. Mainland mobile ' +
	'numbers have eleven digits and no +86.';
const LEAVE_OUT =
	'Take the number out of To and send again to any others: this request was not accepted.';
const BLOCKED = `${LEAVE_OUT} Only Yuntongxun support can unblock a number.`;
const FEWER_NUMBERS =
	'This request was not accepted: put fewer numbers into To and the rest into other items.';
const INTERNATIONAL =
	'Keep foreign numbers out of To, or ask Yuntongxun support to enable them for the account.';

const TEMPLATE =
	'Copy Template ID from the Yuntongxun console: digits only, of an approved template ' +
	'that belongs to the application in App ID.';
const TEMPLATE_TEXT = 'Correct the template in the Yuntongxun console and have it approved again.';
const TEMPLATE_SIGNATURE =
	'Give the template a signature of 2 to 16 characters, approved in the Yuntongxun console.';
const VARIABLES =
	'Give Variables one row for each numbered placeholder of the template, in the same order ' +
	'and of the kind it allows.';
const EMPTY_TEXT = 'Check that the expressions in Variables give text.';
const CHARACTERS =
	'Probably an emoji or another rare character is the cause: take it out of Variables.';
const WORDING =
	'Change the wording in Variables. If the word is part of the template, edit the ' +
	'template in the Yuntongxun console.';
const SHORTER = 'Shorten Variables, or use a Template ID with a shorter template.';

const RETRY =
	'This request was not accepted, so wait a few minutes and send it again. If nothing ' +
	'changes, ask Yuntongxun support.';
const SLOWER =
	'This request was not accepted: wait a minute and send it again, with fewer requests at once.';
const NOT_AT_ONCE =
	'trying again at once makes no sense. Without that number in To, the others can be reached.';
const TOMORROW = `Wait until tomorrow: ${NOT_AT_ONCE}`;
const SAME_TEXT =
	'Trying again at once makes no sense. Wait, probably until tomorrow, or change Variables.';
const LOOK_UP = 'Look up the SMS in the Yuntongxun console before you send anything again.';

const RECEIPTS =
	'Switch on incoming SMS and receipts for the application in the Yuntongxun console, ' +
	'with an address for them.';
const NOT_OURS =
	'This node sends nothing of the kind. Check Base URL in the Yuntongxun API credential, ' +
	'then tell the makers of this node.';

/** Codes about account and signature: any request can get them, the credential test included. */
const ACCESS: Rows = {
	'111100': ['The Account SID is not written as expected', ACCOUNT_SID],
	'111101 111108': ['The request arrived without its signature', ON_THE_WAY],
	'111102 111103': ['The signature of the request is unreadable', ON_THE_WAY],
	'111104': ['The signature of the request names no account', ACCOUNT_SID],
	'111105 111113': ['The signature of the request has no readable time', ON_THE_WAY],
	'111106': [
		'The signature of the request is too old',
		'Probably the clock of the n8n server is wrong: correct it.',
	],
	'111107': ['The signature of the request is for another account', ON_THE_WAY],
	'111109': ['The account token does not match', AUTH_TOKEN],
	'111110': [
		'The service does not offer the version in the address',
		'Check the path in Base URL of the Yuntongxun API credential: it must not name a version.',
	],
	'111115 160053': ['The n8n server is not on the IP allow-list', `To let it in, ${ALLOW_LIST}`],
	'161100-161108': [
		'The SMS service did not accept the signature of the request',
		'Check Account SID, Auth Token and the clock of the n8n server. If an allow-list is ' +
			`on, ${ALLOW_LIST}`,
	],

	'111128': ['The Account SID is empty', ACCOUNT_SID],
	'111129': ['The Account SID has characters that are not allowed', ACCOUNT_SID],
	'111130': ['The Account SID has the wrong length', ACCOUNT_SID],
	'111131': ['The account token is empty', AUTH_TOKEN],
	'111132': ['The account token has characters that are not allowed', AUTH_TOKEN],
	'111133': ['The account token has the wrong length', AUTH_TOKEN],
	'111143': ['The account token is not valid', AUTH_TOKEN],
	'111134': ['Another account has this name already', ACCOUNT_NAME],
	'111135': ['The account has no name', ACCOUNT_NAME],
	'111136': ['The name of the account has characters that are not allowed', ACCOUNT_NAME],
	'111137': ['The name of the account has the wrong length', ACCOUNT_NAME],
	'111138': [
		'The account is not activated',
		'Finish the registration of the account in the Yuntongxun console.',
	],
	'111139': [
		'The account is suspended',
		'Check the Yuntongxun console for unpaid charges, or ask Yuntongxun support why.',
	],
	'111140': [
		'The account is closed',
		'Put another account into the Yuntongxun API credential, or ask Yuntongxun support.',
	],
	'111141': [
		'The account is unknown at this Base URL',
		'Check Account SID and Base URL in the Yuntongxun API credential: production and ' +
			'sandbox have different accounts.',
	],
	'112349': [
		'The account has no company verification',
		'Complete the company verification of the account in the Yuntongxun console.',
	],
	'160058': ['The account may not send SMS abroad', INTERNATIONAL],
	'160060': ['The account may not send marketing SMS abroad', INTERNATIONAL],
	'160062': ['SMS to the country of a number are not enabled', INTERNATIONAL],
};

/** Codes that only calls, SMS and sub-account requests can get. */
const USE: Rows = {
	'111142': ['The balance of the account is too low', TOP_UP],
	'112350': [
		'The account was not topped up enough in total',
		`${TOP_UP} Yuntongxun support knows the minimum.`,
	],
	'121001-121003': ['The billing check turned the request down', BILLING],
	'160014 161002': ['The SMS channel has no credit left', BILLING],

	'111150': [
		'A sub-account with this name exists already',
		'Choose another Friendly Name, or read the existing one with the operation Get by Name.',
	],

	'111169': ['The App ID is empty', APP_ID],
	'111170': ['The App ID has characters that are not allowed', APP_ID],
	'111171': ['The App ID has the wrong length', APP_ID],
	'111181': ['No application has this App ID', APP_ID],
	'111176': [
		'The application was deleted',
		'Use the App ID of another application in the Yuntongxun console.',
	],
	'111172': ['Another application has this name already', APP_NAME],
	'111173': ['The application has no name', APP_NAME],
	'111174': ['The name of the application has characters that are not allowed', APP_NAME],
	'111175': ['The name of the application has the wrong length', APP_NAME],
	'111182 112353': ['The application belongs to another account', APP_OWNER],
	'111177': ['The application is disabled', APP_STATE],
	'111180': ['The application is suspended', APP_STATE],
	'111178': [
		'The application is not published',
		'Publish the application in the Yuntongxun console.',
	],
	'111179': [
		'The application is still under review',
		'Wait until the Yuntongxun console shows it as approved, or use the App ID of another one.',
	],
	'112303': [
		'SMS is not enabled for the application',
		'Enable SMS for the application in the Yuntongxun console, or use the App ID of ' +
			'another one.',
	],
	'111212': ['The application is a trial and not live yet', TRIAL],
	'112305 112310': ['The trial application may not send SMS to this number', TRIAL],
	'113302': ['The trial template may not go to this number', TRIAL],
	'160069': ['The trial template takes only digits as variables', TRIAL],

	'112300 112306 160044': ['No recipient arrived', RECIPIENT],
	'112316 112328 160042': ['A number is not written as expected', NUMBER_FORMAT],
	'112319': ['A number, or the list of numbers, is too long', NUMBER_FORMAT],
	'160013': ['A number is not written as expected, or not supported', NUMBER_FORMAT],
	'112317 160034': ['A number is on a block list', BLOCKED],
	'160072-160074': ['A number is on a block list after complaints', BLOCKED],
	'160051': ['A recipient has unsubscribed from marketing SMS', LEAVE_OUT],
	'160068': ['A recipient has opted out of all SMS', LEAVE_OUT],
	'160061': ['SMS to the country of a number are not supported', LEAVE_OUT],
	'160017 160048': ['One request has too many numbers', FEWER_NUMBERS],
	'160045': [
		'A number is in the list more than once',
		'Take repeated numbers out of To: probably one has the country code and one has not.',
	],
	'160059': [
		'An SMS to a foreign number can have only one recipient',
		'Give each foreign number an item of its own.',
	],

	'112307': ['The Template ID is empty', TEMPLATE],
	'112311 112313': ['No template has this Template ID', TEMPLATE],
	'112315': ['The Template ID is too long', TEMPLATE],
	'112318 160057': ['The Template ID is not a number', TEMPLATE],
	'112323': ['The template is missing or not approved', TEMPLATE],
	'160032': ['The template is not valid', TEMPLATE],
	'160036': ['The kind of the template is unknown', TEMPLATE],
	'160043': ['The template belongs to another application', TEMPLATE],
	'160070': [
		'The template cannot go to foreign numbers',
		'Use a Template ID made for SMS abroad, or keep foreign numbers out of To.',
	],
	'112341-112348': ['The template is not filled in as required', TEMPLATE_TEXT],
	'160046': ['The marketing SMS was not approved', TEMPLATE_TEXT],
	'112357': ['The signature of the template has the wrong length', TEMPLATE_SIGNATURE],
	'160019': ['The signature of the template is not valid', TEMPLATE_SIGNATURE],
	'112308': ['The variables of the template are missing', VARIABLES],
	'160052': ['A variable does not fit the template', VARIABLES],
	'160031': [
		'The service could not read the request',
		`Look for unusual characters in the fields; in an SMS, Variables probably do not fit. ${VARIABLES}`,
	],
	'112301 160035': ['The SMS would be empty', EMPTY_TEXT],
	'112304 112309': ['The SMS has characters the service cannot convert', CHARACTERS],
	'160011 160018 160033 160049': ['The SMS has a word that is not allowed', WORDING],
	'160020 160037': ['The SMS is too long', SHORTER],

	'111000 111001-111099': ['The platform could not handle the request', RETRY],
	'112326 160050 160063-160064': ['The platform did not send the SMS', RETRY],
	'160000': ['The SMS system is out of order at the moment', RETRY],
	'160001-160010': ['The SMS channel is busy', RETRY],
	'160012': ['The SMS channel did not admit the platform', RETRY],
	'161000-161001 161003-161005 161007-161035': ['The SMS channel did not take the SMS', RETRY],

	'111111': ['Too many requests ran at the same time', SLOWER],
	'112354': ['Too many queries ran at the same time', SLOWER],
	'160016 161006': ['The SMS channel gets more than it can take', SLOWER],
	'112302': [
		'Bulk SMS are suspended',
		'Wait, and ask Yuntongxun support when bulk SMS are possible again.',
	],
	'112314': [
		'The daily SMS limit is reached',
		'Wait until tomorrow, or ask Yuntongxun support for a higher limit.',
	],
	'160071': [
		'Marketing SMS are not allowed at this hour',
		'Wait and send at another time of day. Yuntongxun support knows the hours.',
	],
	'160038': ['A number got verification codes too often', `Wait some minutes: ${NOT_AT_ONCE}`],
	'160015': [
		'A number got as many SMS as allowed',
		`Wait, probably until tomorrow: ${NOT_AT_ONCE}`,
	],
	'160022': ['A number got as many SMS as allowed today', TOMORROW],
	'160039': ['A number got this template as often as allowed today', TOMORROW],
	'160040': ['A number got as many verification codes as allowed today', TOMORROW],
	'160041': ['A number got as many notices as allowed today', TOMORROW],
	'160021': ['A number got the same SMS today', SAME_TEXT],
	'160056': ['A number got the same SMS before', SAME_TEXT],

	'160054': ['The same request was received before', LOOK_UP],
	'112351': ['No status is stored for the SMS', LOOK_UP],
	'112352': ['The status of the SMS is no longer stored', LOOK_UP],
	'112356': ['The SMS went out, and its receipt is not in yet', LOOK_UP],

	'112320': ['No address is set for incoming SMS and receipts', RECEIPTS],
	'112321': ['Incoming SMS and receipts are switched off', RECEIPTS],

	'160030': ['The request arrived empty', ON_THE_WAY],
	'112312 160065': ['The extension number is not accepted', NOT_OURS],
	'112324-112325 112327 112329-112330 160047': ['A query lacks a required field', NOT_OURS],
	'160055': ['The request number is too long', NOT_OURS],
	'160066 160067': ['The sending time is not accepted', NOT_OURS],
};

function codesIn(range: string): string[] {
	const [first, last = first] = range.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

function byCode(rows: Rows): Map<string, StatusMeaning> {
	return new Map(
		Object.entries(rows).flatMap(([codes, [happened, advice]]) =>
			codes
				.split(' ')
				.flatMap(codesIn)
				.map((code) => [code, { happened, advice }] as const),
		),
	);
}

const access = byCode(ACCESS);
const meanings = new Map([...access, ...byCode(USE)]);

/**
 * The codes that a credential test names the reason for, ascending, ranges as single codes: n8n
 * can only compare an answer's code for equality. `meaningOf` knows each of them.
 */
export const CREDENTIAL_CODES: readonly string[] = [...access.keys()].sort();

/**
 * What a failure code of the service means, and what to do. The specification leaves the list of
 * codes open (section 7), so this is the publicly known part of it.
 *
 * @param statusCode the answer's `statusCode`, trimmed, other than `000000`
 * @returns `undefined` for a code nobody has described
 */
export function describeStatusCode(statusCode: string): StatusMeaning | undefined {
	return meanings.get(statusCode);
}
