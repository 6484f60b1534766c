import { createCipheriv, createDecipheriv, randomBytes } from 'crypto';

/*
 * Seals what this package hands out and gets back, with AES-256-GCM: nobody without the key can read, change
 * or make it.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const EXPIRY_BYTES = 4;
const MIN_BYTES = IV_BYTES + EXPIRY_BYTES + TAG_BYTES;

/** A shorter tag would be easier to guess. */
const WHOLE_TAGS = { authTagLength: TAG_BYTES };

/** What was sealed. */
export interface Sealed {
	readonly payload: Buffer;
	/** Milliseconds since 1970, a whole second. */
	readonly expiresAt: number;
}

/**
 * Seals a payload with its expiry.
 *
 * @param key 32 bytes, from `deriveKey`
 * @param context what goes with it in clear, and has to be the same to open it
 * @returns letters, digits, `-` and `_`
 */
export function seal(key: Buffer, { payload, expiresAt }: Sealed, context: string): string {
	const iv = randomBytes(IV_BYTES);
	const expiry = Buffer.alloc(EXPIRY_BYTES);
	expiry.writeUInt32BE(Math.floor(expiresAt / 1000));
	const cipher = createCipheriv(CIPHER, key, iv);
	cipher.setAAD(Buffer.from(context));
	const text = [cipher.update(expiry), cipher.update(payload), cipher.final()];
	return Buffer.concat([iv, ...text, cipher.getAuthTag()]).toString('base64url');
}

/** Opens what was sealed; undefined if it was not with this key and context. Whether it has expired is not checked. */
export function openSeal(key: Buffer, sealed: string, context: string): Sealed | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	// Several texts stand for the same bytes.
	const isAsMade = bytes.toString('base64url') === sealed;
	if (!isAsMade || bytes.length < MIN_BYTES) return undefined;

	const iv = bytes.subarray(0, IV_BYTES);
	const decipher = createDecipheriv(CIPHER, key, iv, WHOLE_TAGS);
	decipher.setAAD(Buffer.from(context));
	decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
	const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
	try {
		decipher.final();
	} catch {
		return undefined;
	}
	return {
		payload: opened.subarray(EXPIRY_BYTES),
		expiresAt: opened.readUInt32BE(0) * 1000,
	};
}
