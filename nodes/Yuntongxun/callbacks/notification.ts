import type { IDataObject } from 'n8n-workflow';

import { isCallEvent, toCallFields } from './callEvent';
import type { CallEvent, CallEventName } from './callEvent';
import { leaveOutUnsafe } from './members';
import type { SmsEvent } from './smsEvent';

/** Anything the service reports: the result of a call, news of an SMS, a reply, or something else. */
export type Notification = CallEvent | SmsEvent;

/** What the form of the trigger calls the events. */
export const EVENT_LABELS = {
	voiceNotification: 'Call Ended',
	voiceVerification: 'Code Call Ended',
	smsReport: 'SMS Delivery Report',
	smsReply: 'SMS Reply',
	other: 'Something Else',
} as const;

/** Events that a new trigger starts for. */
export const DEFAULT_EVENTS = ['voiceVerification', 'voiceNotification'];

/**
 * The json of the item made from a notification. Specification section 6.
 *
 * @param receivedAt when it first reached n8n, in milliseconds since 1970
 */
export function toItemJson(notification: Notification, receivedAt: number): IDataObject {
	return {
		event: notification.event,
		...(isAboutSms(notification) ? notification.fields : toCallFields(notification)),
		receivedAt: new Date(receivedAt).toISOString(),
		notification: leaveOutUnsafe(notification.members),
	};
}

/** Whether a notification is a report on an SMS or a reply to one. */
export function isAboutSms(notification: Notification): notification is SmsEvent {
	return notification.event === 'smsReport' || notification.event === 'smsReply';
}

/** Whether a notification is the result of a call: not about SMS, and nothing else either. */
export function isCallResult(
	notification: Notification,
): notification is CallEvent & { event: CallEventName } {
	return isCallEvent(notification.event);
}
