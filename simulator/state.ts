import type { SubAccount } from './subAccounts';

/** What can be changed while the simulator runs. */
export interface Settings {
	/** Time between accepting a request and answering it, milliseconds. */
	readonly latencyMs: number;
	/** Time between accepting a call and its result, milliseconds. */
	readonly callResultDelayMs: number;
	/** Whether ids in answers start with a blank, as seen in the vendor's examples. */
	readonly leadingBlanks: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
	latencyMs: 0,
	callResultDelayMs: 200,
	leadingBlanks: false,
};

/** The state of the service. */
export interface ServiceState {
	settings: Settings;
	/** Oldest first. */
	subAccounts: SubAccount[];
	/** The moment, milliseconds since 1970 UTC. */
	readonly now: () => number;
}
