import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeApiError, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_CODES,
	describeStatusCode,
	type StatusMeaning,
} from '../../../nodes/Yuntongxun/client/statusCodes';

/** The publicly known codes: each line a category with codes and ranges. */
const known = readFileSync(join(__dirname, '../../../docs/maintainers/status-codes.csv'), 'utf8')
	.trim()
	.split('\n')
	.slice(1)
	.map((line) => {
		const [category, ranges] = line.split(',');
		const codes = ranges.split(' ').flatMap((range) => {
			const [first, last = first] = range.split('-').map(Number);
			return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
		});
		return { category, codes };
	});
const knownCodes = known.flatMap(({ codes }) => codes);
const listCategories = (...categories: string[]) =>
	known.filter(({ category }) => categories.includes(category)).flatMap(({ codes }) => codes);

const meant = (code: string): StatusMeaning => {
	const meaning = describeStatusCode(code);
	if (meaning === undefined) throw new Error(`${code} has no meaning`);
	return meaning;
};
const offending = (isWrong: (meaning: StatusMeaning) => boolean, codes = knownCodes) =>
	codes.filter((code) => isWrong(meant(code)));

test('Each code of docs/maintainers/status-codes.csv is explained, and no other', () => {
	expect(knownCodes).toHaveLength(309);
	const all = Array.from({ length: 200_000 }, (_, index) => String(index).padStart(6, '0'));
	expect(all.filter((code) => describeStatusCode(code) !== undefined)).toEqual(knownCodes.sort());
});

test.each(['000000', '', ' 111109', '111001-111099', '__proto__', 'toString'])(
	'%j is not explained',
	(code) => expect(describeStatusCode(code)).toBeUndefined(),
);

test('n8n shows every explanation as it is', () => {
	const node = { name: 'Yuntongxun', typeVersion: 1 } as INode;
	const shown = (message: string) => new NodeApiError(node, {}, { message }).message;
	expect(shown('It says EPERM')).not.toBe('It says EPERM');
	const isChanged = ({ summary, remedy }: StatusMeaning) =>
		shown(`${summary}. ${remedy}`) !== `${summary}. ${remedy}`;
	expect(offending(isChanged)).toEqual([]);
});

test('Every remedy that says to send again says that nothing was accepted', () => {
	const says = (pattern: RegExp) =>
		offending(({ remedy }) => /send (it )?again/.test(remedy) && pattern.test(remedy));
	expect(says(/./)).toContain('111000');
	expect(says(/^(?!.*was not accepted)/)).toEqual([]);
});

test('The codes of the credential test are those of signature and account, as single codes', () => {
	// What the account may send abroad is no matter of the test, which reads.
	const abroad = ['160058', '160060', '160062'];
	const codes = listCategories('auth', 'account').filter((code) => !abroad.includes(code));
	expect([...CREDENTIAL_CODES.keys()].sort()).toEqual(codes.sort());
});
