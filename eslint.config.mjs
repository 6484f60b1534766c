import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesPlugin from 'eslint-plugin-n8n-nodes-base';
import { createNodeResolver, flatConfigs as importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts', 'index.ts'];

/** What keeps the shape, without inline exceptions. Files of tests are left out: a `describe` is long by nature. */
const SHAPED = {
	files: [...SHIPPED, 'simulator/**/*.ts', 'tools/**/*.ts', 'test/**/*.ts'],
	ignores: ['**/*.test.ts'],
};

/** The shape of a function and of a file. */
const SHAPE = {
	complexity: ['error', 12],
	'max-depth': ['error', 3],
	'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
	'no-sequences': 'error',
	'import-x/order': [
		'error',
		{
			groups: ['builtin', 'external', 'parent', 'sibling', 'index'],
			alphabetize: { order: 'asc', orderImportKind: 'desc' },
			'newlines-between': 'ignore',
		},
	],
};

const ASSIGNMENT = 'Assign in a statement of its own, not inside an expression.';

const NOUN = 'Begin the name of a function with a verb: getX, findX, toX, parseX, buildX.';

/** Functions called `sizeOf` or `textIn`. */
const NO_VERB = '/[a-z](?:Of|In)$/';

/** More of the shape, for `no-restricted-syntax`. */
const SHAPE_SYNTAX = [
	{
		selector: "BinaryExpression[operator='in']",
		message: 'Tell a union apart by its tag; ask an open object with Object.hasOwn.',
	},
	{
		selector: ':not(ExpressionStatement, ForStatement) > AssignmentExpression',
		message: ASSIGNMENT,
	},
	{
		selector: ':not(ExpressionStatement, ForStatement) > UpdateExpression',
		message: ASSIGNMENT,
	},
	{ selector: `FunctionDeclaration > Identifier.id[name=${NO_VERB}]`, message: NOUN },
	{
		selector: `VariableDeclarator[id.name=${NO_VERB}] > ArrowFunctionExpression.init`,
		message: NOUN,
	},
	{
		selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
		message: 'Write the members out; a spread literal only keeps them on one line.',
	},
];

const PATHS = [
	{
		target: ['./nodes/Yuntongxun/operation', './nodes/Yuntongxun/resources'],
		from: ['./nodes/Yuntongxun/client/client.ts', './nodes/Yuntongxun/client/signing.ts'],
		message: 'An operation says what to send, and never sends it itself.',
	},
	{
		target: './simulator',
		from: ['./nodes', './credentials'],
		message: 'The simulator is an independent reading of the specification.',
	},
];

/** Layers of tests share `test/harness` and `test/support`, and nothing of each other. */
const LAYERS = ['browser', 'engine', 'hosting', 'n8n', 'project', 'properties', 'queue', 'unit'];

const BETWEEN_LAYERS = LAYERS.map((layer) => ({
	target: `./test/${layer}`,
	from: LAYERS.filter((other) => other !== layer).map((other) => `./test/${other}`),
	message: 'What two layers of tests need stands in test/harness or test/support.',
}));

// The rule sets of n8n's own strict lint, listed here because its command line tool would install a
// whole n8n. With `n8n.strict` in package.json that tool refuses any file but its own three lines, and
// those hold tests to the rules for what is shipped; without it, it runs this file.
// n8n's scanner ignores inline disables, so they are reported here.
export default tseslint.config(
	{
		ignores: ['**/dist/', 'node_modules/', '.cache/', 'coverage/', 'reports/'],
	},
	tseslint.configs.recommended,
	{
		...importX.recommended,
		files: ['**/*.ts'],
	},
	{
		files: ['**/*.ts'],
		settings: {
			// Without it, rules that follow imports, such as no-cycle, skip TypeScript.
			'import-x/extensions': ['.ts'],
			'import-x/resolver-next': [
				createNodeResolver({ extensions: ['.ts', '.js', '.json', '.d.ts'] }),
			],
		},
		rules: {
			'no-console': 'error',
			// An import of types alone makes no cycle here: test/project/architecture.test.ts sees those.
			'import-x/no-cycle': 'error',
			// The compiler knows what a module exports.
			'import-x/default': 'off',
			'import-x/named': 'off',
			'import-x/namespace': 'off',
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
	{
		files: [...SHIPPED, 'simulator/**/*.ts'],
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: PATHS }],
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: { 'import-x/no-restricted-paths': ['error', { zones: BETWEEN_LAYERS }] },
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
		files: ['test/**/*.ts', 'simulator/**/*.ts', 'tools/**/*.ts'],
		rules: { 'no-console': 'off' },
	},
	{
		...SHAPED,
		rules: { ...SHAPE, 'no-restricted-syntax': ['error', ...SHAPE_SYNTAX] },
	},
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{ ...SHAPED, linterOptions: { noInlineConfig: true } },
);
