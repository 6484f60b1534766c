import { createHash } from 'crypto';

import { equalsSecret } from '../client/credential';
import type { SigningAccount } from '../client/credential';
import { addToken, findToken, getQuery, TOKEN_LIFETIME_MS, withQuery } from './sealedToken';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Path behind n8n's resume address. No other node listens there, so a late result resumes none. */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter that holds the secret of a wait; an execution can wait several times. */
const SECRET = 'ytWait';

/** Size of a wait's secret, in bytes. */
export const SECRET_BYTES = 16;

/** What it takes to resume an execution that waits, but for the base of n8n's addresses. */
export interface ResumeKey {
	/** Number of the execution, and n8n's own query behind it with its token. */
	readonly execution: string;
	/** {@link SECRET_BYTES} bytes. */
	readonly secret: Buffer;
}

/** Query parameters that let somebody in, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:yt|ytWait|signature)=[^&]*(?:&|$)/g;

/** The address of a trigger, as n8n builds it. */
const TRIGGER_ADDRESS = new RegExp(
	`/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/${TRIGGER_PATH}/?$`,
	'i',
);

/** n8n 2's own query: its token, 32 bytes in hexadecimal digits. */
const N8N_TOKEN = /^(\d+)\?signature=([0-9a-f]{64})$/;

/** Takes the key to a wait from n8n's own resume address. */
export function toResumeKey(resumeUrl: string, secret: Buffer): ResumeKey {
	return { execution: resumeUrl.slice(resumeUrl.lastIndexOf('/') + 1), secret };
}

/**
 * Builds the address that takes results of a wait.
 *
 * @param base what n8n's own resume addresses begin with, without the execution
 */
export function buildResumeUrl(base: string, { execution, secret }: ResumeKey): string {
	const [id] = execution.split('?');
	const address = `${base}/${id}/${RESUME_PATH}${execution.slice(id.length)}`;
	return withQuery(address, `${SECRET}=${secret.toString('base64url')}`);
}

/** The execution that a resume address resumes; empty if it is none. */
export function getExecutionId(url: string): string {
	const [path] = url.split('?');
	return path.split('/').at(-2) ?? '';
}

/** What is stored of a wait's secret, which cannot be worked out from it. */
export function hashSecret(secret: Buffer): string {
	return createHash('sha256').update(secret).digest('base64url');
}

/** Whether the address of a request holds the secret of a wait, compared in constant time. */
export function holdsSecret(url: string, hash: string): boolean {
	const sent = getQuery(url).get(SECRET) ?? '';
	return equalsSecret(hashSecret(Buffer.from(sent, 'base64url')), hash);
}

/** Builds the address at which a trigger passes results on to a wait. */
export function buildRelayUrl(
	triggerUrl: string,
	key: ResumeKey,
	expiresAt: number,
	account: SigningAccount,
): string {
	return addToken(triggerUrl, 'wait', packResumeKey(key), expiresAt, account);
}

/** Builds the address at which a result starts a trigger, from now on for a day. */
export function buildStartUrl(triggerUrl: string, account: SigningAccount): string {
	const expiresAt = Date.now() + TOKEN_LIFETIME_MS;
	return addToken(triggerUrl, 'start', Buffer.alloc(0), expiresAt, account);
}

/** Whether an address that a user entered is a trigger's, and has no token yet. */
export function isPlainTriggerUrl(url: string): boolean {
	const [path] = url.split(/[?#]/);
	return TRIGGER_ADDRESS.test(path) && findToken(url) === undefined;
}

/** The bytes that a token holds of the key to a wait. Addresses are cut elsewhere, so they are few. */
function packResumeKey({ execution, secret }: ResumeKey): Buffer {
	const [, id = execution, token = ''] = N8N_TOKEN.exec(execution) ?? [];
	const tokenBytes = Buffer.from(token, 'hex');
	return Buffer.concat([secret, Buffer.from([tokenBytes.length]), tokenBytes, Buffer.from(id)]);
}

/** Reads the bytes that {@link buildRelayUrl} has packed. */
export function unpackResumeKey(payload: Buffer): ResumeKey {
	const secret = payload.subarray(0, SECRET_BYTES);
	const tokenStart = SECRET_BYTES + 1;
	const tokenEnd = tokenStart + payload[SECRET_BYTES];
	const token = payload.toString('hex', tokenStart, tokenEnd);
	const id = payload.toString('utf8', tokenEnd);
	return { execution: token === '' ? id : `${id}?signature=${token}`, secret };
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
