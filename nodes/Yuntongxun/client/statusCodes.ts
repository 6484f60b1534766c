import { translate } from '../language/translate';

/** What a failure code means, in words for the person who runs the workflow. */
export interface StatusMeaning {
	/** What happened: one clause, first letter a capital, no final period. */
	summary: string;
	/** What to do next: one or two sentences, with periods. */
	remedy: string;
}

/**
 * The first sentence says what happened, the rest what to do: true for every operation that can get the code.
 * A key has one or more codes or ranges (`first-last`; a search for one code may not find its row), separated
 * by blanks: codes with the same remedy share a row, and the service's own words tell them apart. The codes that
 * are known are listed in docs/maintainers/status-codes.csv; whether one is sent again is in `failureTable.ts`.
 */
type Rows = Readonly<Record<string, string>>;

const CHANGED_ON_THE_WAY =
	'The node never sends such a request, so something probably changed it on the way. ' +
	'Check Base URL in the Yuntongxun API credential, and any proxy of the n8n server.';
const ALLOW_LIST =
	'add the outgoing address of the n8n server to the IP allow-list in the Yuntongxun console.';
const LEAVE_OUT = 'Leave it out to reach others: this request was not accepted.';
const USELESS = "retrying right away won't help.";

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
	'111138-111140':
		'The account is not activated, suspended or closed. Look at its state in the Yuntongxun console.',
	'111141':
		'The account is unknown at this Base URL. Check Account SID and Base URL: production and sandbox usually have different accounts, and the IDs of a sub-account do not work here.',
	'112349': 'The account has no company verification. Complete it in the Yuntongxun console.',
};

/** Codes about what a request asks for. */
const REQUEST: Rows = {
	'111142 112350 121001-121003 160014 161002':
		'The account, or a channel of the service, has no credit left. Top up the account in the Yuntongxun console, or ask Yuntongxun support.',

	'111000-111099 112326 160000-160010 160012 160050 160063-160064 161000-161001 161003-161005 161007-161035':
		'The service is busy, or could not handle the request. This request was not accepted, so wait a few minutes and send it again.',
	'111111 112354 160016 161006':
		'Too many requests came at the same time. This request was not accepted: wait a minute and send it again, with fewer at once.',
	'112324-112325 112327 112329-112330 160030 160047 160055 160066-160067': `The request did not arrive as it was sent. ${CHANGED_ON_THE_WAY}`,
	'112308 160031 160052':
		'The service could not read the request, or its variables do not fit the template. Look for unusual characters, and give each placeholder of a template its variable.',

	'111169-111171 111181':
		'No application has this App ID. Copy App ID from the Yuntongxun console into the node or the credential.',
	'111172-111175':
		'The name of the application is not accepted. Change it in the Yuntongxun console.',
	'111176-111180':
		'The application is not in operation. Look at its state in the Yuntongxun console, or use the App ID of another one.',
	'111182 112353':
		"The application belongs to another account. Use an App ID of the credential's own account.",
	'111212 112305 112310 113302 160069':
		'The application is a trial and not live yet. A trial usually accepts only test numbers registered in the Yuntongxun console, and in an SMS only Template ID 1 with numeric variables. Take the application live there to reach everyone.',
	'112303':
		'The application may not do this. Enable it in the Yuntongxun console, or use the App ID of another application.',
	'111150':
		'A sub-account with this name exists already. Choose another Friendly Name, or read the existing one with the operation Get.',

	'112300 112306 160044': `The service received no number. ${CHANGED_ON_THE_WAY}`,
	'112316 112319 112328 160013 160042':
		'A number is in the wrong format or not supported. Look for one that does not exist, write foreign numbers with 00 instead of +, check the Caller ID, or ask Yuntongxun support which numbers it supports.',
	'112317 160034 160072-160074': `A number is on a block list. ${LEAVE_OUT} Only Yuntongxun support can unblock a number.`,
	'160051 160068': `A person has unsubscribed. ${LEAVE_OUT} Only Yuntongxun support can lift that.`,
	'160058 160060-160062':
		'A number is in a country that the account may not reach. Ask Yuntongxun support to enable it, or leave foreign numbers out.',
	'160017 160048':
		'One request has too many numbers. This request was not accepted: put fewer numbers into an item, and ask Yuntongxun support how many your account may text at once.',
	'160045':
		'A number is in the list more than once. The node sends each number only once, so ask Yuntongxun support.',
	'160059':
		'An SMS to a foreign number can have only one recipient. Put each foreign number in an item of its own.',
	'160070':
		'The template cannot go to foreign numbers. Use one made for SMS abroad, or leave foreign numbers out.',

	'112302 160071':
		'This may not be sent right now. Wait until another time of day, or ask Yuntongxun support when it is allowed.',
	'112314':
		'The daily limit of the account is reached. Wait until tomorrow, or ask Yuntongxun support for a higher one.',
	'160015 160022 160038-160041': `A number was reached as often as allowed. Wait a few minutes, or until tomorrow: ${USELESS}`,
	'160021 160056': `A number has already received the same content. Wait until tomorrow, or change what is sent: ${USELESS}`,
	'112351-112352 112356 160054':
		'The service considers the request a repeat. Look in the Yuntongxun console what became of the earlier one before you send anything again.',

	'112307 112311 112313 112315 112318 112323 160032 160036 160043 160057':
		'The template, or what is to be played, is not valid for the application. Look in the Yuntongxun console which templates and audio files it has, and whether they are approved.',
	'112341-112348 160046':
		'The content was not approved. Correct it in the Yuntongxun console and have it approved again.',
	'112357 160019':
		'The signature of the template is not valid. Have one of 2 to 16 characters approved in the Yuntongxun console.',
	'112301 160035': 'Nothing would be said or shown. Check that the item has text.',
	'112304 112309':
		'The text has characters the service cannot convert. Remove emoji and other rare characters.',
	'160011 160018 160033 160049':
		'The text has a word that is not allowed. Change the wording, in the template if it has the word.',
	'160020 160037': 'The text is too long. Shorten it, or use a shorter template.',

	'112312 160065':
		'The digits behind the sender number are not accepted. Correct or remove Sender Suffix, or have the extension set up for the application in the Yuntongxun console.',
	'112320-112321':
		'SMS replies and receipts are not set up. Set their address in the Yuntongxun console.',
};

/** What happened, in one sentence of either language, and what to do. */
const FIRST_SENTENCE = /^(.*?)(?:\. |。)(.*)$/s;

/** Lists one entry for each code; ranges are expanded. */
function listByCode(rows: Rows): Map<string, StatusMeaning> {
	const meanings = new Map<string, StatusMeaning>();
	for (const [codes, sentences] of Object.entries(rows)) {
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

const MEANINGS = new Map([...CREDENTIAL_CODES, ...listByCode(REQUEST)]);

/**
 * What a failure code of the service means, and what to do. The specification leaves the list of
 * codes open (section 7), so this is the publicly known part of it.
 *
 * @param statusCode the answer's `statusCode`, trimmed, other than `000000`
 * @returns `undefined` for an unknown code
 */
export function describeStatusCode(statusCode: string): StatusMeaning | undefined {
	return MEANINGS.get(statusCode);
}
