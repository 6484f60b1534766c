import { deriveKey } from '../client/credential';
import type { SigningAccount } from '../client/credential';
import { openSeal, seal } from '../client/seal';
import { translate } from '../language/translate';
import type { CallEventName } from './notification';

/*
 * Addresses that the package gives to the service, to report the result of a call to
 *
 * The service is not known to sign what it sends, so an address has to prove itself. Its parameter `yt`
 * holds the purpose in clear and, sealed, an expiry and what belongs to the purpose.
 * Purpose and the last two segments of the path, decoded, are authenticated: they stay as they are whatever
 * host, proxy prefix, `N8N_ENDPOINT_WEBHOOK` or percent-encoding the address arrives with. The rest of the
 * query is not read.
 */

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Query parameter with the token. */
const TOKEN = 'yt';

/** What an address is for. */
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
 * Adds a token to an address, in place of any that it has. What no address may hold is percent-encoded, such as the letters of a webhook
 * id in Chinese; all else stays byte for byte.
 *
 * @param expiresAt milliseconds since 1970
 * @param account nobody without its token can open the address's, or make one
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

/** The query of an address, whole or from the path on. */
export function getQuery(url: string): URLSearchParams {
	const [, ...query] = url.split('?');
	return new URLSearchParams(query.join('?'));
}

/** Sets a parameter of the query of an address, leaving the others as they are; drops the fragment. */
export function withParameter(url: string, name: string, value: string): string {
	const [whole] = url.split('#');
	const [address, ...query] = whole.split('?');
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

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_AWAITED_CALLS = 500;

/** A call whose execution waits for its result. */
export interface WaitTarget {
	kind: 'wait';
	/** The kind of event that is its result. */
	event: CallEventName;
	/** How long to wait after the last call of the run was placed, in milliseconds. */
	maxWaitMs: number;
}

/** What a call wants of its result, if that takes an address of this n8n: to start the trigger, or to wait. */
export type ResultTarget = { kind: 'trigger'; event: CallEventName } | WaitTarget;

/** How a call waits for its result. */
export interface AwaitedCall extends WaitTarget {
	/** What can keep the result from arriving, for the user. */
	hints: readonly string[];
}

/** n8n's environment variable for its public address, as a user looks for it. */
const PUBLIC_ADDRESS_VARIABLE = translate('N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.35)');

/** Hosts that only this machine or network can reach. */
const PRIVATE_HOSTS: readonly RegExp[] = [
	// Names: without a dot, or with an ending that is never public
	/^[^.:[\]]+$/,
	/\.(?:localhost|local|internal|lan|home|test|invalid)$/i,
	// IPv4: this machine, private networks (RFC 1918), link-local, and shared by a provider (RFC 6598)
	/^(?:0|10|127)(?:\.\d+){3}$/,
	/^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/,
	/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}$/,
	// IPv6: this machine, private networks (fc00::/7), and link-local
	/^\[(?:::1?|f[cd][0-9a-f:]*|fe80:[0-9a-f:]*)\]$/i,
];

const NOT_WHOLE =
	"The service reports the call result to n8n's public address, which is not a complete address. Begin n8n's environment variable {variable} with https://.";

const IS_TEST =
	"The service reports the call result to a test address, where n8n listens only while you test. Use the trigger's Production URL.";

const IS_PRIVATE =
	"The service reports the call result to {hostname}, which cannot be reached from the internet. Use a public address: if it is one of n8n, set n8n's environment variable {variable} to it.";

/**
 * Tells the user why the service cannot reach an address; nothing if nothing speaks against it.
 *
 * @param url may lack `https://`, since n8n takes its public address as it is set
 * @param inProduction whether the workflow runs in production, when n8n ignores test addresses
 */
export function findUnreachableHints(url: string, inProduction: boolean): string[] {
	const variable = PUBLIC_ADDRESS_VARIABLE;
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const isWhole = parsed && ['https:', 'http:'].includes(parsed.protocol);
	if (!isWhole) return [translate(NOT_WHOLE, { variable })];

	const { hostname, pathname } = parsed;
	if (PRIVATE_HOSTS.some((pattern) => pattern.test(hostname))) {
		return [translate(IS_PRIVATE, { hostname, variable })];
	}
	return inProduction && /\/webhook-test\//.test(pathname) ? [translate(IS_TEST)] : [];
}
