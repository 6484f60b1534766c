import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { SOFT_VERSION } from './defaults';

/** The stored credential, checked. */
export interface ServiceAccount {
	accountSid: string;
	authToken: string;
	/** Default application, used if a node leaves App ID empty; may be empty itself. */
	appId: string;
	baseUrl: URL;
	softVersion: string;
}

/** A stored credential that breaks a rule. The message names the field and the rule. */
export class UnusableCredential extends Error {
	override readonly name = 'UnusableCredential';
}

/**
 * Reads the stored credential of type `yuntongxunApi`. Blanks around a value are dropped: they come
 * from copying out of the console.
 *
 * @throws UnusableCredential if a required value is missing or breaks its rule
 */
export function parseAccount(credential: ICredentialDataDecryptedObject): ServiceAccount {
	const text = (field: string) => String(credential[field] ?? '').trim();
	const required = (field: string, label: string) => {
		const value = text(field);
		if (value === '') {
			throw new UnusableCredential(`${label} is empty in the Yuntongxun API credential`);
		}
		return value;
	};
	const segment = (value: string, label: string) => {
		if (ONLY_DOTS.test(value) || !value.isWellFormed()) {
			throw new UnusableCredential(
				`${label} in the Yuntongxun API credential has characters that do not fit into an address: copy it again`,
			);
		}
		return value;
	};
	return {
		accountSid: segment(required('accountSid', 'Account SID'), 'Account SID'),
		authToken: required('authToken', 'Auth Token'),
		appId: text('appId'),
		baseUrl: parseBaseUrl(text('baseUrl')),
		softVersion: segment(text('softVersion') || SOFT_VERSION, 'Software Version'),
	};
}

/** In a path, dots alone mean another folder. */
const ONLY_DOTS = /^\.{1,2}$/;

const BASE_URL_RULE =
	'Base URL in the Yuntongxun API credential must be an address that begins with https://, for example https://app.cloopen.com:8883';

/**
 * Reads the base URL: `https`, a host, optionally a port and a path, nothing else.
 * Specification section 1, rule 1.
 *
 * @throws UnusableCredential, which names the rule but not the value
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

/** An absolute address; undefined if the text is not one. */
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
