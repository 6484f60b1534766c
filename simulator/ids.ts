import { randomBytes, randomInt } from 'node:crypto';
import { compactTime } from './clock';

/*
 * The identifiers of the service. Most of each is random, so that they stay unique for a client that
 * remembers them when the simulator restarts.
 */

const randomDigits = (count: number): string =>
	Array.from({ length: count }, () => randomInt(10)).join('');

/** A `callSid` or `smsMessageSid`: 32 digits (specification 2.1 to 2.3). */
export const makeMessageId = (epochMs: number): string =>
	`${compactTime(epochMs).slice(2)}${randomDigits(20)}`;

/** An `orderid`: a call-record identifier (specification 2.2). */
export const makeOrderId = (epochMs: number): string =>
	`CM${compactTime(epochMs)}${randomDigits(8)}`;

/** A `subAccountSid` or `subToken`: 32 letters and digits (specification 2.5). */
export const makeSecret = (): string => randomBytes(16).toString('hex');

/** A `voipAccount`: 14 digits (specification 2.5). */
export const makeVoipAccount = (): string => randomDigits(14);

/** A `voipPwd`: 8 digits and letters (specification 2.5). */
export const makeVoipPassword = (): string => randomBytes(4).toString('hex');
