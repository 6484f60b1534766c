import { hkdfSync, timingSafeEqual } from 'crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { translate } from '../language/translate';
import type { DataFormat } from './codec';

/** Version of the service: the first segment of every path. Specification section 9. */
export const SOFT_VERSION = '2013-12-26';

/** The stored credential, checked. */
export interface ApiCredential {
	accountSid: string;
	authToken: string;
	/** Default application for nodes without an App ID; may be empty itself. */
	appId: string;
	baseUrl: URL;
	softVersion: string;
	/** Of requests. Answers are read in either. */
	wireFormat: DataFormat;
}

/** What an operation may know of the account. */
export type AccountDefaults = Pick<ApiCredential, 'appId'>;

/** A stored credential that breaks a rule. The message names field and rule. */
export class UnusableCredential extends Error {
	override readonly name = 'UnusableCredential';

	constructor(message: string) {
		super(translate(message));
	}
}

/**
 * Reads the stored credential of type `yuntongxunApi`. Blanks around a value are dropped: they come
 * from copying out of the console.
 *
 * @throws UnusableCredential if a required value is missing or breaks its rule
 */
export function parseCredential(credential: ICredentialDataDecryptedObject): ApiCredential {
	const text = (field: string) => String(credential[field] ?? '').trim();
	const required = (field: string, label: string) => {
		if (text(field) !== '') return text(field);
		throw new UnusableCredential(
			translate('{label} is empty in the Yuntongxun API credential', { label }),
		);
	};
	return {
		accountSid: checkSegment(required('accountSid', 'Account SID'), 'Account SID'),
		authToken: required('authToken', 'Auth Token'),
		appId: text('appId'),
		baseUrl: parseBaseUrl(text('baseUrl')),
		softVersion: checkSegment(text('softVersion') || SOFT_VERSION, 'Software Version'),
		wireFormat: text('wireFormat') === 'xml' ? 'xml' : 'json',
	};
}

/**
 * Creates the function that gives the account of a run. The credential is parsed when it is first asked
 * for, so that what is wrong with it fails an item and not the run.
 *
 * @returns throws UnusableCredential
 */
export function createAccountReader(stored: ICredentialDataDecryptedObject): () => ApiCredential {
	let account: ApiCredential | undefined;
	return () => {
		account ??= parseCredential(stored);
		return account;
	};
}

/** Checks a path segment: dots alone would mean another folder. */
function checkSegment(value: string, label: string): string {
	if (!/^\.{1,2}$/.test(value) && value.isWellFormed()) return value;
	throw new UnusableCredential(
		translate(
			'{label} in the Yuntongxun API credential has characters that do not fit into an address: copy it again',
			{ label },
		),
	);
}

/**
 * Reads the base URL: `https`, a host, optionally a port and a path, nothing else.
 * Specification section 1, rule 1.
 *
 * @throws UnusableCredential, with the rule but without the value
 */
export function parseBaseUrl(text: string): URL {
	const isBase = /^https:\/\/[^\s/\\@?#]+(?:\/[^\s\\?#]*)?$/i.test(text);
	if (isBase && URL.canParse(text)) return new URL(text);
	throw new UnusableCredential(
		'Base URL in the Yuntongxun API credential must be an address that begins with https://, without a user name, question mark or hash, for example https://app.cloopen.com:8883',
	);
}

/**
 * The address of an operation, without the signature. Specification section 4.
 *
 * @param path what follows the account in the path, such as `Calls/VoiceVerify`
 */
export function buildOperationUrl(account: ApiCredential, path: string): string {
	const base = account.baseUrl.href.replace(/\/+$/, '');
	const segments = [account.softVersion, 'Accounts', account.accountSid].map(encodeURIComponent);
	return `${base}/${segments.join('/')}/${path}`;
}

/** What keys are derived from. */
export type SigningAccount = Pick<ApiCredential, 'authToken' | 'accountSid'>;

/**
 * A key for a purpose, derived from the account's token with HKDF-SHA256 (RFC 5869). The token
 * cannot be worked out from it, and neither can the key for another purpose or account.
 *
 * @returns 32 bytes, the same on every n8n that holds the account
 */
export function deriveKey({ authToken, accountSid }: SigningAccount, purpose: string): Buffer {
	const label = `n8n-nodes-yuntongxun ${purpose}`;
	return Buffer.from(hkdfSync('sha256', authToken, accountSid, label, 32));
}

/** Whether a text that somebody sent is the secret one, compared in constant time; only a wrong length shows. */
export function equalsSecret(text: string, secret: string): boolean {
	const [left, right] = [Buffer.from(text), Buffer.from(secret)];
	return left.length === right.length && timingSafeEqual(left, right);
}
