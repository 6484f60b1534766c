/** Answer with a code of the service, in the service's own form. */
export interface StatusCodeFault {
	readonly kind: 'statusCode';
	readonly statusCode: string;
	/** The Chinese text (default: the usual one of the code). */
	readonly statusMsg?: string;
}

/** Send any HTTP answer, or the real one altered. */
export interface HttpFault {
	readonly kind: 'http';
	/** HTTP status (default 200). */
	readonly status?: number;
	/** The body (default: the real answer if the request is accepted, otherwise empty). */
	readonly body?: string;
	/** Content-Type (default: that of the real answer). */
	readonly contentType?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Compress the body. */
	readonly compressed?: boolean;
	/** Announce the whole body, send only this many bytes, then close the connection. */
	readonly cutAfter?: number;
	/** Send one byte every so many milliseconds. */
	readonly dripMs?: number;
	/** Send chunks, without a length. */
	readonly chunked?: boolean;
}

/** What happens instead of the ordinary answer; after `silence` the connection stays open. */
type FaultEffect = StatusCodeFault | HttpFault | { readonly kind: 'reset' | 'silence' };

/** A fault to inject. */
export type FaultRule = FaultEffect & {
	/** Only requests to this number are hit: a called one, or a recipient, exactly as sent. */
	readonly number?: string;
	/** How many requests are hit (default 1; `Infinity` for all). */
	readonly times?: number;
	/** Whether the service does what was asked before the fault strikes (default false). */
	readonly accept?: boolean;
};

/** An injected fault. */
export interface Fault {
	remove(): void;
}

/** The faults of a simulator, in order of injection. Of several that match, the first one hits. */
export class Faults {
	private entries: Array<{ readonly rule: FaultRule; left: number }> = [];

	add(rule: FaultRule): Fault {
		const entry = { rule, left: rule.times ?? 1 };
		this.entries.push(entry);
		return {
			remove: () => {
				entry.left = 0;
			},
		};
	}

	/** The fault that hits a request to these numbers, if any; counts the hit. */
	take(numbers: readonly string[]): FaultRule | undefined {
		const hit = this.entries.find(
			({ rule: { number }, left }) =>
				left > 0 && (number === undefined || numbers.includes(number)),
		);
		if (hit) hit.left -= 1;
		return hit?.rule;
	}

	clear(): void {
		this.entries = [];
	}
}
