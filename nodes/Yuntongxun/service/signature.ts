import { createHash } from 'crypto';

/** The two values that prove that a request comes from the main account. */
interface Signature {
	/** Value of the query parameter `sig`: 32 upper-case hexadecimal digits. */
	sig: string;
	/** Value of the header `Authorization`. */
	authorization: string;
}

const SERVICE_OFFSET_MS = 8 * 60 * 60 * 1000;

/**
 * Writes a moment as the service does: `yyyyMMddHHmmss` in its own time (UTC+8), whatever the
 * machine's time zone is. Specification section 5, rule 2.
 */
export function timestampAt(moment: Date): string {
	return new Date(moment.getTime() + SERVICE_OFFSET_MS)
		.toISOString()
		.replace(/\D/g, '')
		.slice(0, 14);
}

/**
 * Signs one request. Both values carry the same timestamp, as the service requires.
 * Specification section 5, rules 1 and 3.
 *
 * @param timestamp from {@link timestampAt}, taken once for the request
 */
export function sign(accountSid: string, authToken: string, timestamp: string): Signature {
	return {
		sig: createHash('md5')
			.update(accountSid + authToken + timestamp)
			.digest('hex')
			.toUpperCase(),
		authorization: Buffer.from(`${accountSid}:${timestamp}`).toString('base64'),
	};
}
