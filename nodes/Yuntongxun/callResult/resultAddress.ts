import { isSignedUrl, queryOf, unsignedUrl, withQuery } from './signedUrl';

/**
 * Path of ours behind n8n's resume address. No other node listens there, so a late result never
 * resumes n8n's Wait node, or another node of the same execution.
 */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter of a resume address that names the wait; an execution can wait several times. */
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
export function waitIn(url: string): string {
	return queryOf(url).get(WAIT) ?? '';
}

/**
 * The signed address of a trigger that hands results on to a waiting execution.
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
 * Whether results of an address may be handed on: both addresses have to carry the account's
 * signature. The outer one vouches for the host of the inner one.
 */
export function mayHandOn(url: string, authToken: string, now: number): boolean {
	const inner = resumeAddressIn(url);
	return (
		inner !== undefined && isSignedUrl(url, authToken, now) && isSignedUrl(inner, authToken, now)
	);
}

/** What all addresses of one wait have in common, whatever their expiry. */
export function waitKeyOf(resumeAddress: string): string {
	return unsignedUrl(resumeAddress);
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function harmlessAddress(url: string): string {
	const inner = resumeAddressIn(url);
	const isResume = url.includes(`/${RESUME_PATH}?`);
	if (inner === undefined) return unsignedUrl(url, ...(isResume ? [N8N_SIGNATURE] : []));
	return withQuery(
		unsignedUrl(url, RESUME),
		`${RESUME}=${encodeURIComponent(harmlessAddress(inner))}`,
	);
}
