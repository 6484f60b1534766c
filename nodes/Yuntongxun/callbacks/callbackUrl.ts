import type { SigningAccount } from '../client/credential';
import { addToken, findToken, getLastSegments, TOKEN_LIFETIME_MS } from './sealedToken';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Query parameters that let somebody in, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:yt|ytWait|signature)=[^&]*(?:&|$)/g;

/** Builds the address at which a result starts a trigger, from now on for a day. */
export function buildStartUrl(triggerUrl: string, account: SigningAccount): string {
	const expiresAt = Date.now() + TOKEN_LIFETIME_MS;
	return addToken(triggerUrl, 'start', Buffer.alloc(0), expiresAt, account);
}

/** Whether an address that a user entered ends as a trigger's does, and has no token yet. */
export function isPlainTriggerUrl(url: string): boolean {
	return getLastSegments(url).at(-1) === TRIGGER_PATH && findToken(url) === undefined;
}

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
