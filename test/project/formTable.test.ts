import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildFormTable, FORM_TABLE, listHeld } from '../../tools/documents/formTable';
import { PROJECT, read } from '../../tools/documents/markdown';

// What workflows hold: of the forms, as a table that a pull request shows the changes of, and of the outputs.

test(`${FORM_TABLE} is what the forms say`, () => {
	const table = buildFormTable();
	if (process.env.WRITE_DOCUMENTS === '1') writeFileSync(join(PROJECT, FORM_TABLE), table);
	else if (table !== read(FORM_TABLE)) throw new Error(`npm run fix writes ${FORM_TABLE} anew`);
});

const runGit = (...words: string[]) =>
	execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).trim();

// Before the first release nobody's workflows hold anything. A tag of this very commit is no earlier release.
const ofAncestors = ['--merged', 'HEAD', '--no-contains', 'HEAD'];
const [release] = runGit('tag', '--list', 'v*', ...ofAncestors, '--sort=-v:refname').split('\n');
const hasReleased = /^## [^]*^## \d\S+ \(\d{4}-/m.test(read('CHANGELOG.md'));
if (process.env.CI && hasReleased && !release) throw new Error('The clone has no tag of a release');
const testAgainstRelease = release ? test : test.skip;

testAgainstRelease('No field and no value that the last release had is gone or another', () => {
	const held = new Set(listHeld(read(FORM_TABLE)));
	const released = listHeld(runGit('show', `${release}:${FORM_TABLE}`));
	expect(released.filter((each) => !held.has(each))).toEqual([]);
});

testAgainstRelease('No member of an output that the last release had is gone or another', () => {
	const schemas = ['-r', '--name-only', release, 'nodes/Yuntongxun/__schema__'];
	for (const file of runGit('ls-tree', ...schemas).split('\n')) {
		const schema = JSON.parse(runGit('show', `${release}:${file}`)) as object;
		expect(JSON.parse(read(file))).toMatchObject(schema);
	}
});

test('A field is held by its form, type and default, and so is each value to choose', () => {
	expect(listHeld('call.verify sms.send\tlang\toptions\t"zh"\ten zh\t\tLanguage')).toEqual(
		['call.verify lang', 'sms.send lang'].flatMap((field) => [
			`${field}: options, "zh"`,
			`${field} can be en`,
			`${field} can be zh`,
		]),
	);
});
