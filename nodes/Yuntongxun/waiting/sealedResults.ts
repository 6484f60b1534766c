import { createCipheriv, createDecipheriv, randomBytes } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { readWebhookCredential } from '../callbacks/webhookCredential';
import { deriveKey } from '../client/credential';

/*
 * Results wait in the static data of a workflow, which ends up in exports, backups and, on n8n 1, in
 * stored executions. So they are encrypted, with a key derived from the account's token.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The results of a wait, readable. */
export interface OpenedWait {
	/** The signed resume address. */
	address: string;
	results: CallResult[];
}

/** The key for stored results of a trigger's account; undefined without a usable credential. */
export async function getResultsKey(
	context: IWebhookFunctions | IHookFunctions,
): Promise<Buffer | undefined> {
	try {
		const credential = await readWebhookCredential(context, Date.now());
		return deriveKey(credential, 'stored results');
	} catch {
		return undefined;
	}
}

/** Encrypts the results of a wait. */
export function sealResults({ address, results }: OpenedWait, key: Buffer): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, key, iv);
	const text = JSON.stringify([address, results.map(toRecord)]);
	const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Reads what {@link sealResults} wrote; undefined if the key is another, or the text was changed. */
export function unsealResults(sealed: string, key: Buffer): OpenedWait | undefined {
	try {
		const bytes = Buffer.from(sealed, 'base64');
		const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
			authTagLength: TAG_BYTES,
		});
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const encrypted = bytes.subarray(IV_BYTES + TAG_BYTES);
		const text = Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
		const [address, records] = JSON.parse(text) as [string, ResultRecord[]];
		return { address, results: records.map(fromRecord) };
	} catch {
		return undefined;
	}
}
