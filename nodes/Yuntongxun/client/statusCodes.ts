import { translate } from '../language/translate';

/** What a failure code means, in words for the person who runs the workflow. */
export interface StatusMeaning {
	/** What happened: one clause, first letter a capital, no final period. */
	summary: string;
	/** What to do next: one or two sentences, with periods. */
	remedy: string;
}

/** What a request is about: it decides which words explain a code. Undefined where it is about the account. */
export type Subject =
	/** A call that speaks or plays what the form says. */
	| 'call'
	/** A call that says a code that the node made. */
	| 'codeCall'
	/** An SMS to one or many. */
	| 'sms'
	/** An SMS to one person, with a code that the node made. */
	| 'codeSms'
	| 'template'
	| 'subAccount'
	| 'newSubAccount';

/**
 * The first sentence says what happened, the rest what to do. A key has one or more codes or ranges
 * (`first-last`, so that searching for a code need not find it), separated by blanks: codes with the same
 * remedy share a row, and the service's own words tell them apart. `MEANINGS` at the end says which tables
 * count for a subject; of several rows for a code the last counts. The codes that are known are listed in
 * docs/maintainers/status-codes.csv; whether one is sent again is in `failureTable.ts`.
 */
type Rows = Readonly<Record<string, string>>;

const CHANGED_ON_THE_WAY =
	'The node never sends such a request, so something probably changed it on the way. ' +
	'Check Base URL in the Yuntongxun API credential, and any proxy of the n8n server.';
const NOT_AS_SENT = `The request did not arrive as it was sent. ${CHANGED_ON_THE_WAY}`;
const ALLOW_LIST =
	'add the outgoing address of the n8n server to the IP allow-list in the Yuntongxun console.';
const TOP_UP = 'Top up the account in the Yuntongxun console, or ask Yuntongxun support.';
const LEAVE_OUT =
	'Remove the number from To and send to the others: this request was not accepted.';
const RETRY = 'This request was not accepted, so wait a few minutes and send it again.';
const USELESS = "retrying right away won't help.";
const NOT_AT_ONCE = `${USELESS} Remove the number from To to reach the others.`;
const TRIAL =
	'The application is a trial and not live yet. A trial usually accepts only test numbers registered in the Yuntongxun console';
const GO_LIVE = 'Take the application live there to reach everyone.';

/** Codes about account and signature: any request can get them, the credential test included. */
const ACCESS: Rows = {
	'111100 111104 111128-111130':
		'The Account SID is in the wrong format. Copy Account SID from the Yuntongxun console into the Yuntongxun API credential again.',
	'111101-111103 111105 111107-111108 111113': `The signature of the request did not arrive as it was sent. ${CHANGED_ON_THE_WAY}`,
	'111106': 'The signature of the request is too old. Correct the clock of the n8n server.',
	'111109 111131-111133 111143':
		'The account token does not match. Copy Auth Token from the Yuntongxun console into the credential again, and its Base URL.',
	'111110':
		'The service does not offer the version in the address. Check the path in Base URL of the Yuntongxun API credential: it must not name a version.',
	'111115 160053': `The n8n server is not on the IP allow-list. If it should have access, ${ALLOW_LIST}`,
	'161100-161108': `The service did not accept the signature of the request. Check Account SID, Auth Token and the n8n server's clock. If an allow-list is on, ${ALLOW_LIST}`,

	'111134-111137': 'The name of the account is not accepted. Change it in the Yuntongxun console.',
	'111138': 'The account is not activated. Finish its registration in the Yuntongxun console.',
	'111139': 'The account is suspended. Check the Yuntongxun console for unpaid charges.',
	'111140': 'The account is closed. Use another account in the Yuntongxun API credential.',
	'111141':
		'The account is unknown at this Base URL. Check Account SID and Base URL: production and sandbox usually have different accounts, and the IDs of a sub-account do not work here.',
	'112349': 'The account has no company verification. Complete it in the Yuntongxun console.',
};

/** Codes that say the same of every request. */
const OF_ANY: Rows = {
	'111142': `The balance of the account is too low. ${TOP_UP}`,
	'112350': `The account was not topped up enough in total. ${TOP_UP}`,
	'121001-121003': `The billing check rejected the request. ${TOP_UP}`,
	'160014 161002': `A channel of the service has no credit left. ${TOP_UP}`,
	'111000-111099 112326 160000 160012 160050 160063-160064': `The platform could not handle the request. ${RETRY}`,
	'160001-160010': `A channel of the service is busy. ${RETRY}`,
	'161000-161001 161003-161005 161007-161035': `A channel of the service did not take the request. ${RETRY}`,
	'111111 112354 160016 161006':
		'Too many requests came at the same time. This request was not accepted: wait a minute and send it again, with fewer at once.',
	'112324-112325 112327 112329-112330 160030 160047 160066-160067': NOT_AS_SENT,
};

/** Of a request that names an application. */
const OF_APPLICATION: Rows = {
	'111169-111171 111181':
		'No application has this App ID. Copy App ID from the Yuntongxun console into the node or the credential.',
	'111172-111175':
		'The name of the application is not accepted. Change it in the Yuntongxun console.',
	'111176-111180':
		'The application is not in operation. Look at its state in the Yuntongxun console, or use the App ID of another one.',
	'111182 112353':
		"The application belongs to another account. Use an App ID of the credential's own account.",
	'111212': 'The application is not live yet. Take it live in the Yuntongxun console.',
};

const OF_NEW_SUB_ACCOUNT: Rows = {
	'111150':
		'A sub-account with this name exists already. Choose another Friendly Name, or read the existing one with the operation Get.',
};

const OF_TEMPLATE: Rows = {
	'112303':
		'SMS is not enabled for the application. Enable it in the Yuntongxun console, or use the App ID of another application.',
	'112307 112311 112313 112315 112318 112323 160032 160036 160043 160057':
		'The application has no such template. Look in the Yuntongxun console which templates it has.',
	'112308 160031 160052': NOT_AS_SENT,
};

/** Of a request that reaches people. */
const TO_PEOPLE: Rows = {
	'112302': 'Bulk sending is suspended. Wait, and ask Yuntongxun support when it resumes.',
	'112314':
		'The daily limit of the account is reached. Wait until tomorrow, or ask Yuntongxun support for a higher one.',
	'160071': 'Marketing is not allowed at this hour. Wait until another time of day.',
};

/** Of an SMS to one or many. */
const OF_SMS: Rows = {
	'112303':
		'SMS is not enabled for the application. Enable it in the Yuntongxun console, or use the App ID of another application.',
	'111212 112305 112310 113302 160069': `${TRIAL}, and only Template ID 1 with numeric Variables. ${GO_LIVE}`,
	'160058 160060 160062':
		'The account may not send such SMS abroad. Keep foreign numbers out of To, or ask Yuntongxun support to enable them.',

	'112300 112306 160044': 'The service received no recipient. Check that To contains a number.',
	'112316 112319 112328 160013 160042':
		'A number is in the wrong format or not supported. Write numbers in digits with commas between, mainland mobile numbers without +86.',
	'112317 160034 160072-160074': `A number is on a block list. ${LEAVE_OUT} Only Yuntongxun support can unblock a number.`,
	'160051 160068': `A recipient has unsubscribed from SMS. ${LEAVE_OUT}`,
	'160061': `SMS to the country of a number are not supported. ${LEAVE_OUT}`,
	'160017 160048':
		'One request has too many numbers. This request was not accepted: put some of the numbers into other items.',
	'160045':
		'A number is in the list more than once. Remove repeated numbers from To: probably one has the country code and one does not.',
	'160059':
		'An SMS to a foreign number can have only one recipient. Put each foreign number in an item of its own.',

	'112307 112311 112313 112315 112318 112323 160032 160036 160043 160057':
		'The template is not valid. Copy Template ID, digits only, of an approved template of this application.',
	'160070':
		'The template cannot go to foreign numbers. Use a Template ID made for SMS abroad, or keep foreign numbers out of To.',
	'112341-112348 160046':
		'The text of the template was not approved. Correct it in the Yuntongxun console and have it approved again.',
	'112357 160019':
		'The signature of the template is not valid. Have one of 2 to 16 characters approved in the Yuntongxun console.',
	'112308 160031 160052':
		'The variables do not fit the template, or the request was unreadable. Add one row to Variables for each placeholder, and look for unusual characters.',
	'112301 160035': 'The SMS would be empty. Check that Variables contain text.',
	'112304 112309':
		'The SMS has characters the service cannot convert. Remove emoji and other rare characters from Variables.',
	'160011 160018 160033 160049':
		'The SMS has a word that is not allowed. Change the wording in Variables or, if the template has the word, in the template.',
	'160020 160037': 'The SMS is too long. Shorten Variables or use a shorter template.',

	'160038': `A number received verification codes too often. Wait a few minutes: ${NOT_AT_ONCE}`,
	'160015': `A number has received as many SMS as allowed. Wait, probably until tomorrow: ${NOT_AT_ONCE}`,
	'160022 160039-160041': `A number has received as many SMS of this kind as allowed today. Wait until tomorrow: ${NOT_AT_ONCE}`,
	'160021 160056':
		"A number has already received the same SMS. Retrying right away won't help: wait until tomorrow, or change Variables.",

	'112351-112352 112356':
		'The service answered about the state of an earlier SMS, which the node had not asked for. Look up the SMS in the Yuntongxun console before you send anything again.',
	'160054':
		'This ID in Reports was used earlier today. That SMS may have been sent, so look it up in the Yuntongxun console before you send anything again. Another SMS needs another ID in Reports.',
	'160055':
		'The ID in Reports is not accepted. Set ID in Reports to 1 to 32 letters and digits, or remove the option.',
	'112312':
		'The application has no such sender extension. Remove Sender Suffix, or have the extension set up for the application in the Yuntongxun console.',
	'160065':
		'The digits after the sender number are not accepted. Set Sender Suffix to 1 to 4 digits that your account may use, or remove the option.',
	'112320-112321':
		'SMS replies and receipts are not set up. Set their address in the Yuntongxun console.',
};

/** Of a request to one number. */
const OF_ONE_NUMBER: Rows = {
	'112300 112306 160044': 'The service received no number. Check that To contains a number.',
	'112317 160034 160072-160074':
		'The number is on a block list. Only Yuntongxun support can unblock it.',
	'160038': `The number received verification codes too often. Wait a few minutes: ${USELESS}`,
	'160017 160048 160045 160059': NOT_AS_SENT,
};

/** Of an SMS with a code, which has one number and no sender suffix, and whose text nobody typed. */
const OF_CODE_SMS: Rows = {
	...OF_ONE_NUMBER,
	'112316 112319 112328 160013 160042':
		'The number is in the wrong format or not supported. Write a mainland mobile number in 11 digits.',
	'160058 160060 160062':
		'The account may not send such SMS abroad. Ask Yuntongxun support to enable them, or use a mainland mobile number in To.',
	'160051 160068':
		'The person has unsubscribed from SMS. Only Yuntongxun support can lift that: reach the person by a call.',
	'160061': 'SMS to the country of the number are not supported. Reach the person by a call.',
	'160070': 'The template cannot go to foreign numbers. Use a Template ID made for SMS abroad.',
	'160015': `The number has received as many SMS as allowed. Wait, probably until tomorrow: ${USELESS}`,
	'160022 160039-160041': `The number has received as many SMS of this kind as allowed today. Wait until tomorrow: ${USELESS}`,
	'160021 160056': `The number has already received the same SMS. Wait until tomorrow: ${USELESS}`,
	'112312 160065':
		'The application has no such sender extension, and none was asked for. Ask Yuntongxun support how the application is set up.',
};

/** Of a call: it has one number, and neither template nor variables. */
const OF_CALL: Rows = {
	...OF_ONE_NUMBER,
	'112303':
		'The application may not do this. Enable it in the Yuntongxun console, or use the App ID of another application.',
	'111212 112305 112310 113302 160069': `${TRIAL}. ${GO_LIVE}`,
	'160051 160068':
		'The person wants no more messages of this kind. Only Yuntongxun support can lift that.',
	'160058-160062 160070':
		'The account may not call this country. Ask Yuntongxun support to enable it, or use a mainland number in To.',
	'112316 112319 112328 160013 160042':
		'The number is in the wrong format or not supported. A landline needs its area code, such as 010, and an extension follows a hyphen. Write a mainland mobile number without +86.',
	'112307 112311 112313 112315 112318 112323 160032 160036 160043 160057 112341-112348 160046 112357 160019':
		'The content to play is not valid, or not approved. Use audio files that the Yuntongxun console shows as approved, by their exact names.',
	'112308 160031 160052':
		'The request was unreadable for the service. Look for unusual characters in the spoken text and the options.',
	'112301 160035': 'The call would be silent. Check that it has a text, a code or audio files.',
	'112304 112309':
		'The call has characters the service cannot convert. Remove emoji and other rare characters from the spoken text.',
	'160011 160018 160033 160049': 'The call has a word that is not allowed. Change the spoken text.',
	'160020 160037': 'The spoken text is too long. Shorten it.',
	'160015 160022 160039-160041': `The number was called as often as allowed, probably for today. Wait until tomorrow: ${USELESS}`,
	'160021 160056': `The number was called with the same content before. Wait until tomorrow, or change the spoken text: ${USELESS}`,
	'112351-112352 112356 160054':
		'The service considers the request a repeat. Look up the call in the Yuntongxun console before you call again.',
	'112312 112320-112321 160055 160065': NOT_AS_SENT,
};

/** Of a call with a code, which plays nothing else and whose text nobody typed. */
const OF_CODE_CALL: Rows = {
	'112316 112319 112328 160013 160042':
		'The number is in the wrong format or not supported. A landline needs its area code, such as 010. Write a mainland mobile number without +86.',
	'112307 112311 112313 112315 112318 112323 160032 160036 160043 160057 112341-112348 160046 112357 160019 112301 160035 112304 112309 160011 160018 160033 160049 160020 160037 112308 160031 160052':
		'The service does not accept the code to speak. The node sends digits only: ask Yuntongxun support what the account is missing.',
	'160021 160056': `The number was called with the same code before. Wait until tomorrow, or send a new code: ${USELESS}`,
};

/** What happened, in one sentence of either language, and what to do. */
const FIRST_SENTENCE = /^(.*?)(?:\. |。)(.*)$/s;

/** Lists one entry per code; ranges are expanded, and a later table replaces rows of an earlier one. */
function listByCode(...tables: readonly Rows[]): Map<string, StatusMeaning> {
	const meanings = new Map<string, StatusMeaning>();
	for (const [codes, sentences] of tables.flatMap((rows) => Object.entries(rows))) {
		const [, summary, remedy] = FIRST_SENTENCE.exec(translate(sentences)) ?? [];
		for (const range of codes.split(' ')) {
			const [first, last = first] = range.split('-').map(Number);
			for (let code = first; code <= last; code++) {
				meanings.set(String(code), { summary, remedy });
			}
		}
	}
	return meanings;
}

/**
 * The codes that the credential test explains. Ranges are expanded, since n8n can only compare a code
 * for equality.
 */
export const CREDENTIAL_CODES: ReadonlyMap<string, StatusMeaning> = listByCode(ACCESS);

const OF_ACCOUNT = [ACCESS, OF_ANY];
const WITH_APPLICATION = [...OF_ACCOUNT, OF_APPLICATION];
const REACHING = [...WITH_APPLICATION, TO_PEOPLE];

const MEANINGS_OF_ACCOUNT = listByCode(...OF_ACCOUNT);

const MEANINGS: Record<Subject, ReadonlyMap<string, StatusMeaning>> = {
	call: listByCode(...REACHING, OF_CALL),
	codeCall: listByCode(...REACHING, OF_CALL, OF_CODE_CALL),
	sms: listByCode(...REACHING, OF_SMS),
	codeSms: listByCode(...REACHING, OF_SMS, OF_CODE_SMS),
	template: listByCode(...WITH_APPLICATION, OF_TEMPLATE),
	subAccount: listByCode(...WITH_APPLICATION),
	newSubAccount: listByCode(...WITH_APPLICATION, OF_NEW_SUB_ACCOUNT),
};

/**
 * What a failure code of the service means, and what to do. The specification leaves the list of
 * codes open (section 7), so this is the publicly known part of it. A code that is about something
 * else than the request has no meaning for it.
 *
 * @param statusCode the answer's `statusCode`, trimmed, other than `000000`
 * @param subject what the request was about
 * @returns `undefined` for an unknown code
 */
export function describeStatusCode(
	statusCode: string,
	subject?: Subject,
): StatusMeaning | undefined {
	return (subject === undefined ? MEANINGS_OF_ACCOUNT : MEANINGS[subject]).get(statusCode);
}
