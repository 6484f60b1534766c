/**
 * What the form of the trigger calls the events. The refusal of a call whose result starts the trigger
 * names them, too.
 */
export const EVENT_LABELS = {
	voiceNotification: 'Call Ended (Notification)',
	voiceVerification: 'Call Ended (Verification)',
	smsReport: 'SMS Delivery Report',
	smsReply: 'SMS Reply',
	other: 'Something Else',
} as const;
