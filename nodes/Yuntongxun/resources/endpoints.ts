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

/**
 * Templates of an application. Not in the specification, but in the vendor's SDKs, which disagree
 * about the name of the list. Untried against the live service.
 */
export const QUERY_SMS_TEMPLATE: Endpoint = {
	name: 'QuerySMSTemplate',
	path: 'SMS/QuerySMSTemplate',
	root: 'Request',
	members: ['TemplateSMS', 'smsTemplateList'],
	essentialOfEach: 'id',
	// One answer has all templates.
	maxAnswerBytes: 2 * 1024 * 1024,
	hasSideEffects: false,
};
