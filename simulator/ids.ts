import { randomBytes, randomInt } from 'node:crypto';
import { compactTime } from './clock';

/** A number with zeros before it. */
const pad = (count: number, digits: number): string => String(count).padStart(digits, '0');

/**
 * Makes the identifiers of the service; no two are the same. Each maker has a random part, so that
 * ids stay unique for a client that remembers them when the simulator restarts.
 */
export class IdMaker {
	private readonly instance = pad(randomInt(1e8), 8);
	private count = 0;
	private orders = 0;

	/** A `callSid` or `smsMessageSid`: 32 digits (specification 2.1 to 2.3). */
	message(epochMs: number): string {
		this.count++;
		return `${compactTime(epochMs).slice(2)}${this.instance}${pad(this.count, 12)}`;
	}

	/** An `orderid`: a call-record identifier (specification 2.2). */
	order(epochMs: number): string {
		this.orders++;
		return `CM${compactTime(epochMs)}${pad(this.orders, 8)}`;
	}

	/** A `subAccountSid` or `subToken`: 32 letters and digits (specification 2.5). */
	secret(): string {
		return randomBytes(16).toString('hex');
	}

	/** A `voipAccount`: 14 digits (specification 2.5). */
	voipAccount(): string {
		this.count++;
		return `8${this.instance.slice(0, 5)}${pad(this.count, 8)}`;
	}

	/** A `voipPwd`: 8 digits and letters (specification 2.5). */
	voipPassword(): string {
		return randomBytes(4).toString('hex');
	}
}
