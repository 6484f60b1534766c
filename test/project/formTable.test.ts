import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildFormTable, findBreaks, FORM_TABLE } from '../../tools/documents/formTable';
import { PROJECT, read } from '../../tools/documents/markdown';
import { listMembers, type OutputSchema } from '../../tools/documents/outputSchemas';

// What workflows hold: of the forms, as a table that a pull request shows the changes of, and of the outputs.

test(`${FORM_TABLE} is what the forms say`, () => {
	const table = buildFormTable();
	if (process.env.WRITE_DOCUMENTS === '1') writeFileSync(join(PROJECT, FORM_TABLE), table);
	else if (table !== read(FORM_TABLE)) throw new Error(`npm run fix writes ${FORM_TABLE} anew`);
});

const runGit = (...words: string[]) =>
	execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).trim();

// Before the first release nobody's workflows hold anything.
const [release] = runGit('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname').split(
	'\n',
);

(release ? test : test.skip)('Nothing that the last release had is gone or has changed', () => {
	const released = runGit('show', `${release}:${FORM_TABLE}`);
	expect(findBreaks(released, buildFormTable())).toEqual([]);

	const schemas = ['-r', '--name-only', release, 'nodes/Yuntongxun/__schema__'];
	const lost = runGit('ls-tree', ...schemas)
		.split('\n')
		.flatMap((file) => {
			const list = (text: string) => listMembers(JSON.parse(text) as OutputSchema);
			const now = existsSync(join(PROJECT, file)) ? list(read(file)) : [];
			const missing = list(runGit('show', `${release}:${file}`)).filter(
				(each) => !now.includes(each),
			);
			return missing.map((each) => file + each);
		});
	expect(lost).toEqual([]);
});

test('The members of an output are told by path and type, those of lists too', () => {
	const text = { type: 'string' };
	const list = { type: 'array', items: { type: 'object', properties: { at: text } } };
	expect(listMembers({ type: 'object', properties: { to: text, sent: list } })).toEqual([
		...[': object', ' to: string', ' sent: array', ' sent []: object', ' sent [] at: string'],
	]);
});

const LANGUAGE = 'call.verify sms.send\tlang\toptions\t"zh"\ten zh\tLanguage';
const OWN = 'call.verify lang: options, "zh"';
const [ENGLISH, CHINESE] = ['en', 'zh'].map((value) => `call.verify lang can be ${value}`);

test.each([
	['a form that has lost it', LANGUAGE.replace('call.verify ', ''), [OWN, ENGLISH, CHINESE]],
	['another default', LANGUAGE.replace('"zh"', '"en"'), [OWN]],
	['another type', LANGUAGE.replace('options', 'string'), [OWN]],
	['a value that is gone', LANGUAGE.replace('en zh', 'zh'), [ENGLISH]],
	['no new value', LANGUAGE.replace('en zh', 'en fr zh'), []],
	[
		'no new label, form or field',
		`${LANGUAGE.replace('sms', 's.x sms')}s\nsms.send\tmore\tstring\t\t\tMore`,
		[],
	],
])('A break is %s', (_, row, lost) => {
	const table = (rows: string) => `forms\tfield\ttype\tdefault\tvalues\tlabel\n${rows}\n`;
	const breaks = findBreaks(table(LANGUAGE), table(row));
	expect(breaks.filter((each) => each.startsWith('call.verify'))).toEqual(lost);
});
