import type { Endpoint } from '../client/client';

/** Specification section 4.1. */
export const VOICE_VERIFY: Endpoint = {
	name: 'VoiceVerify',
	path: 'Calls/VoiceVerify',
	root: 'VoiceVerify',
	essential: 'callSid',
	hasSideEffects: true,
};

/** Specification section 4.2. */
export const LANDING_CALLS: Endpoint = {
	name: 'LandingCalls',
	path: 'Calls/LandingCalls',
	root: 'LandingCall',
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
