import { NodeApiError, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_CODES,
	describeStatusCode,
	type StatusMeaning,
} from '../../../nodes/Yuntongxun/client/statusCodes';
import { findDifferences, NO_DIFFERENCE } from '../../support/differences';
import { KNOWN_CODES } from '../support/knownCodes';

const known = KNOWN_CODES.filter(({ category }) => category !== 'success');
const knownCodes = known.flatMap(({ codes }) => codes);

const meant = (code: string): StatusMeaning => {
	const meaning = describeStatusCode(code);
	if (meaning === undefined) throw new Error(`${code} has no meaning`);
	return meaning;
};
const remedyFor = (code: string) => meant(code).remedy;
const offending = (isWrong: (meaning: StatusMeaning) => boolean) =>
	knownCodes.filter((code) => isWrong(meant(code)));

describe('the table of codes', () => {
	it('is checked against the whole public list', () => {
		expect(known).toHaveLength(147);
		expect(new Set(knownCodes).size).toBe(knownCodes.length);
		expect(knownCodes).toEqual(expect.arrayContaining(['111001', '111050', '111099', '161108']));
	});

	it('explains each code of docs/status-codes.csv, and no other', () => {
		const all = Array.from({ length: 1_000_000 }, (_, index) => String(index).padStart(6, '0'));
		for (const isCall of [false, true]) {
			const explained = all.filter((code) => describeStatusCode(code, isCall) !== undefined);
			expect(findDifferences(explained, knownCodes)).toEqual(NO_DIFFERENCE);
		}
	});

	it.each(['000000', '', ' 111109', '111001-111099', '__proto__', 'toString'])(
		'does not explain %j',
		(code) => {
			expect(describeStatusCode(code)).toBeUndefined();
		},
	);
});

it('n8n shows every explanation as it is', () => {
	const node = { name: 'Yuntongxun', typeVersion: 1 } as INode;
	const shown = (message: string) => new NodeApiError(node, {}, { message }).message;
	expect(shown('It says EPERM')).not.toBe('It says EPERM');
	expect(
		offending(({ summary, remedy }) => {
			const message = `${summary}. ${remedy}`;
			return shown(message) !== message;
		}),
	).toEqual([]);
});

describe('a remedy', () => {
	it('says to wait, where the service limits a rate', () => {
		const rates = known.filter(({ category }) => category === 'rate').flatMap(({ codes }) => codes);
		expect(rates.filter((code) => !/\bwait\b/i.test(remedyFor(code)))).toEqual([]);
	});

	it.each(['160015', '160021', '160022', '160038', '160039', '160040', '160041', '160056'])(
		'says that an immediate repeat makes no sense, where a number has its limit (%s)',
		(code) => {
			expect(remedyFor(code)).toMatch(/trying again at once makes no sense/i);
		},
	);

	it('says that nothing was accepted, wherever it says to send again', () => {
		const repeats = offending(({ remedy }) => /send (it )?again/.test(remedy));
		expect(repeats).toContain('111000');
		expect(repeats.filter((code) => !/was not accepted/.test(remedyFor(code)))).toEqual([]);
	});
});

it('the codes of the credential test are those of signature and account, ranges as single codes', () => {
	const listed = known.filter(({ category }) => category === 'auth' || category === 'account');
	expect([...CREDENTIAL_CODES.keys()].sort()).toEqual(listed.flatMap(({ codes }) => codes).sort());
});
