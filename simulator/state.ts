import { createAccount, type Account } from './accounts';
import { planResults, type PlannedResult } from './callResults';
import { IdMaker } from './ids';
import { DEFAULT_SETTINGS, type Settings } from './settings';
import { SubAccountStore } from './subAccountStore';

/** How the service starts; every setting can be given here too. */
export interface ServiceOptions extends Partial<Settings> {
	/** Changed members of the account. */
	readonly account?: Partial<Account>;
	/** The clock, milliseconds since 1970 UTC (default `Date.now`). */
	readonly now?: () => number;
}

/** What a reset brings back. */
interface Changing {
	account: Account;
	settings: Settings;
	subAccounts: SubAccountStore;
	/** Results of calls to a number, instead of the table of last digits. */
	plans: Map<string, readonly PlannedResult[]>;
}

/** The state of the service. */
export interface ServiceState extends Changing {
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
		account: createAccount(options.account),
		settings: getInitialSettings(options),
		subAccounts: new SubAccountStore(ids, now),
		plans: new Map(),
	});
	const reset = (): void => {
		Object.assign(state, begin());
	};
	const state: ServiceState = { ids, now, reset, ...begin() };
	return state;
}

/** The results that a call to a number will have; by default after the delay of the settings. */
export const planCall = (
	{ plans, settings }: ServiceState,
	to: string,
	delayMs = settings.callResultDelayMs,
): readonly PlannedResult[] => plans.get(to) ?? planResults(to, delayMs);
