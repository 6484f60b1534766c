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

/** The last release that this history knows, as a tag; undefined before the first one. */
function findLastRelease(): string | undefined {
	return (
		runGit('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname').split('\n').at(0) ||
		undefined
	);
}

const RELEASE = findLastRelease();
// Before the first release nobody's workflows hold anything.
const testIfReleased = RELEASE === undefined ? test.skip : test;

testIfReleased('Nothing that the last release had is gone or has changed', () => {
	const released = runGit('show', `${RELEASE}:${FORM_TABLE}`);
	expect(findBreaks(released, buildFormTable())).toEqual([]);
});

const SCHEMAS = 'nodes/Yuntongxun/__schema__';
const parseSchema = (text: string) => JSON.parse(text) as OutputSchema;

testIfReleased('No output has lost what it had in the last release', () => {
	const files = runGit('ls-tree', '-r', '--name-only', String(RELEASE), SCHEMAS).split('\n');
	const lost = files.flatMap((file) => {
		const now = existsSync(join(PROJECT, file)) ? listMembers(parseSchema(read(file))) : [];
		const released = listMembers(parseSchema(runGit('show', `${RELEASE}:${file}`)));
		return released.filter((each) => !now.includes(each)).map((each) => file + each);
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

describe('A break', () => {
	const table = (...rows: string[]) =>
		['forms\tfield\ttype\tdefault\tvalues\tlabel', ...rows, ''].join('\n');
	const LANGUAGE = 'call.verify sms.send\tlang\toptions\t"zh"\ten zh\tLanguage';
	const [OWN, ENGLISH] = [': options, "zh"', ' can be en'];

	test.each([
		['a form that has lost it', LANGUAGE.replace('call.verify ', ''), OWN],
		['another default', LANGUAGE.replace('"zh"', '"en"'), OWN],
		['another type', LANGUAGE.replace('options', 'string'), OWN],
		['a value that is gone', LANGUAGE.replace('en zh', 'zh'), ENGLISH],
	])('is %s', (_, row, lost) => {
		expect(findBreaks(table(LANGUAGE), table(row))).toContain(`call.verify lang${lost}`);
	});

	test('is no new value, label, field or form', () => {
		const row = LANGUAGE.replace('en zh', 'en fr zh').replace('Language', 'Spoken Language');
		const current = table(
			row.replace('sms.send', 'sms.send sms.other'),
			'sms.send\tmore\tstring\t""\t\tMore',
		);
		expect(findBreaks(table(LANGUAGE), current)).toEqual([]);
	});
});
