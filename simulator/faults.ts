import type { OperationName } from './operations';

/** Which requests a fault hits. Without any member: the next request. */
export interface FaultMatch {
	readonly operation?: OperationName;
	/** A called number, or one of the recipients of a message, exactly as sent. */
	readonly number?: string;
	/** The first matching request that is hit, counted from 1 (default 1). */
	readonly nth?: number;
	/** How many matching requests are hit from there on (default 1; `Infinity` for all). */
	readonly times?: number;
}

/** Answer with a code of the service, in the service's own form. */
export interface StatusCodeFault {
	readonly kind: 'statusCode';
	readonly statusCode: string;
	/** The Chinese text (default: the usual one of the code). */
	readonly statusMsg?: string;
}

/** What can happen to a real answer on its way. */
export type Alteration = 'compressed' | 'half' | 'statusAlone';

/** Send any HTTP answer, or the real one altered. */
export interface HttpFault {
	readonly kind: 'http';
	/** HTTP status (default 200). */
	readonly status?: number;
	/** The body (default: the real answer if the request is accepted, otherwise empty). */
	readonly body?: string | Buffer;
	/** Alters the real answer of an accepted request; instead of `body`. */
	readonly altered?: Alteration;
	/** Content-Type (default: that of the real answer); an empty text sends none. */
	readonly contentType?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Announce the whole body, send only this many bytes, then close the connection. */
	readonly cutAfter?: number;
	/** Send one byte every so many milliseconds. */
	readonly dripMs?: number;
	/** Pad the body with blanks to this size; JSON and XML stay valid. */
	readonly megabytes?: number;
	/** Send chunks, without a length. */
	readonly chunked?: boolean;
}

/** What happens instead of the ordinary answer; after `silence` the connection stays open. */
export type FaultEffect = StatusCodeFault | HttpFault | { readonly kind: 'reset' | 'silence' };

/** A fault to inject. */
export type FaultRule = FaultMatch &
	FaultEffect & {
		/** Whether the service does what was asked before the fault strikes (default false). */
		readonly accept?: boolean;
	};

/** An injected fault. */
export interface Fault {
	/** How many requests it has hit. */
	hits(): number;
	remove(): void;
}

/** A fault, and the requests that it could hit and has hit. */
interface Entry {
	readonly rule: FaultRule;
	seen: number;
	hits: number;
}

/** The faults of a simulator, in order of injection. Of several that match, the first one hits. */
export class Faults {
	private entries: Entry[] = [];

	add(rule: FaultRule): Fault {
		const entry: Entry = { rule, seen: 0, hits: 0 };
		this.entries.push(entry);
		return {
			hits: () => entry.hits,
			remove: () => {
				this.entries = this.entries.filter((one) => one !== entry);
			},
		};
	}

	/** The fault that hits this request, if any; counts the hit. */
	take(operation: OperationName | undefined, numbers: readonly string[]): FaultRule | undefined {
		for (const entry of this.entries) {
			const { rule } = entry;
			if (rule.operation !== undefined && rule.operation !== operation) continue;
			if (rule.number !== undefined && !numbers.includes(rule.number)) continue;
			const first = rule.nth ?? 1;
			entry.seen++;
			if (entry.seen >= first && entry.seen < first + (rule.times ?? 1)) {
				entry.hits++;
				return rule;
			}
		}
		return undefined;
	}

	clear(): void {
		this.entries = [];
	}
}
