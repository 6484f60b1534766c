import { compactTime } from './clock';
import { escapeXml } from './xmlText';

/** A push ready to be sent. */
export interface WrittenPush {
	readonly contentType: string;
	readonly body: string | Buffer;
}

/** Changes to a push about an SMS that a test sends. */
export interface SmsPushOverrides {
	/** Where to send it. */
	readonly url: string;
	/** The form of the body; both were recorded (default `json`). */
	readonly format?: 'json' | 'xml';
	/** Values of fields; further fields are added, null leaves a field out. */
	readonly fields?: Readonly<Record<string, string | null>>;
	/** Whether an answer that does not acknowledge is a violation (default: as the setting says). */
	readonly expectAcknowledgement?: boolean;
}

/** The same of a delivery report, and which number of the SMS it is about (default: the first). */
export type ReportOverrides = SmsPushOverrides & { readonly number?: string };

/** An accepted SMS, as far as a push tells of it. */
export interface PushedMessage {
	readonly smsMessageSid: string;
	/** The number that the push is about. */
	readonly number: string;
	readonly reqId?: string;
	readonly sentAt: number;
}

/** What somebody has answered to an SMS. */
export interface PushedReply {
	readonly number: string;
	readonly text: string;
	/** The digits behind the sender's number that the SMS had. */
	readonly appendCode?: string;
}

type Entries = ReadonlyArray<readonly [name: string, value: string]>;

/** A push as XML. */
export function writeXml(root: string, entries: Entries): string {
	const elements = entries.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${elements.join('')}</${root}>`;
}

type PushFields = Record<string, string | null | undefined>;

function write(fields: PushFields, overrides: SmsPushOverrides): WrittenPush {
	const entries = Object.entries({ ...fields, ...overrides.fields }).filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string',
	);
	return overrides.format === 'xml'
		? { contentType: 'text/plain', body: writeXml('Request', entries) }
		: {
				contentType: 'application/json',
				body: JSON.stringify({ Request: Object.fromEntries(entries) }),
			};
}

const COMMON: PushFields = { action: 'SMSArrived', apiVersion: '2013-12-26', status: '0' };

/**
 * Writes a delivery report (service facts, "SMS pushes"): `smsType` 1, the SMS as `content`. The
 * recorded XML has an `appendCode`, and no code of the carrier, no count and no `reqId`.
 * @param now milliseconds since 1970 UTC, when the phone had it
 */
export function writeSmsReport(
	{ smsMessageSid, number, reqId, sentAt }: PushedMessage,
	now: number,
	overrides: ReportOverrides,
): WrittenPush {
	const more: PushFields =
		overrides.format === 'xml'
			? { appendCode: '' }
			: { deliverCode: 'DELIVRD', reqId, smsCount: '1' };
	const fields: PushFields = {
		...COMMON,
		smsType: '1',
		content: smsMessageSid,
		fromNum: number,
		dateSent: compactTime(sentAt),
		recvTime: compactTime(now),
		...more,
	};
	return write(fields, overrides);
}

/**
 * Writes a reply to an SMS (service facts, "SMS pushes"): any other `smsType`, the text as
 * `content`.
 * @param now milliseconds since 1970 UTC, when the person sent it
 */
export function writeSmsReply(
	{ number, text, appendCode = '' }: PushedReply,
	now: number,
	overrides: SmsPushOverrides,
): WrittenPush {
	const time = compactTime(now);
	const fields: PushFields = {
		...COMMON,
		smsType: '0',
		recvTime: time,
		fromNum: number,
		appendCode,
		content: text,
		dateSent: time,
	};
	return write(fields, overrides);
}
