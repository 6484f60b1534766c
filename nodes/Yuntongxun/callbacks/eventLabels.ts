/** What the form of the trigger calls the events; a refusal of a waiting call names them, too. */
export const EVENT_LABELS = {
	voiceNotification: 'Call Ended (Notification)',
	voiceVerification: 'Call Ended (Verification)',
	smsReport: 'SMS Delivery Report',
	smsReply: 'SMS Reply',
	other: 'Something Else',
} as const;
