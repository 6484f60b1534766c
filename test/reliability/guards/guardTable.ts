/** A guard, and how it is broken to see whether a test notices. */
export interface Guard {
	/** What it keeps from happening, as the documentation shows it. */
	readonly name: string;
	/** Where it stands. */
	readonly file: string;
	/** What stands there; once, exactly so. */
	readonly find: string;
	/** What stands there while the guard is broken. */
	readonly replace: string;
	/** The narrowest test file that notices. */
	readonly test: string;
}

const NODE = 'nodes/Yuntongxun';

/**
 * Guards in rooms whose behaviour shows in engine tests, which Stryker does not run. The other rooms'
 * guards are mutated with everything else there: `.ci/run mutation`.
 */
export const GUARDS: readonly Guard[] = [
	{
		name: 'Secrets of sub-accounts are left out where asked',
		file: `${NODE}/resources/subAccount/fields.ts`,
		find: "omitSecrets ? [] : ['subToken', 'voipPwd']",
		replace: "['subToken', 'voipPwd']",
		test: 'test/engine/subAccounts.test.ts',
	},
	{
		name: 'An AI agent never sees secrets of sub-accounts',
		file: `${NODE}/resources/subAccount/fields.ts`,
		find: 'read: (item) => item.byAgent || field.read(item)',
		replace: 'read: (item) => field.read(item)',
		test: 'test/engine/tool.test.ts',
	},
	{
		name: 'An AI agent closes no sub-account',
		file: `${NODE}/operation/defineOperation.ts`,
		find: 'if (item.byAgent && notForAgents !== undefined)',
		replace: 'if (item.defaultAppId === undefined && notForAgents !== undefined)',
		test: 'test/engine/tool.test.ts',
	},
];
