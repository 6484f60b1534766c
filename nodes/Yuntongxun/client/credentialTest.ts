import type { ICredentialTestRequest } from 'n8n-workflow';

import { CREDENTIAL_CODES, describeStatusCode } from './statusCodes';

type Rule = Extract<
	NonNullable<ICredentialTestRequest['rules']>[number],
	{ type: 'responseSuccessBody' }
>;

const UNCONFIRMED =
	'The service does not confirm this account. Check Base URL, Account SID and Auth Token, and any proxy or firewall on the way.';

const NOT_ACTIVE: Record<string, string> = {
	'0': 'The account exists, but it is not activated. Activate it in the Yuntongxun console.',
	'2': 'The account is suspended. The Yuntongxun console or support knows the reason.',
	'3': 'The account is closed. Use another one.',
};

/** States that the specification does not have: such an account may not work. */
const UNKNOWN_STATES = ['4', '5', '6', '7', '8', '9', '-1', ''];

/**
 * The rules of the credential test, in this order. n8n compares single values of the answer to
 * AccountInfo, and every answer that no rule matches is a success. Specification sections 3, 4.4
 * and 7.
 */
export function credentialTestRules(): Rule[] {
	return [
		...CREDENTIAL_CODES.map((code) => refuses('statusCode', code, wordsFor(code))),
		...Object.entries(NOT_ACTIVE).map(([state, words]) => refuses('Account.status', state, words)),
		...UNKNOWN_STATES.map((state) =>
			refuses('Account.status', state, 'The account is in a state this node does not know.'),
		),
		...['statusCode', 'Account.status', 'Account.friendlyName'].map((key) =>
			refuses(key, undefined, UNCONFIRMED),
		),
	];
}

function wordsFor(code: string): string {
	const { happened, advice } = describeStatusCode(code) ?? { happened: UNCONFIRMED, advice: '' };
	return `${happened} (code ${code}). ${advice}`;
}

function refuses(key: string, value: string | undefined, message: string): Rule {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}
