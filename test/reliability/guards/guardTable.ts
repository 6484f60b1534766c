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
	/** Part of the names of its tests that matter, where the others take long. */
	readonly only?: string;
}

const NODE = 'nodes/Yuntongxun';
const UNIT = 'test/unit';

/**
 * Guards in rooms whose behaviour shows in engine tests, which Stryker does not run. The other rooms'
 * guards are mutated with everything else there: `npm run test:mutation`.
 */
export const GUARDS: readonly Guard[] = [
	{
		name: 'What XML cannot carry is refused',
		file: `${NODE}/operation/validators.ts`,
		find: 'if (item.inXml && !fitsXml(written)) {',
		replace: 'if (item.inXml && written === undefined) {',
		test: `${UNIT}/operation/validators.test.ts`,
	},
	{
		name: 'Only allowed recipients are reached',
		file: `${NODE}/executor/validateItem.ts`,
		find: '!lastFilter.accepts(to)',
		replace: 'to === allowed',
		test: `${UNIT}/executor/validateItem.test.ts`,
	},
	{
		name: 'Allowed Recipients and its like take no expression',
		file: `${NODE}/operation/field.ts`,
		find: 'if (property.noDataExpression && item.isExpression(name)) {',
		replace: 'if (property.noDataExpression && name === undefined) {',
		test: `${UNIT}/operation/field.test.ts`,
	},
	{
		name: 'A dry run sends nothing',
		file: `${NODE}/executor/planRequests.ts`,
		find: '.filter(([{ item }]) => !item.ready.isDryRun)',
		replace: '.filter(([{ item }]) => item.index >= 0)',
		test: `${UNIT}/executor/planRequests.test.ts`,
	},
	{
		name: 'A field that a choice made disappear is not sent',
		file: `${NODE}/operation/field.ts`,
		find: 'applies(property, item) ? validate',
		replace: 'true ? validate',
		test: `${UNIT}/operation/field.test.ts`,
	},
	{
		name: 'What the service says is escaped where n8n shows HTML',
		file: `${NODE}/executor/itemFailure.ts`,
		find: 'return text.replace(/[&<>"\']/g, (sign) => HTML_SIGNS[sign]);',
		replace: 'return text;',
		test: 'test/engine/failures.test.ts',
		only: 'what the service says',
	},
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
