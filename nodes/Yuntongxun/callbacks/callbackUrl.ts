import { deriveKey } from '../client/credential';
import type { SigningAccount } from '../client/credential';
import { openSeal, seal } from '../client/seal';

/*
 * Addresses that the package gives to the service, to report the result of a call to
 *
 * As far as we know, the service does not sign what it sends, so an address has to prove itself. Its parameter `yt`
 * holds the purpose in clear and, sealed, an expiry and what belongs to the purpose.
 * Purpose and the last two segments of the path, decoded, are authenticated: they stay as they are whatever
 * host, proxy prefix, `N8N_ENDPOINT_WEBHOOK` or percent-encoding the address arrives with. The rest of the
 * query is not read.
 */

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Query parameter with the token. */
const TOKEN = 'yt';

const PURPOSES = ['start', 'wait'] as const;

/** To start a trigger, or to resume an execution that waits. */
export type TokenPurpose = (typeof PURPOSES)[number];

/** How long an address is good for, in milliseconds, unless a wait needs another time. */
export const TOKEN_LIFETIME_MS = 24 * 60 * 60_000;

/** The token of an address that has arrived, still sealed. */
export interface SealedToken {
	readonly purpose: TokenPurpose;
	readonly sealed: string;
	/** The last two segments of the path, decoded. */
	readonly segments: readonly string[];
}

/**
 * Adds a token to an address, in place of any that it has. What no address may hold is percent-encoded, such as
 * the letters of a webhook id in Chinese; all else stays byte for byte.
 *
 * @param expiresAt milliseconds since 1970
 * @param account only its Auth Token makes or opens the token of the address
 */
export function addToken(
	url: string,
	purpose: TokenPurpose,
	payload: Buffer,
	expiresAt: number,
	account: SigningAccount,
): string {
	const context = getContext(purpose, getLastSegments(url));
	const sealed = seal(getKey(account), { payload, expiresAt }, context);
	return withParameter(encodeOdd(url), TOKEN, `${purpose}.${sealed}`);
}

/** Finds the token of an address, whole or from the path on; undefined if there is not exactly one. */
export function findToken(url: string): SealedToken | undefined {
	const [value, ...more] = getQuery(url).getAll(TOKEN);
	if (value === undefined || more.length > 0) return undefined;

	const [name, sealed = ''] = value.split('.');
	const purpose = PURPOSES.find((each) => each === name);
	return purpose && { purpose, sealed, segments: getLastSegments(url) };
}

/**
 * Opens a token.
 *
 * @param now milliseconds since 1970
 * @returns its payload; undefined if it was not made by this account for this purpose and path, or has expired
 */
export function openToken(
	{ purpose, sealed, segments }: SealedToken,
	account: SigningAccount,
	now: number,
): Buffer | undefined {
	const opened = openSeal(getKey(account), sealed, getContext(purpose, segments));
	if (opened === undefined) return undefined;
	const isExpired = Math.floor(now / 1000) * 1000 > opened.expiresAt;
	return isExpired ? undefined : opened.payload;
}

/** Builds the address at which a result starts a trigger, from now on for a day. */
export function buildStartUrl(triggerUrl: string, account: SigningAccount): string {
	const expiresAt = Date.now() + TOKEN_LIFETIME_MS;
	return addToken(triggerUrl, 'start', Buffer.alloc(0), expiresAt, account);
}

/** Whether an address that a user entered ends as a trigger's does, and has no token yet. */
export function isPlainTriggerUrl(url: string): boolean {
	const [, last] = getLastSegments(url);
	return last === TRIGGER_PATH && findToken(url) === undefined;
}

/** What stands before, between and behind the question marks of an address; drops the fragment. */
const splitQuery = (url: string): string[] => url.split('#')[0].split('?');

/** The query of an address, whole or from the path on. */
export function getQuery(url: string): URLSearchParams {
	const [, ...query] = splitQuery(url);
	return new URLSearchParams(query.join('?'));
}

/** Sets a parameter of the query of an address, leaving the others as they are; drops the fragment. */
export function withParameter(url: string, name: string, value: string): string {
	const [address, ...query] = splitQuery(url);
	const parameters = query.length === 0 ? [] : query.join('?').split('&');
	const others = parameters.filter((each) => !new URLSearchParams(each).has(name));
	return `${address}?${[...others, `${name}=${value}`].join('&')}`;
}

/** What an address must not hold unencoded, apart from the name of its host. */
const ODD_CHARACTERS = /[^\x21-\x7e]+|[{}"<>\\^`|]/g;

function encodeOdd(url: string): string {
	const [origin] = ORIGIN.exec(url) ?? [''];
	return origin + url.slice(origin.length).replace(ODD_CHARACTERS, encodeURIComponent);
}

const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i;

/** The last two segments of the path of an address, whole or from the path on, decoded each by itself. */
function getLastSegments(url: string): string[] {
	const [address] = url.split(/[?#]/);
	const path = address.replace(ORIGIN, '').replace(/\/$/, '');
	return path.split('/').slice(-2).map(decodeSegment);
}

/** A segment that cannot be decoded, such as `100%`, stays as it is. */
function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

function getKey(account: SigningAccount): Buffer {
	return deriveKey(account, 'addresses');
}

const getContext = (purpose: TokenPurpose, segments: readonly string[]): string =>
	JSON.stringify([purpose, ...segments]);

/** Query parameters that let somebody in, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:yt|ytWait|signature)=[^&]*(?:&|$)/g;

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
