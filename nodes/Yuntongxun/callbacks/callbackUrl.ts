import { queryOf, withQuery } from './signedUrl';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'call-result';

/** Path behind n8n's resume address. No other node listens there, so a late result resumes none. */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter that holds the id of a wait; an execution can wait several times. */
const WAIT = 'ytWait';

/** Query parameter of a trigger's address that carries a resume address. */
const RESUME = 'ytResume';

/** Query parameters that let a result through, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:ytResume|ytExpires|ytSignature|signature)=[^&]*(?:&|$)/g;

/** The address at which a wait takes results, not signed yet, from n8n's own resume address. */
export function waitAddress(resumeUrl: string, wait: string): string {
	const [path] = resumeUrl.split(/[?#]/);
	const address = `${path}/${RESUME_PATH}${resumeUrl.slice(path.length)}`;
	return withQuery(address, `${WAIT}=${wait}`);
}

/** The correlation id of the wait that an address belongs to; empty if it belongs to none. */
export function correlationIdOf(url: string): string {
	return queryOf(url).get(WAIT) ?? '';
}

/**
 * The address at which a trigger relays results to a signed resume address. It is to be signed as
 * well, which vouches for the host of the resume address.
 */
export function relayedAddress(triggerUrl: string, resumeAddress: string): string {
	return withQuery(triggerUrl, `${RESUME}=${encodeURIComponent(resumeAddress)}`);
}

/** The resume address that a trigger's address carries; undefined if it carries none. */
export function resumeAddressIn(url: string): string | undefined {
	return queryOf(url).get(RESUME) ?? undefined;
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
