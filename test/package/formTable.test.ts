import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildFormTable, findBreaks, FORM_TABLE } from '../../tools/documents/formTable';
import { PROJECT, read } from '../../tools/documents/markdown';

// What saved workflows hold of the forms, as a table that a pull request shows the changes of.

test(`${FORM_TABLE} is what the forms say`, () => {
	const table = buildFormTable();
	if (process.env.WRITE_DOCUMENTS === '1') writeFileSync(join(PROJECT, FORM_TABLE), table);
	else if (table !== read(FORM_TABLE)) throw new Error(`npm run fix writes ${FORM_TABLE} anew`);
});

/** The last release that this history knows, as a tag; undefined before the first one. */
function findLastRelease(): string | undefined {
	const git = (...words: string[]) =>
		execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).trim();
	return (
		git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname').split('\n').at(0) ||
		undefined
	);
}

test('Nothing that the last release had is gone or has changed', () => {
	const release = findLastRelease();
	// Before the first release nobody's workflows hold anything.
	if (release === undefined) return;
	const released = execFileSync('git', ['show', `${release}:${FORM_TABLE}`], {
		cwd: PROJECT,
		encoding: 'utf8',
	});
	expect(findBreaks(released, buildFormTable())).toEqual([]);
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
