import type { Endpoint } from '../client/request';

// Those that several files use. Any other endpoint is in the file of its operation.

/** Specification section 4.1. */
export const VOICE_VERIFY: Endpoint = {
	name: 'VoiceVerify',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	essential: 'callSid',
	hasSideEffects: true,
};

/** Specification section 4.3. */
export const TEMPLATE_SMS: Endpoint = {
	name: 'TemplateSMS',
	path: 'SMS/TemplateSMS',
	root: 'TemplateSMS',
	essential: 'smsMessageSid',
	hasSideEffects: true,
};
