import { parseSignedUrl, withQuery } from './signedUrl';
import type { SignedUrl } from './signedUrl';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Path behind n8n's resume address. No other node listens there, so a late result resumes none. */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter that holds the id of a wait; an execution can wait several times. */
const WAIT = 'ytWait';

/** Query parameter of a trigger's address that carries a resume address. */
const RESUME = 'ytResume';

/** Query parameters that let a result through, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:ytResume|ytExpires|ytSignature|signature)=[^&]*(?:&|$)/g;

/** The address at which a wait takes results, read once. */
export interface ResumeAddress extends SignedUrl {
	/** The wait id; empty if the address is a trigger's, or a stranger made it up. */
	readonly waitId: string;
}

/** The address of a request, a trigger's or a wait's, read once. */
export interface CallbackAddress extends ResumeAddress {
	/** The resume address that a trigger's address carries. */
	readonly resume?: ResumeAddress;
}

/** Reads the address of a request, whole or from the path on. */
export function parseCallbackAddress(url: string): CallbackAddress {
	const address = parseResumeAddress(url);
	const carried = address.query.get(RESUME);
	return carried === null ? address : { ...address, resume: parseResumeAddress(carried) };
}

/** Reads a signed resume address. */
export function parseResumeAddress(url: string): ResumeAddress {
	const signed = parseSignedUrl(url);
	return { ...signed, waitId: signed.query.get(WAIT) ?? '' };
}

/** The execution that a resume address resumes; empty if it is none. */
export function getExecutionId({ url }: ResumeAddress): string {
	const [path] = url.split('?');
	return path.split('/').at(-2) ?? '';
}

/** Builds the address that takes results of a wait, not signed yet, from n8n's own resume address. */
export function buildWaitAddress(resumeUrl: string, wait: string): string {
	const [path] = resumeUrl.split(/[?#]/);
	const address = `${path}/${RESUME_PATH}${resumeUrl.slice(path.length)}`;
	return withQuery(address, `${WAIT}=${wait}`);
}

/**
 * Builds the address at which a trigger relays results to a signed resume address. Sign it as
 * well: that vouches for the host of the resume address.
 */
export function buildRelayAddress(triggerUrl: string, resumeAddress: string): string {
	return withQuery(triggerUrl, `${RESUME}=${encodeURIComponent(resumeAddress)}`);
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
