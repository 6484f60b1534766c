import type { ICredentialTestRequest } from 'n8n-workflow';

import { joinMessage } from '../language/translate';
import { summarize } from './serviceFailure';
import { CREDENTIAL_CODES } from './statusCodes';

type Rule = Extract<
	NonNullable<ICredentialTestRequest['rules']>[number],
	{ type: 'responseSuccessBody' }
>;

const UNCONFIRMED =
	'The service does not confirm this account. Check Base URL, Account SID and Auth Token, and any proxy or firewall on the way.';
const NOT_ACTIVE =
	'The account exists, but it is not active. Look at its state in the Yuntongxun console.';

/**
 * What `Account.status` may not be. Accounts in an unknown state may not work; n8n compares for equality only, so
 * those states are listed one by one.
 */
const INACTIVE_STATES = ['0', '2', '3', '4', '5', '6', '7', '8', '9', '-1', ''];

/**
 * Builds the rules of the credential test, in order. n8n compares single values of the answer to
 * AccountInfo with them; an answer that matches no rule is a success. Specification sections 3, 4.4
 * and 7.
 */
export function buildCredentialTestRules(): Rule[] {
	return [
		...[...CREDENTIAL_CODES].map(([code, { summary, remedy }]) =>
			buildRule('statusCode', code, joinMessage(summarize({ summary, statusCode: code }), remedy)),
		),
		...INACTIVE_STATES.map((state) => buildRule('Account.status', state, NOT_ACTIVE)),
		// A rule without a value fits an answer that lacks the member.
		...['statusCode', 'Account.status', 'Account.friendlyName'].map((key) =>
			buildRule(key, undefined, UNCONFIRMED),
		),
	];
}

function buildRule(key: string, value: string | undefined, message: string): Rule {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}
