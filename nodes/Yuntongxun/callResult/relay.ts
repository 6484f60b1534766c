import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { deliverToResume } from './resume';
import { expiryOf, isSignedUrl } from './signedUrl';

/** Query parameter of a trigger's address that carries the address to hand a result on to. */
const RESUME = 'ytResume';

/** Milliseconds between two attempts to hand a result on: at first, and at most. */
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

/** Results that one process hands on at the same time; more are sent back to the service. */
const MOST_AT_ONCE = 5000;

let underWay = 0;

/**
 * An address of a trigger that hands results on to a waiting execution, once it is signed.
 *
 * @param relayUrl production URL of a Yuntongxun Trigger
 * @param resumeUrl signed address that resumes the execution
 */
export function relayedUrl(relayUrl: string, resumeUrl: string): string {
	const separator = relayUrl.includes('?') ? '&' : '?';
	return `${relayUrl}${separator}${RESUME}=${encodeURIComponent(resumeUrl)}`;
}

/** Where a delivery to a trigger wants to be handed on to; undefined for one to the trigger itself. */
export function resumeUrlIn(url: string): string | undefined {
	return new URLSearchParams(url.split('?')[1] ?? '').get(RESUME) ?? undefined;
}

/**
 * Whether a delivery may be handed on: only where both addresses carry the account's signature.
 * The outer one vouches for the host of the inner one.
 */
export function mayHandOn(url: string, resumeUrl: string, authToken: string, now: number): boolean {
	return isSignedUrl(url, authToken, now) && isSignedUrl(resumeUrl, authToken, now);
}

/** Whether one more result can be handed on now. */
export function canHandOn(): boolean {
	return underWay < MOST_AT_ONCE;
}

/**
 * Hands a result on until n8n takes it, which it does once it has parked the execution, or until
 * the address expires. Never throws.
 *
 * @param resumeUrl signed address that resumes the execution
 */
export async function handOn(
	context: IWebhookFunctions,
	resumeUrl: string,
	body: string,
): Promise<void> {
	underWay++;
	try {
		let pause = FIRST_PAUSE;
		while (Date.now() < expiryOf(resumeUrl)) {
			if (await isSettled(context, resumeUrl, body)) return;
			await sleep(pause);
			pause = Math.min(pause * 2, LONGEST_PAUSE);
		}
		context.logger.warn('A call result was handed on until its address expired, in vain');
	} finally {
		underWay--;
	}
}

/** Whether n8n took the result, or never will. */
async function isSettled(context: IWebhookFunctions, url: string, body: string): Promise<boolean> {
	try {
		const { statusCode, hasFinished } = await deliverToResume(context, {
			url,
			body,
			headers: { 'Content-Type': 'text/plain; charset=utf-8' },
			timeout: 10_000,
		});
		return hasFinished || [200, 400, 401, 403].includes(statusCode);
	} catch {
		return false;
	}
}
