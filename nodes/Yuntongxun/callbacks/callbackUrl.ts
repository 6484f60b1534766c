import { isSignedUrl, queryOf, unsignedUrl, withQuery } from './signedUrl';

/**
 * Path of ours behind n8n's resume address. No other node listens there, so a late result never
 * resumes n8n's Wait node, or another node of the same execution.
 */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter that holds the id of a wait; an execution can wait several times. */
const WAIT = 'ytWait';

/** Query parameter of a trigger's address that carries a resume address. */
const RESUME = 'ytResume';

/** Query parameter with which n8n 2 protects its resume addresses. */
const N8N_SIGNATURE = 'signature';

/**
 * The address at which one wait of an execution takes results, not signed yet.
 *
 * @param resumeUrl n8n's own resume address of the execution
 * @param wait id of the wait
 */
export function waitAddress(resumeUrl: string, wait: string): string {
	const [path, ...query] = resumeUrl.split('#')[0].split('?');
	const address = [`${path}/${RESUME_PATH}`, ...query].join('?');
	return withQuery(address, `${WAIT}=${wait}`);
}

/** The id of the wait that an address belongs to; empty if it belongs to none. */
export function waitIdIn(url: string): string {
	return queryOf(url).get(WAIT) ?? '';
}

/**
 * The signed address of a trigger that relays results to a waiting execution.
 *
 * @param relayUrl production URL of a Yuntongxun Trigger
 * @param resumeAddress signed address of the wait
 */
export function relayedAddress(
	relayUrl: string,
	resumeAddress: string,
	sign: (url: string) => string,
): string {
	return sign(withQuery(relayUrl.split('#')[0], `${RESUME}=${encodeURIComponent(resumeAddress)}`));
}

/** The resume address that a trigger's address carries; undefined if it carries none. */
export function resumeAddressIn(url: string): string | undefined {
	return queryOf(url).get(RESUME) ?? undefined;
}

/**
 * Whether results for an address may be relayed: both addresses have to carry the account's
 * signature. The outer one vouches for the host of the inner one.
 */
export function isSignedRelay(url: string, authToken: string, now: number): boolean {
	const inner = resumeAddressIn(url);
	return (
		inner !== undefined && isSignedUrl(url, authToken, now) && isSignedUrl(inner, authToken, now)
	);
}

/** The correlation id of a wait: what its addresses have in common, whatever their expiry. */
export function correlationIdOf(resumeAddress: string): string {
	return unsignedUrl(resumeAddress);
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	const inner = resumeAddressIn(url);
	const isResume = url.includes(`/${RESUME_PATH}?`);
	if (inner === undefined) return unsignedUrl(url, ...(isResume ? [N8N_SIGNATURE] : []));
	return withQuery(unsignedUrl(url, RESUME), `${RESUME}=${encodeURIComponent(redactUrl(inner))}`);
}

/** Hosts that can be reached from this machine or network only. */
const PRIVATE_HOSTS =
	/^(?:localhost|.*\.(?:localhost|local|internal|lan|home|test|invalid)|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}|0\.0\.0\.0|\[::1?\]|\[f[cd][0-9a-f:]*\]|\[fe80:[0-9a-f:]*\]|[^.:[\]]+)$/i;

/**
 * Why the service cannot reach an address.
 *
 * @param url absolute, `http` or `https`
 * @param inProduction whether the workflow runs in production, where n8n does not listen at test
 * addresses
 * @returns what to tell the user; undefined if nothing is known to be in the way
 */
export function unreachableReason(url: string, inProduction: boolean): string | undefined {
	const { hostname, pathname } = new URL(url);
	if (PRIVATE_HOSTS.test(hostname)) {
		return `The service reports the call result to ${hostname}, which cannot be reached from the internet. Set n8n's environment variable WEBHOOK_URL to the public address of your n8n.`;
	}
	if (inProduction && /\/webhook-test\//.test(pathname)) {
		return 'The service reports the call result to a test address, which n8n listens at only while you test. Use the Production URL of the trigger.';
	}
	return undefined;
}
