import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesPlugin from 'eslint-plugin-n8n-nodes-base';
import { createNodeResolver, flatConfigs as importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts', 'index.ts'];

const ROOMS = 'nodes/Yuntongxun';

/** The rooms that a room must not import from. `docs/architecture.md` has the picture. */
const FORBIDDEN = {
	util: ['callResult', 'client', 'executor', 'idempotency', 'listSearch', 'operation', 'resources'],
	client: ['callResult', 'executor', 'idempotency', 'listSearch', 'operation', 'resources'],
	idempotency: ['callResult', 'client', 'executor', 'listSearch', 'operation', 'resources'],
	// Operations say what to send; they never send it themselves.
	operation: ['client/transport.ts', 'client/signing.ts', 'executor', 'listSearch', 'resources'],
	resources: ['client/transport.ts', 'client/signing.ts', 'executor', 'listSearch'],
	callResult: ['executor', 'listSearch', 'operation', 'resources'],
	listSearch: ['callResult', 'executor', 'idempotency'],
	executor: ['listSearch'],
};

const boundaries = [
	...Object.entries(FORBIDDEN).flatMap(([room, forbidden]) => [
		...forbidden.map((other) => ({
			target: `./${ROOMS}/${room}`,
			from: `./${ROOMS}/${other}`,
			message: `${room}/ must not import from ${other}.`,
		})),
		{
			target: `./${ROOMS}/${room}`,
			from: [`./${ROOMS}/Yuntongxun.node.ts`, `./${ROOMS}/YuntongxunTrigger.node.ts`],
			message: 'The nodes know the rooms, not the other way round.',
		},
	]),
	{
		target: './credentials',
		from: [`./${ROOMS}/!(client)/**/*`, `./${ROOMS}/*.ts`],
		message: 'The credential imports from client/ only.',
	},
	{
		target: './test/simulator',
		from: ['./nodes', './credentials'],
		message: 'The simulator is an independent reading of the specification.',
	},
];

// The rule sets of n8n's own strict lint, listed here because its command line tool would install a
// whole n8n. With `n8n.strict` in package.json that tool refuses any file but its own three lines, and
// those hold tests to the rules for what is shipped; without it, it runs this file.
// n8n's scanner ignores inline disables, so they are reported here.
export default tseslint.config(
	{ ignores: ['dist/', 'node_modules/', '.cache/', 'coverage/', 'reports/', 'test/n8n/versions/'] },
	tseslint.configs.recommended,
	{
		...importX.recommended,
		files: ['**/*.ts'],
	},
	{
		files: ['**/*.ts'],
		settings: {
			'import-x/resolver-next': [
				createNodeResolver({ extensions: ['.ts', '.js', '.json', '.d.ts'] }),
			],
		},
		rules: {
			'no-console': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
	{
		files: [...SHIPPED, 'test/simulator/**/*.ts'],
		rules: {
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': ['error', { zones: boundaries }],
		},
	},
	{
		files: [...SHIPPED, 'package.json'],
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{ plugins: { 'n8n-nodes-base': n8nNodesPlugin } },
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: {
			...n8nNodesPlugin.configs.community.rules,
			'@typescript-eslint/no-unused-expressions': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesPlugin.configs.credentials.rules,
			// n8n's own lint switches both off for community nodes.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesPlugin.configs.nodes.rules,
			// n8n's own lint switches these off: connection types may be an enum, limits may be real.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['*.js', 'test/**/*.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		files: ['test/**/*.ts'],
		rules: { 'no-console': 'off' },
	},
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{ files: SHIPPED, linterOptions: { noInlineConfig: true } },
);
