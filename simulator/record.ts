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
	/** Whether a call, SMS or sub-account was accepted, whatever the client was told. */
	readonly accepted: boolean;
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
}

/** Everything that the simulator received and sent. */
export interface SimulatorRecord {
	readonly requests: readonly RecordedRequest[];
	readonly accepted: readonly Acceptance[];
	readonly notifications: readonly SentNotification[];
	/** What was wrong below the level of requests: plain HTTP, broken HTTP, cut bodies. */
	readonly connectionViolations: readonly Violation[];
}

/** The accepted call of an id. */
export const findCall = (accepted: readonly Acceptance[], callSid: string) =>
	accepted.find((one): one is AcceptedCall => one.kind === 'call' && one.callSid === callSid);

/** Names the places of violations. */
const locate =
	(where: string) =>
	({ rule, words }: Violation): LocatedViolation => ({ rule, words: `${where}: ${words}` });

/** The record, and how to write it. Only `update` changes an entry. */
export class Recorder {
	private readonly requests: RecordedRequest[] = [];
	private readonly acceptances: Acceptance[] = [];
	private readonly notifications: SentNotification[] = [];
	private readonly connectionViolations: Violation[] = [];

	/** Everything received and sent. */
	readonly record: SimulatorRecord = {
		requests: this.requests,
		accepted: this.acceptances,
		notifications: this.notifications,
		connectionViolations: this.connectionViolations,
	};

	/** @param tell is given a line for each request and notification that has ended */
	constructor(private readonly tell: (line: string) => void = () => undefined) {}

	request(entry: Omit<RecordedRequest, 'sequence'>): RecordedRequest {
		const recorded = { ...entry, sequence: this.requests.length + 1 };
		this.requests.push(recorded);
		return recorded;
	}

	accepted(entry: Acceptance): void {
		this.acceptances.push(entry);
	}

	notification(entry: SentNotification): SentNotification {
		this.notifications.push(entry);
		return entry;
	}

	updateRequest(entry: RecordedRequest, change: Partial<RecordedRequest>): void {
		Object.assign(entry, change);
		if (change.end === undefined) return;
		const { method, path, end, answer, violations } = entry;
		this.tell([`${method} ${path}`, end, answer?.statusCode ?? answer?.httpStatus].join(' '));
		for (const { words } of violations) this.tell(`  ${words}`);
	}

	updateNotification(entry: SentNotification, change: Partial<SentNotification>): void {
		Object.assign(entry, change);
		this.tell(`${entry.about}: ${entry.error ?? `HTTP ${entry.answer?.httpStatus}`}`);
		for (const { words } of entry.violations) this.tell(`  ${words}`);
	}

	connectionViolation(violation: Violation): void {
		this.connectionViolations.push(violation);
		this.tell(violation.words);
	}

	/** What clients and receivers did wrong, in words: connections first, the rest in order. */
	violations(): LocatedViolation[] {
		return [
			...this.connectionViolations.map(locate('connection')),
			...this.requests.flatMap(({ sequence, method, path, violations }) =>
				violations.map(locate(`request ${sequence}, ${method} ${path}`)),
			),
			...this.notifications.flatMap(({ about, url, violations }) =>
				violations.map(locate(`${about} to ${url}`)),
			),
		];
	}

	clear(): void {
		for (const list of Object.values(this.record)) (list as unknown[]).length = 0;
	}
}
