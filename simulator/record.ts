import type { IncomingHttpHeaders } from 'node:http';
import type { Format } from './envelope';
import type { OperationName } from './operations';
import type { Rule, Violation } from './violation';

/** How a request ended for the client. */
export type RequestEnd = 'pending' | 'answered' | 'reset' | 'silence' | 'clientGone';

/** A request as it was received and answered. */
export interface RecordedRequest {
	/** Counts requests from 1. */
	readonly sequence: number;
	/** When it was complete, ISO 8601. */
	readonly at: string;
	readonly method: string;
	/** The path as sent, without the query. */
	readonly path: string;
	/** The query as sent, without the question mark. */
	readonly query: string;
	readonly headers: IncomingHttpHeaders;
	/** The body as text. */
	readonly body: string;
	readonly operation?: OperationName;
	/** Format of the request body, if its Content-Type names one. */
	readonly requestFormat?: Format;
	readonly answerFormat: Format;
	/** The fields of the body, and `datas` if it was sent. */
	readonly fields: Readonly<Record<string, string | readonly string[]>>;
	readonly violations: readonly Violation[];
	/** Requests in progress when this one was complete, itself included. */
	readonly inProgress: number;
	/** Whether a call, SMS or sub-account was accepted, whatever the client was told. */
	readonly accepted: boolean;
	/** The injected fault, in words. */
	readonly fault?: string;
	readonly end: RequestEnd;
	/** The answer; absent if none was sent. */
	readonly answer?: {
		readonly httpStatus: number;
		readonly statusCode?: string;
		readonly statusMsg?: string;
	};
}

interface AcceptanceBase {
	/** Sequence number of the request. */
	readonly request: number;
	readonly at: string;
	readonly accountSid: string;
	readonly appId: string;
}

/** An accepted call. */
export interface AcceptedCall extends AcceptanceBase {
	readonly kind: 'call';
	readonly operation: 'VoiceVerify' | 'LandingCalls';
	readonly callSid: string;
	readonly to: string;
	readonly respUrl?: string;
	readonly userData?: string;
}

/** An accepted SMS. */
export interface AcceptedMessage extends AcceptanceBase {
	readonly kind: 'message';
	readonly smsMessageSid: string;
	readonly to: readonly string[];
	readonly templateId: string;
	readonly datas: readonly string[];
	readonly reqId?: string;
	readonly subAppend?: string;
}

/** A created sub-account. */
export interface AcceptedSubAccount extends AcceptanceBase {
	readonly kind: 'subAccount';
	readonly subAccountSid: string;
	readonly friendlyName: string;
}

/** What the service accepted, once each, whatever the client was told. */
export type Acceptance = AcceptedCall | AcceptedMessage | AcceptedSubAccount;

/** A call result as sent to a `respUrl`, or a push about an SMS, and the receiver's answer. */
export interface SentNotification {
	/** Counts notifications from 1. */
	readonly sequence: number;
	readonly at: string;
	/** What it tells of, in words. */
	readonly about: string;
	/** Of a call result only. */
	readonly callSid?: string;
	readonly url: string;
	readonly contentType: string;
	readonly body: string;
	/** The receiver's answer; absent until it arrives. */
	readonly answer?: {
		readonly httpStatus: number;
		readonly contentType: string;
		readonly body: string;
	};
	/** Why there is no answer. */
	readonly error?: string;
	readonly violations: readonly Violation[];
}

/** A violation and where it happened. */
export interface LocatedViolation {
	readonly rule: Rule;
	/** Where and what, in words. */
	readonly words: string;
	/** Whether the request was refused for it; otherwise it is recorded only. */
	readonly isRefused: boolean;
	/** Sequence number of the request; absent for connections and call results. */
	readonly request?: number;
}

/** Everything that the simulator received and sent. */
export interface SimulatorRecord {
	readonly requests: readonly RecordedRequest[];
	readonly accepted: readonly Acceptance[];
	readonly notifications: readonly SentNotification[];
	/** What was wrong below the level of requests: plain HTTP, broken HTTP, cut bodies. */
	readonly connectionViolations: readonly Violation[];
}

/** What changed in a record since an earlier look at it. */
export interface RecordChanges extends SimulatorRecord {
	/** Pass it to the next look. */
	readonly revision: number;
	/** Changes when the record is cleared, which voids what was seen before. */
	readonly generation: number;
	/** Counts of all entries, by kind. */
	readonly totals: { readonly requests: number; readonly violations: number };
}

/** The accepted call of an id. */
export const findCall = (accepted: readonly Acceptance[], callSid: string) =>
	accepted.find((one): one is AcceptedCall => one.kind === 'call' && one.callSid === callSid);

/** Names the places of violations. */
const locate =
	(where: string, request?: number) =>
	({ rule, words, isRefused }: Violation): LocatedViolation => ({
		rule,
		words: `${where}: ${words}`,
		isRefused,
		...(request !== undefined && { request }),
	});

/** The record, and how to write it. Only `update` changes an entry. */
export class Recorder {
	private readonly requests: RecordedRequest[] = [];
	private readonly acceptances: Acceptance[] = [];
	private readonly notifications: SentNotification[] = [];
	private readonly connectionViolations: Violation[] = [];
	private revisions = new WeakMap<object, number>();
	private revision = 0;
	private generation = 0;
	private counts = { requests: 0, notifications: 0, violations: 0 };

	/** Everything received and sent. */
	readonly record: SimulatorRecord = {
		requests: this.requests,
		accepted: this.acceptances,
		notifications: this.notifications,
		connectionViolations: this.connectionViolations,
	};

	/**
	 * An empty record.
	 * @param limit gives how many entries of each kind to keep; if there are more, the oldest tenth
	 *   goes
	 */
	constructor(private readonly limit: () => number) {}

	request(entry: Omit<RecordedRequest, 'sequence'>): RecordedRequest {
		this.counts.violations += entry.violations.length;
		this.counts.requests++;
		return this.add(this.requests, { ...entry, sequence: this.counts.requests });
	}

	accepted(entry: Acceptance): void {
		this.add(this.acceptances, entry);
	}

	notification(entry: Omit<SentNotification, 'sequence'>): SentNotification {
		this.counts.notifications++;
		return this.add(this.notifications, { ...entry, sequence: this.counts.notifications });
	}

	/** Changes an entry, which this recorder has made and may write to. */
	update<T extends RecordedRequest | SentNotification>(entry: T, change: Partial<T>): void {
		const { violations = entry.violations } = change;
		this.counts.violations += violations.length - entry.violations.length;
		Object.assign(entry, change);
		this.touch(entry);
	}

	connectionViolation(violation: Violation): void {
		this.counts.violations++;
		this.add(this.connectionViolations, violation);
	}

	/** What clients and receivers did wrong, in words: connections first, the rest in order. */
	violations(): LocatedViolation[] {
		return [
			...this.connectionViolations.map(locate('connection')),
			...this.requests.flatMap(({ sequence, method, path, violations }) =>
				violations.map(locate(`request ${sequence}, ${method} ${path}`, sequence)),
			),
			...this.notifications.flatMap(({ about, url, violations }) =>
				violations.map(locate(`${about} to ${url}`)),
			),
		];
	}

	/** Entries that came or changed after a revision; 0 gives all. */
	changesSince(since: number): RecordChanges {
		const { revision, generation } = this;
		const { requests, violations } = this.counts;
		const select = <T extends object>(list: readonly T[]): T[] =>
			list.filter((entry) => (this.revisions.get(entry) ?? 0) > since);
		return {
			revision,
			generation,
			totals: { requests, violations },
			requests: select(this.requests),
			accepted: select(this.acceptances),
			notifications: select(this.notifications),
			connectionViolations: select(this.connectionViolations),
		};
	}

	clear(): void {
		for (const list of Object.values(this.record)) (list as unknown[]).length = 0;
		this.revisions = new WeakMap();
		this.generation++;
		this.counts = { requests: 0, notifications: 0, violations: 0 };
	}

	private touch(entry: object): void {
		this.revision++;
		this.revisions.set(entry, this.revision);
	}

	private add<T extends object>(list: T[], entry: T): T {
		list.push(entry);
		this.touch(entry);
		if (list.length > this.limit()) list.splice(0, Math.max(1, Math.ceil(list.length / 10)));
		return entry;
	}
}
