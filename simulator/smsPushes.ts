import { compactTime } from './clock';
import { writePush, type PushForm, type WrittenPush } from './pushForms';

/** Changes to a push about an SMS that a test sends. */
export interface SmsPushOverrides {
	/** The form of the body; both were recorded (default `json`). */
	readonly format?: 'json' | 'xml';
	/** Values of fields; further fields are added, null leaves a field out. */
	readonly fields?: Readonly<Record<string, string | null>>;
	/** Where to send it, instead of the address that `configure` has set as `smsPushUrl`. */
	readonly url?: string;
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

const API_VERSION = '2013-12-26';

type PushFields = Record<string, string | null | undefined>;

function write(fields: PushFields, overrides: SmsPushOverrides, form: PushForm): WrittenPush {
	const entries = Object.entries({ ...fields, ...overrides.fields }).filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string',
	);
	return writePush({ root: 'Request', entries, format: overrides.format ?? 'json' }, form);
}

/**
 * Writes a delivery report (service facts, "SMS pushes"): `smsType` 1, the SMS as `content`. The
 * recorded XML has an `appendCode`, and no code of the carrier, no count and no `reqId`.
 * @param now milliseconds since 1970 UTC, when the phone had it
 */
export function writeSmsReport(
	{ smsMessageSid, number, reqId, sentAt }: PushedMessage,
	now: number,
	overrides: SmsPushOverrides = {},
	form: PushForm = 'proper',
): WrittenPush {
	const fields: PushFields = {
		action: 'SMSArrived',
		smsType: '1',
		apiVersion: API_VERSION,
		content: smsMessageSid,
		fromNum: number,
		dateSent: compactTime(sentAt),
		recvTime: compactTime(now),
		status: '0',
	};
	const isJson = overrides.format !== 'xml';
	const more: PushFields = isJson
		? { deliverCode: 'DELIVRD', reqId, smsCount: '1' }
		: { appendCode: '' };
	return write({ ...fields, ...more }, overrides, form);
}

/**
 * Writes a reply to an SMS (service facts, "SMS pushes"): any other `smsType`, the text as
 * `content`.
 * @param now milliseconds since 1970 UTC, when the person sent it
 */
export function writeSmsReply(
	{ number, text, appendCode = '' }: PushedReply,
	now: number,
	overrides: SmsPushOverrides = {},
	form: PushForm = 'proper',
): WrittenPush {
	const fields: PushFields = {
		action: 'SMSArrived',
		smsType: '0',
		recvTime: compactTime(now),
		apiVersion: API_VERSION,
		fromNum: number,
		appendCode,
		content: text,
		status: '0',
		dateSent: compactTime(now),
	};
	return write(fields, overrides, form);
}
