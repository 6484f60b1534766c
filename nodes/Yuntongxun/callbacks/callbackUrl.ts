import type { SigningAccount } from '../client/credential';
import { addToken, findToken, TOKEN_LIFETIME_MS } from './sealedToken';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'yuntongxun';

/** Query parameters that let somebody in, those of n8n 2's resume addresses included. */
const SECRETS = /(?<=[?&])(?:yt|ytWait|signature)=[^&]*(?:&|$)/g;

/** The address of a trigger, as n8n builds it. */
const TRIGGER_ADDRESS = new RegExp(
	`/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/${TRIGGER_PATH}/?$`,
	'i',
);

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

/** An address as it may be shown: nobody can resume or start an execution with it. */
export function redactUrl(url: string): string {
	return url.replace(SECRETS, '').replace(/[?&]$/, '');
}
