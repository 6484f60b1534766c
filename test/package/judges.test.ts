import { execFileSync } from 'node:child_process';

import rooms from '../mutation/mutants.json';
import { PROJECT } from '../../tools/documents/markdown';

/** Files of the project that a pattern fits: a path, or one with `*` and `**`. */
const findFiles = (pattern: string): string[] =>
	execFileSync(
		'git',
		['ls-files', '--cached', '--others', '--exclude-standard', `:(glob)${pattern}`],
		{ cwd: PROJECT, encoding: 'utf8' },
	)
		.split('\n')
		.filter(Boolean);

// The mutants themselves are tried at night: here a renamed file shows at once.
describe('What breaks the code to test the tests finds the code', () => {
	const paths = Object.entries(rooms).flatMap(([room, { mutate, tests }]) => [
		...mutate.map((pattern) => [room, pattern.replace('!', '')]),
		...tests.map((path) => [room, `test/${path}.test.ts`]),
	]);
	test.each(paths)('mutants of %s: %s', (_room, pattern) => {
		expect(findFiles(pattern)).not.toEqual([]);
	});
});
