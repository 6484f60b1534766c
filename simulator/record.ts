import type { IncomingHttpHeaders } from 'node:http';
import type { Format } from './envelope';
import type { OperationName } from './operations';
import type { Violation } from './violation';

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
	readonly operation?: OperationName;
	readonly answerFormat: Format;
	/** The fields of the body, and `datas` if it was sent. */
	readonly fields: Readonly<Record<string, string | readonly string[]>>;
	violations: readonly Violation[];
	/** Whether a call, SMS or sub-account was accepted, whatever the client was told. */
	accepted: boolean;
	/** How it ended for the client. */
	end: 'pending' | 'answered' | 'reset' | 'silence';
}

/** An accepted call. */
export interface AcceptedCall {
	readonly kind: 'call';
	/** Milliseconds since 1970 UTC. */
	readonly at: number;
	readonly operation: 'VoiceVerify' | 'LandingCalls';
	readonly callSid: string;
	readonly to: string;
	readonly respUrl?: string;
	readonly userData?: string;
}

/** An accepted SMS. */
export interface AcceptedMessage {
	readonly kind: 'message';
	readonly smsMessageSid: string;
	readonly to: readonly string[];
	readonly templateId: string;
	readonly datas: readonly string[];
}

/** A created sub-account. */
export interface AcceptedSubAccount {
	readonly kind: 'subAccount';
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
	/** The receiver's answer; absent until it arrives. */
	answer?: {
		readonly httpStatus: number;
		readonly body: string;
	};
	/** Why there is no answer. */
	error?: string;
	violations: readonly Violation[];
}

/** A violation and where it happened. */
export interface LocatedViolation {
	readonly rule: string;
	/** Where and what, in words. */
	readonly words: string;
}

/** The accepted call of an id. */
export const findCall = (accepted: readonly Acceptance[], callSid: string) =>
	accepted.find((one): one is AcceptedCall => one.kind === 'call' && one.callSid === callSid);

/** Names the places of violations. */
const locate =
	(where: string) =>
	({ rule, words }: Violation): LocatedViolation => ({ rule, words: `${where}: ${words}` });

/** The record, and how to write it. */
export class Recorder {
	/** Everything received and sent. */
	readonly record = {
		requests: [] as RecordedRequest[],
		accepted: [] as Acceptance[],
		notifications: [] as SentNotification[],
		/** What was wrong below the level of requests: plain HTTP, broken HTTP, cut bodies. */
		connectionViolations: [] as Violation[],
	};

	/** @param tell is given a line for each request and notification that has ended */
	constructor(private readonly tell: (line: string) => void = () => undefined) {}

	addRequest(entry: Omit<RecordedRequest, 'sequence' | 'accepted' | 'end'>): RecordedRequest {
		const sequence = this.record.requests.length + 1;
		const recorded: RecordedRequest = { ...entry, sequence, accepted: false, end: 'pending' };
		this.record.requests.push(recorded);
		return recorded;
	}

	addAccepted(entry: Acceptance): void {
		this.record.accepted.push(entry);
	}

	/** @param code of the answer, or its HTTP status */
	endRequest(entry: RecordedRequest, end: RecordedRequest['end'], code = ''): void {
		entry.end = end;
		this.tellOf(`${entry.method} ${entry.path} ${end} ${code}`, entry.violations);
	}

	addNotification(entry: Omit<SentNotification, 'violations'>): SentNotification {
		const recorded = { ...entry, violations: [] };
		this.record.notifications.push(recorded);
		return recorded;
	}

	endNotification(entry: SentNotification, change: Partial<SentNotification>): void {
		Object.assign(entry, change);
		const end = entry.error ?? `HTTP ${entry.answer?.httpStatus}`;
		this.tellOf(`${entry.about}: ${end}`, entry.violations);
	}

	addConnectionViolation(violation: Violation): void {
		this.record.connectionViolations.push(violation);
		this.tell(violation.words);
	}

	/** What clients and receivers did wrong, in words: connections first, the rest in order. */
	violations(): LocatedViolation[] {
		const { requests, notifications, connectionViolations } = this.record;
		return [
			...connectionViolations.map(locate('connection')),
			...requests.flatMap(({ sequence, method, path, violations }) =>
				violations.map(locate(`request ${sequence}, ${method} ${path}`)),
			),
			...notifications.flatMap(({ about, url, violations }) =>
				violations.map(locate(`${about} to ${url}`)),
			),
		];
	}

	clear(): void {
		for (const list of Object.values(this.record)) list.length = 0;
	}

	private tellOf(line: string, violations: readonly Violation[]): void {
		for (const each of [line, ...violations.map(({ words }) => `  ${words}`)]) this.tell(each);
	}
}
