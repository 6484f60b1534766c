import type { Alteration } from './alterations';
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
	/** The Chinese text; the usual one of the code without it. */
	readonly statusMsg?: string;
}

/** Answer with any HTTP answer, or with the real one in odd clothes. */
export interface HttpFault {
	readonly kind: 'http';
	/** HTTP status (default 200). */
	readonly status?: number;
	/** The body; without it the real answer where the request is accepted first, else empty. */
	readonly body?: string | Buffer;
	/** What becomes of the real answer; in place of `body`, where the request is accepted first. */
	readonly altered?: Alteration;
	/** Content-Type; without it that of the real answer. An empty text sends none. */
	readonly contentType?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Announce the whole body, send only this many bytes, then close the connection. */
	readonly cutAfter?: number;
	/** Send one byte each so many milliseconds. */
	readonly dripMs?: number;
	/** Fill the body up with blanks to this size, which leaves JSON and XML valid. */
	readonly megabytes?: number;
	/** Send chunks without an announced length. */
	readonly chunked?: boolean;
}

/** Reset the connection instead of answering. */
export interface ResetFault {
	readonly kind: 'reset';
}

/** Never answer; the connection stays open. */
export interface SilenceFault {
	readonly kind: 'silence';
}

/** What happens instead of the ordinary answer. */
export type FaultEffect = StatusCodeFault | HttpFault | ResetFault | SilenceFault;

/** A fault to inject. */
export type FaultRule = FaultMatch &
	FaultEffect & {
		/** Whether the service does what was asked before the fault strikes (default false). */
		readonly accept?: boolean;
	};

/** A fault that was set. */
export interface Fault {
	readonly rule: FaultRule;
	/** How many requests it has hit. */
	hits(): number;
	remove(): void;
}

/** The faults of a simulator, in the order in which they were set. */
export interface Faults {
	add(rule: FaultRule): Fault;
	/** The fault that hits this request, if any; counts it. */
	take(operation: OperationName | undefined, numbers: readonly string[]): FaultRule | undefined;
	clear(): void;
}

/** An empty set of faults. The first one set that applies is the one that hits. */
export function createFaults(): Faults {
	let entries: Array<{ rule: FaultRule; seen: number; hits: number }> = [];
	return {
		add: (rule) => {
			const entry = { rule, seen: 0, hits: 0 };
			entries.push(entry);
			return {
				rule,
				hits: () => entry.hits,
				remove: () => {
					entries = entries.filter((one) => one !== entry);
				},
			};
		},
		take: (operation, numbers) => {
			for (const entry of entries) {
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
		},
		clear: () => {
			entries = [];
		},
	};
}

const EFFECT_WORDS: Readonly<Record<FaultEffect['kind'], (rule: FaultRule) => string>> = {
	statusCode: (rule) => `answered ${rule.kind === 'statusCode' ? rule.statusCode : ''}`,
	http: (rule) => (rule.kind === 'http' ? `answered HTTP ${rule.status ?? 200}` : ''),
	reset: () => 'connection reset',
	silence: () => 'never answered',
};

/** A fault in words, for the record. */
export const describeFault = (rule: FaultRule): string =>
	`${EFFECT_WORDS[rule.kind](rule)}, ${rule.accept ? 'after accepting' : 'without accepting'}`;
