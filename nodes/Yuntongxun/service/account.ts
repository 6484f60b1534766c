import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isWhole } from './wireFormat';

/** Whom the requests come from and where they go: the stored credential, checked. */
export interface ServiceAccount {
	accountSid: string;
	authToken: string;
	/** Application used where a node names none; empty when the credential names none either. */
	appId: string;
	baseUrl: URL;
	softVersion: string;
}

/** A stored credential that cannot be used; the message says which field and what it must be. */
export class UnusableCredential extends Error {}

/**
 * Reads the stored credential of type `yuntongxunApi`. Blanks around a value are dropped, since
 * they come with copying from the console.
 *
 * @throws UnusableCredential where a required value is missing, or one breaks its rule
 */
export function accountOf(credential: ICredentialDataDecryptedObject): ServiceAccount {
	const text = (field: string) => String(credential[field] ?? '').trim();
	const required = (field: string, label: string) => {
		const value = text(field);
		if (value === '') {
			throw new UnusableCredential(`${label} is empty in the Yuntongxun API credential`);
		}
		return value;
	};
	const segment = (value: string, label: string) => {
		if (ONLY_DOTS.test(value) || !isWhole(value)) {
			throw new UnusableCredential(
				`${label} in the Yuntongxun API credential cannot stand in an address: copy it again`,
			);
		}
		return value;
	};
	return {
		accountSid: segment(required('accountSid', 'Account SID'), 'Account SID'),
		authToken: required('authToken', 'Auth Token'),
		appId: text('appId'),
		baseUrl: parseBaseUrl(text('baseUrl')),
		softVersion: segment(text('softVersion') || '2013-12-26', 'Software Version'),
	};
}

/** In a path these mean another folder. */
const ONLY_DOTS = /^\.{1,2}$/;

const BASE_URL_RULE =
	'Base URL in the Yuntongxun API credential must be an address that begins with https://, for example https://app.cloopen.com:8883';

/**
 * Reads the base URL: `https`, a host, perhaps a port and a path; nothing else.
 * Specification section 1, rule 1.
 *
 * @throws UnusableCredential which says what is wrong, without the value
 */
export function parseBaseUrl(text: string): URL {
	const url = /^https:\/\/[^\s/\\]+/i.test(text) && !/[\s\\]/.test(text) ? urlOf(text) : undefined;
	if (url === undefined) throw new UnusableCredential(BASE_URL_RULE);
	if (text.split('/')[2].includes('@')) {
		throw new UnusableCredential(`${BASE_URL_RULE}, without a user name or password`);
	}
	if (/[?#]/.test(text)) {
		throw new UnusableCredential(`${BASE_URL_RULE}, with nothing after a question mark or hash`);
	}
	return url;
}

/** A whole address, or undefined where the text is none. */
export function urlOf(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/**
 * The address of an operation, without the signature. Specification section 4.
 *
 * @param path what follows the account in the path, such as `Calls/VoiceVerify`
 */
export function operationUrl(account: ServiceAccount, path: string): string {
	const base = account.baseUrl.href.replace(/\/+$/, '');
	const segments = [account.softVersion, 'Accounts', account.accountSid].map(encodeURIComponent);
	return `${base}/${segments.join('/')}/${path}`;
}
