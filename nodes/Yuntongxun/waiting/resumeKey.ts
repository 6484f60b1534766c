import { randomBytes } from 'crypto';

import { addToken, getQuery, withParameter } from '../callbacks/callbackUrl';
import type { SigningAccount } from '../client/credential';

/*
 * What it takes to resume an execution that waits
 *
 * The address that the service reports to holds it sealed. The one that n8n resumes the execution at
 * holds the id of the wait in clear: nobody can hand the execution a result there.
 */

/** Path behind n8n's resume address. No other node listens there, so a knock that is late wakes none. */
export const RESUME_PATH = 'yuntongxun-result';

/** Query parameter that holds the id of a wait; an execution can wait several times. */
const WAIT = 'ytWait';

const WAIT_ID_BYTES = 16;

/** What it takes to resume an execution that waits, but for the base of n8n's addresses. */
export interface ResumeKey {
	/** Number of the execution, and n8n's own query behind it with its token. */
	readonly execution: string;
	/** Random, so that it is this wait and no other. */
	readonly waitId: string;
}

/** n8n 2's own query: its token, 32 bytes in hexadecimal digits. */
const N8N_TOKEN = /^(\d+)\?signature=([0-9a-f]{64})$/;

/** Makes the id of a new wait. */
export function createWaitId(): string {
	return randomBytes(WAIT_ID_BYTES).toString('base64url');
}

/** Takes the key to a wait from n8n's own resume address. */
export function toResumeKey(resumeUrl: string, waitId: string): ResumeKey {
	return { execution: resumeUrl.slice(resumeUrl.lastIndexOf('/') + 1), waitId };
}

/** The number of the execution. */
export function getExecutionId({ execution }: ResumeKey): string {
	return execution.split('?')[0];
}

/**
 * Builds the address to knock at.
 *
 * @param base what n8n's own resume addresses begin with, without the execution
 */
export function buildResumeUrl(base: string, key: ResumeKey): string {
	const id = getExecutionId(key);
	const address = `${base}/${id}/${RESUME_PATH}${key.execution.slice(id.length)}`;
	return withParameter(address, WAIT, key.waitId);
}

/** The id of the wait that a request to a resume address names; empty if it names none. */
export function getWaitId(url: string): string {
	return getQuery(url).get(WAIT) ?? '';
}

/**
 * Builds the address of a trigger that takes the results of a wait.
 *
 * @param expiresAt milliseconds since 1970
 */
export function buildWaitUrl(
	triggerUrl: string,
	key: ResumeKey,
	expiresAt: number,
	account: SigningAccount,
): string {
	return addToken(triggerUrl, 'wait', packResumeKey(key), expiresAt, account);
}

/** Packs the key to a wait for a token, in few bytes: long addresses may be cut off on their way. */
function packResumeKey({ execution, waitId }: ResumeKey): Buffer {
	const [, id = execution, token = ''] = N8N_TOKEN.exec(execution) ?? [];
	const tokenBytes = Buffer.from(token, 'hex');
	return Buffer.concat([
		Buffer.from(waitId, 'base64url'),
		Buffer.from([tokenBytes.length]),
		tokenBytes,
		Buffer.from(id),
	]);
}

/** Reads the bytes that {@link buildWaitUrl} has packed. */
export function unpackResumeKey(payload: Buffer): ResumeKey {
	const waitId = payload.toString('base64url', 0, WAIT_ID_BYTES);
	const tokenStart = WAIT_ID_BYTES + 1;
	const tokenEnd = tokenStart + payload[WAIT_ID_BYTES];
	const token = payload.toString('hex', tokenStart, tokenEnd);
	const id = payload.toString('utf8', tokenEnd);
	return { execution: token === '' ? id : `${id}?signature=${token}`, waitId };
}
