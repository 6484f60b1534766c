import type { PushForm } from './pushForms';

/** What can be changed while the simulator runs. */
export interface Settings {
	/** Time between accepting a request and answering it, milliseconds. */
	readonly latencyMs: number;
	/** Time between accepting a call and its result, milliseconds. */
	readonly callResultDelayMs: number;
	/** Where pushes about SMS go, as the service's console sets it for an account; empty: nowhere. */
	readonly smsPushUrl: string;
	/** How results of calls and pushes about SMS are written: properly, or carelessly in some way. */
	readonly pushForm: PushForm;
	/** How long a receiver of a call result has to answer, milliseconds (not stated by the service). */
	readonly callResultPatienceMs: number;
	/** Whether an answer that does not acknowledge a call result is a violation. */
	readonly checkAcknowledgements: boolean;
	/** Whether ids in answers start with a blank, as seen in the vendor's examples. */
	readonly leadingBlanks: boolean;
	/** Order of the members in JSON answers; `varying` reverses every other answer. */
	readonly memberOrder: 'specification' | 'reversed' | 'varying';
	/** In which LandingCalls answers `orderid` appears; `sometimes`: if `callSid` is odd. */
	readonly orderId: 'always' | 'never' | 'sometimes';
	/** What the member with the list is in an empty JSON list. */
	readonly emptyList: 'emptyArray' | 'emptyString' | 'absent';
	/** What the member with the list is in a JSON list of one (specification 4.7: an array). */
	readonly singleInList: 'array' | 'object';
	/** What the list of templates is called in JSON: the vendor's SDKs do not agree. */
	readonly templateList: 'TemplateSMS' | 'smsTemplateList';
	/** Whether the state of a CallResult is text or a number in JSON; also its seconds. */
	readonly callResultValues: 'text' | 'number';
	/** How far a timestamp may be from now, milliseconds (specification 5, rule 2: 24 hours). */
	readonly maxClockSkewMs: number;
	/** Keep about this many entries of each kind at most; the oldest go first. */
	readonly recordLimit: number;
}

export const DEFAULT_SETTINGS: Settings = {
	latencyMs: 0,
	callResultDelayMs: 200,
	smsPushUrl: '',
	pushForm: 'proper',
	callResultPatienceMs: 10_000,
	checkAcknowledgements: true,
	leadingBlanks: false,
	memberOrder: 'varying',
	orderId: 'sometimes',
	emptyList: 'emptyArray',
	singleInList: 'array',
	templateList: 'TemplateSMS',
	callResultValues: 'text',
	maxClockSkewMs: 24 * 60 * 60 * 1000,
	recordLimit: Infinity,
};
