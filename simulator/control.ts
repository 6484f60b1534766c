import { getCredentials, type Account, type AccountCredentials } from './accounts';
import type { PlannedResult } from './callResults';
import type { ExchangeContext } from './exchange';
import type { Fault, FaultRule } from './faults';
import type { Tasks } from './pendingTasks';
import type { Acceptance, Recorder } from './record';
import type { Sender } from './sender';
import type { Settings } from './settings';
import { seedSubAccounts } from './subAccountStore';

/** What tests and the console can do with a simulator. */
export interface SimulatorControl
	extends
		Pick<Recorder, 'record' | 'violations' | 'changesSince'>,
		Pick<Sender, 'sendCallResult' | 'sendSmsReport' | 'sendSmsReply'>,
		Pick<Tasks, 'idle'> {
	/** What a client needs. */
	readonly credentials: AccountCredentials;
	/** Every accepted call, SMS and sub-account. */
	accepted(): readonly Acceptance[];
	/** Back to the state right after the start: record, faults, settings, account, sub-accounts. */
	reset(): void;
	settings(): Settings;
	configure(changes: Partial<Settings>): void;
	account(): Account;
	/** Changes members of the account: its status, its balance, its templates. */
	changeAccount(changes: Partial<Account>): void;
	/** Adds sub-accounts to the live application, and gives their ids. */
	seedSubAccounts(count: number): string[];
	/** Injects a fault. */
	fail(rule: FaultRule): Fault;
	/** The faults that were injected and not removed, in that order. */
	faults(): readonly Fault[];
	/**
	 * Sets the results of calls to a number, instead of the table of last digits; without results
	 * the table applies again.
	 */
	planCalls(number: string, results?: readonly PlannedResult[]): void;
}

/** What acts on the parts of a simulator. */
export function createControl(parts: ExchangeContext): SimulatorControl {
	const { state, recorder, faults, tasks, sender } = parts;
	const credentials = getCredentials(state.account);
	return {
		credentials,
		record: recorder.record,
		violations: () => recorder.violations(),
		accepted: () => recorder.record.accepted,
		changesSince: (revision) => recorder.changesSince(revision),
		reset: () => {
			for (const part of [tasks, recorder, faults]) part.clear();
			state.reset();
		},
		settings: () => state.settings,
		configure: (changes) => {
			state.settings = { ...state.settings, ...changes };
		},
		account: () => state.account,
		changeAccount: (changes) => {
			state.account = { ...state.account, ...changes };
		},
		seedSubAccounts: (count) =>
			seedSubAccounts(state.subAccounts, getCredentials(state.account).appId, count),
		fail: (rule) => faults.add(rule),
		faults: () => faults.list(),
		planCalls: (number, results) => {
			if (results) state.plans.set(number, results);
			else state.plans.delete(number);
		},
		sendCallResult: async (...call) => await sender.sendCallResult(...call),
		sendSmsReport: async (...report) => await sender.sendSmsReport(...report),
		sendSmsReply: async (...reply) => await sender.sendSmsReply(...reply),
		idle: async () => await tasks.idle(),
	};
}
