import { createAccount, type Account } from './accounts';
import { planResults, type PlannedResult } from './callResults';
import { IdMaker } from './ids';
import { SubAccountStore } from './subAccountStore';

/** What can be changed while the simulator runs. */
export interface Settings {
	/** Time between accepting a request and answering it, milliseconds. */
	readonly latencyMs: number;
	/** Time between accepting a call and its result, milliseconds. */
	readonly callResultDelayMs: number;
	/** Whether an answer that does not acknowledge a call result is a violation. */
	readonly checkAcknowledgements: boolean;
	/** Whether ids in answers start with a blank, as seen in the vendor's examples. */
	readonly leadingBlanks: boolean;
	/** Order of the members in JSON answers; `varying` reverses every other answer. */
	readonly memberOrder: 'reversed' | 'varying';
	/** In which LandingCalls answers `orderid` appears; `sometimes`: if `callSid` is odd. */
	readonly orderId: 'always' | 'never' | 'sometimes';
	/** What the list of templates is called in JSON: the vendor's SDKs do not agree. */
	readonly templateList: 'TemplateSMS' | 'smsTemplateList';
	/** How far a timestamp may be from now, milliseconds (specification 5, rule 2: 24 hours). */
	readonly maxClockSkewMs: number;
}

const DEFAULT_SETTINGS: Settings = {
	latencyMs: 0,
	callResultDelayMs: 200,
	checkAcknowledgements: true,
	leadingBlanks: false,
	memberOrder: 'varying',
	orderId: 'sometimes',
	templateList: 'TemplateSMS',
	maxClockSkewMs: 24 * 60 * 60 * 1000,
};

/** How the service starts; every setting can be given here too. */
export interface ServiceOptions extends Partial<Settings> {
	/** The clock, milliseconds since 1970 UTC (default `Date.now`). */
	readonly now?: () => number;
}

/** What a reset brings back. */
interface Changing {
	settings: Settings;
	subAccounts: SubAccountStore;
}

/** The state of the service. */
export interface ServiceState extends Changing {
	readonly account: Account;
	readonly ids: IdMaker;
	/** The moment, milliseconds since 1970 UTC. */
	readonly now: () => number;
	/** Back to the state right after the start; ids stay unique. */
	readonly reset: () => void;
}

function getInitialSettings(options: ServiceOptions): Settings {
	const given = Object.entries(options).filter(
		([name, value]) => Object.hasOwn(DEFAULT_SETTINGS, name) && value !== undefined,
	);
	return { ...DEFAULT_SETTINGS, ...Object.fromEntries(given) };
}

/** The state right after the start. */
export function createState(options: ServiceOptions): ServiceState {
	const now = options.now ?? Date.now;
	const ids = new IdMaker();
	const begin = (): Changing => ({
		settings: getInitialSettings(options),
		subAccounts: new SubAccountStore(ids, now),
	});
	const reset = (): void => {
		Object.assign(state, begin());
	};
	const state: ServiceState = { account: createAccount(), ids, now, reset, ...begin() };
	return state;
}

/** The results that a call to a number will have; by default after the delay of the settings. */
export const planCall = (
	{ settings }: ServiceState,
	to: string,
	delayMs = settings.callResultDelayMs,
): readonly PlannedResult[] => planResults(to, delayMs);
