import type { IDataObject } from 'n8n-workflow';

import type { WireObject } from '../client/codec';
import { toDateMember } from '../util/serviceTime';
import { getTexts } from './members';

/*
 * What the service pushes about SMS, to an address that is set in its console. The specification does
 * not have it: the names come from recorded samples, untried against the live service.
 */

/** The action of every push about SMS. */
const SMS_ACTION = 'SMSArrived';

/** The `smsType` of a delivery report; any other is a reply. */
const REPORT_TYPE = '1';

/** The `status` of an SMS that has reached the phone. */
const DELIVERED_STATUS = '0';

/** Members of a push, read as trimmed text; empty if they were not delivered. */
const SMS_TEXTS = [
	'smsType',
	'content',
	'fromNum',
	'appendCode',
	'status',
	'deliverCode',
	'smsCount',
	'reqId',
	'dateSent',
	'recvTime',
] as const;

type SmsTexts = Record<(typeof SMS_TEXTS)[number], string>;

/** A push about an SMS: whether it reached the phone, or what the person replied. */
export interface SmsEvent {
	event: 'smsReport' | 'smsReply';
	/** Of its item. */
	fields: IDataObject;
	/** All that was delivered. */
	members: WireObject;
}

/** Whether an action is that of a push about SMS. Case does not matter. */
export function isSmsAction(action: string): boolean {
	return action.toLowerCase() === SMS_ACTION.toLowerCase();
}

/** Reads a push about SMS from the members of a notification. */
export function toSmsEvent(members: WireObject): SmsEvent {
	const texts = getTexts(members, SMS_TEXTS);
	return texts.smsType === REPORT_TYPE
		? { event: 'smsReport', fields: toReportFields(texts), members }
		: { event: 'smsReply', fields: toReplyFields(texts), members };
}

/** The country code of mainland China in front of a mobile number. */
const COUNTRY_CODE = /^(?:\+|00)?86(?=1[3-9]\d{9}$)/;

/** A number as Send gives it in `to`, whatever country code it came with. */
const toDomestic = (number: string): string => number.replace(COUNTRY_CODE, '');

function toReportFields(texts: SmsTexts): IDataObject {
	return {
		// A report has the ID of its SMS where a reply has its text.
		smsMessageSid: texts.content,
		number: toDomestic(texts.fromNum),
		// Without a status nobody knows: another word for it may stand in `deliverCode`.
		...(texts.status !== '' && { delivered: texts.status === DELIVERED_STATUS }),
		deliverCode: texts.deliverCode,
		smsCount: texts.smsCount,
		reqId: texts.reqId,
		...toDateMember('sentAt', texts.dateSent),
		...toDateMember('reportedAt', texts.recvTime),
	};
}

function toReplyFields(texts: SmsTexts): IDataObject {
	return {
		text: texts.content,
		number: toDomestic(texts.fromNum),
		appendCode: texts.appendCode,
		...toDateMember('sentAt', texts.dateSent),
	};
}
