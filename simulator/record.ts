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

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The record, and how to write it. Only `update…` changes an entry. */
export interface Recorder {
	readonly record: SimulatorRecord;
	request(entry: Omit<RecordedRequest, 'sequence'>): RecordedRequest;
	updateRequest(entry: RecordedRequest, change: Partial<RecordedRequest>): void;
	accepted(entry: Acceptance): void;
	notification(entry: Omit<SentNotification, 'sequence'>): SentNotification;
	updateNotification(entry: SentNotification, change: Partial<SentNotification>): void;
	connectionViolation(violation: Violation): void;
	violations(): LocatedViolation[];
	/** Entries that came or changed after a revision; 0 gives all. */
	changesSince(revision: number): RecordChanges;
	clear(): void;
}

/**
 * An empty record.
 * @param limit gives how many entries of each kind to keep; if there are more, the oldest tenth
 *   goes
 */
export function createRecorder(limit: () => number): Recorder {
	const requests: Array<Writable<RecordedRequest>> = [];
	const accepted: Acceptance[] = [];
	const notifications: Array<Writable<SentNotification>> = [];
	const connectionViolations: Violation[] = [];
	let revisions = new WeakMap<object, number>();
	let revision = 0;
	let generation = 0;
	let requestCount = 0;
	let notificationCount = 0;
	let violationCount = 0;

	const touch = (entry: object): void => {
		revisions.set(entry, ++revision);
	};
	const add = <T extends object>(list: T[], entry: T): T => {
		list.push(entry);
		touch(entry);
		if (list.length > limit()) list.splice(0, Math.max(1, Math.ceil(list.length / 10)));
		return entry;
	};
	/** This recorder made the entry, so it may write to it. */
	const change = <T extends object>(entry: T, members: Partial<T>): void => {
		Object.assign(entry, members);
		touch(entry);
	};
	const changed = <T extends object>(list: readonly T[], since: number): T[] =>
		list.filter((entry) => (revisions.get(entry) ?? 0) > since);

	return {
		record: { requests, accepted, notifications, connectionViolations },
		request: (entry) => {
			violationCount += entry.violations.length;
			return add(requests, { ...entry, sequence: ++requestCount });
		},
		updateRequest: (entry, members) => {
			if (members.violations) violationCount += members.violations.length - entry.violations.length;
			change(entry, members);
		},
		accepted: (entry) => {
			add(accepted, entry);
		},
		notification: (entry) => add(notifications, { ...entry, sequence: ++notificationCount }),
		updateNotification: (entry, members) => {
			if (members.violations) violationCount += members.violations.length - entry.violations.length;
			change(entry, members);
		},
		connectionViolation: (violation) => {
			violationCount++;
			add(connectionViolations, violation);
		},
		violations: () => {
			const located =
				(where: string, request?: number) =>
				({ rule, words, isRefused }: Violation): LocatedViolation => ({
					rule,
					words: `${where}: ${words}`,
					isRefused,
					...(request !== undefined && { request }),
				});
			return [
				...connectionViolations.map(located('connection')),
				...requests.flatMap(({ sequence, method, path, violations }) =>
					violations.map(located(`request ${sequence}, ${method} ${path}`, sequence)),
				),
				...notifications.flatMap(({ about, url, violations }) =>
					violations.map(located(`${about} to ${url}`)),
				),
			];
		},
		changesSince: (since) => ({
			revision,
			generation,
			totals: { requests: requestCount, violations: violationCount },
			requests: changed(requests, since),
			accepted: changed(accepted, since),
			notifications: changed(notifications, since),
			connectionViolations: changed(connectionViolations, since),
		}),
		clear: () => {
			for (const list of [requests, accepted, notifications, connectionViolations]) {
				list.length = 0;
			}
			revisions = new WeakMap();
			generation++;
			requestCount = notificationCount = violationCount = 0;
		},
	};
}
