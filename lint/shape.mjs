/** The shape of a function and of a file. `CONTRIBUTING.md` tells why. */
export const SHAPE = {
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
export const SHAPE_SYNTAX = [
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
