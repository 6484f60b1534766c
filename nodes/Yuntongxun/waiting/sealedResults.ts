import { createCipheriv, createDecipheriv, randomBytes } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { deriveKey, parseCredential } from '../client/credential';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/identifyNode';

/*
 * Results wait in the static data of a workflow, which n8n puts into exports, backups and, on n8n 1,
 * stored executions. So they are encrypted there, with a key that only the account's token gives.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** How long a key is remembered, in milliseconds: n8n 2 is slow to read a credential in a webhook. */
const KEY_REMEMBERED_MS = 60_000;

/** What could not be read is not tried again before, so that forged deliveries cost little. */
const FAILURE_REMEMBERED_MS = 1000;

/** The results of a wait. */
export interface WaitResults {
	/** The signed resume address. */
	address: string;
	results: CallResult[];
}

const keys = new BoundedMap<string, { key: Promise<Buffer | undefined>; until: number }>(100);

/** The key for results of the account of a trigger; undefined if it has no usable credential. */
export async function getResultsKey(
	context: IWebhookFunctions | IHookFunctions,
): Promise<Buffer | undefined> {
	const credentialId = context.getNode().credentials?.yuntongxunApi?.id;
	const id = `${identifyNode(context)}/${credentialId}`;
	const known = keys.get(id);
	if (known && Date.now() < known.until) return await known.key;

	const reading = { key: readKey(context), until: Infinity };
	keys.set(id, reading);
	const key = await reading.key;
	reading.until = Date.now() + (key ? KEY_REMEMBERED_MS : FAILURE_REMEMBERED_MS);
	return key;
}

async function readKey(context: IWebhookFunctions | IHookFunctions): Promise<Buffer | undefined> {
	try {
		const credential = parseCredential(await context.getCredentials('yuntongxunApi'));
		return deriveKey(credential, 'stored results');
	} catch {
		return undefined;
	}
}

/** Encrypts the results of a wait. */
export function sealResults({ address, results }: WaitResults, key: Buffer): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, key, iv);
	const text = JSON.stringify([address, results.map(toRecord)]);
	const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Reads what {@link sealResults} wrote; undefined if it was another key, or changed. */
export function unsealResults(sealed: string, key: Buffer): WaitResults | undefined {
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
