/** How Jest runs tests that start real n8n. */
module.exports = {
	rootDir: require('node:path').resolve(__dirname, '../..'),
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
};
