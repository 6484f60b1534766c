import { randomBytes, randomInt } from 'node:crypto';
import { compactTime } from './clock';

/** Makes the identifiers of the service; no two are the same. */
export interface IdMaker {
	/** A `callSid` or `smsMessageSid`: 32 digits (specification 2.1 to 2.3). */
	message(epochMs: number): string;
	/** An `orderid`: a call-record identifier (specification 2.2). */
	order(epochMs: number): string;
	/** A `subAccountSid` or `subToken`: 32 letters and digits (specification 2.5). */
	secret(): string;
	/** A `voipAccount`: 14 digits (specification 2.5). */
	voipAccount(): string;
	/** A `voipPwd`: 8 digits and letters (specification 2.5). */
	voipPassword(): string;
}

/**
 * A new maker. Each has a random part, so that ids stay unique for a client that remembers them
 * when the simulator restarts.
 */
export function createIdMaker(): IdMaker {
	const instance = String(randomInt(1e8)).padStart(8, '0');
	let count = 0;
	let orders = 0;
	const next = (digits: number): string => String(++count).padStart(digits, '0');
	return {
		message: (epochMs) => `${compactTime(epochMs).slice(2)}${instance}${next(12)}`,
		order: (epochMs) => `CM${compactTime(epochMs)}${String(++orders).padStart(8, '0')}`,
		secret: () => randomBytes(16).toString('hex'),
		voipAccount: () => `8${instance.slice(0, 5)}${next(8)}`,
		voipPassword: () => randomBytes(4).toString('hex'),
	};
}
