import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildFormTable, findBreaks, FORM_TABLE } from '../../tools/documents/formTable';
import { PROJECT, read } from '../../tools/documents/markdown';
import { findLostMembers, type OutputSchema } from '../../tools/documents/outputSchemas';

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
	const breaks = files.flatMap((file) => {
		const current = existsSync(join(PROJECT, file)) ? parseSchema(read(file)) : undefined;
		return findLostMembers(parseSchema(runGit('show', `${RELEASE}:${file}`)), current, file);
	});
	expect(breaks).toEqual([]);
});

test('An output breaks with a member that is gone or of another type, and with no new one', () => {
	const text = { type: 'string' };
	const output = (...properties: Array<[string, OutputSchema]>): OutputSchema => ({
		type: 'object',
		properties: Object.fromEntries(properties),
	});
	const list = (items: OutputSchema): OutputSchema => ({ type: 'array', items });
	const released = output(['to', text], ['sent', list(output(['at', text]))]);
	const find = (current?: OutputSchema) => findLostMembers(released, current, 'sms');

	expect(find()).toEqual(['sms is gone']);
	expect(find(output(['sent', list(output(['at', { type: 'number' }]))]))).toEqual([
		'sms to is gone',
		'sms sent [] at is not what it was',
	]);
	expect(find(output(['more', text], ...Object.entries(released.properties ?? {})))).toEqual([]);
});

describe('A break', () => {
	const table = (...rows: string[]) =>
		['forms\tfield\ttype\tdefault\tvalues\tlabel', ...rows, ''].join('\n');
	const LANGUAGE = 'call.verify sms.send\tlang\toptions\t"zh"\ten zh\tLanguage';

	test.each([
		['a field that is gone', table(), ['call.verify lang is gone', 'sms.send lang is gone']],
		[
			'a field that one form has lost',
			table(LANGUAGE.replace(' sms.send', '')),
			['sms.send lang is gone'],
		],
		[
			'another default',
			table(LANGUAGE.replace('"zh"', '"en"')),
			['call.verify lang is not what it was', 'sms.send lang is not what it was'],
		],
		[
			'another type',
			table(LANGUAGE.replace('options', 'string')),
			['call.verify lang is not what it was', 'sms.send lang is not what it was'],
		],
		[
			'a value that is gone',
			table(LANGUAGE.replace('en zh', 'zh')),
			['call.verify lang is not what it was', 'sms.send lang is not what it was'],
		],
	])('is %s', (_, current, breaks) => {
		expect(findBreaks(table(LANGUAGE), current)).toEqual(breaks);
	});

	test.each([
		['a new value', table(LANGUAGE.replace('en zh', 'en fr zh'))],
		['another label', table(LANGUAGE.replace('Language', 'Spoken Language'))],
		['a new field', table(LANGUAGE, 'sms.send\tmore\tstring\t""\t\tMore')],
		['a form that has it, too', table(LANGUAGE.replace('sms.send', 'sms.send sms.other'))],
	])('is not %s', (_, current) => {
		expect(findBreaks(table(LANGUAGE), current)).toEqual([]);
	});
});
