import { NodeApiError, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_CODES,
	describeStatusCode,
	type StatusMeaning,
} from '../../../nodes/Yuntongxun/client/statusCodes';
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

	it('explains each known code, and each one inside a range', () => {
		expect(knownCodes.filter((code) => describeStatusCode(code) === undefined)).toEqual([]);
	});

	it('explains no other code of six digits, such as those around a range', () => {
		const all = Array.from({ length: 1_000_000 }, (_, index) => String(index).padStart(6, '0'));
		const explained = all.filter((code) => describeStatusCode(code) !== undefined);
		expect(explained).toEqual([...knownCodes].sort());
	});

	it.each(['000000', '', ' 111109', '111001-111099', '__proto__', 'toString'])(
		'does not explain %j',
		(code) => {
			expect(describeStatusCode(code)).toBeUndefined();
		},
	);
});

describe('an explanation', () => {
	it('has as its summary one clause that begins with a capital and has no final period', () => {
		expect(offending(({ summary }) => !/^[A-Z][^.!?:;\n]{9,79}$/.test(summary))).toEqual([]);
	});

	it('has as its remedy one or two sentences, each with its period', () => {
		expect(
			offending(({ remedy }) => !/^[A-Z][^.!?\n]+\.( [A-Z][^.!?\n]+\.)?$/.test(remedy)),
		).toEqual([]);
	});

	it('has no word that the first line of an n8n message avoids', () => {
		const avoided = /error|problem|fail|mistake/i;
		expect(
			offending(({ summary, remedy }) => avoided.test(summary) || avoided.test(remedy)),
		).toEqual([]);
	});

	it('names no code', () => {
		expect(offending(({ summary, remedy }) => /\d{4}/.test(summary + remedy))).toEqual([]);
	});

	it('is shown by n8n as it is', () => {
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
});

describe('a remedy names', () => {
	it.each(['112310', '112305', '113302', '160069', '111212'])('the trial limits (%s)', (code) => {
		expect(meant(code).summary).toMatch(/trial/);
		expect(remedyFor(code)).toMatch(
			/trial.*test numbers registered in the Yuntongxun console.*Template ID 1 .*numeric Variables/,
		);
	});

	it.each(['111115', '160053', '161100', '161108'])('the IP allow-list (%s)', (code) => {
		expect(remedyFor(code)).toMatch(
			/add the outgoing address of the n8n server to the IP allow-list in the Yuntongxun console/,
		);
	});

	it('a remedy says that each Base URL has its own accounts, and to copy it with the token', () => {
		expect(remedyFor('111141')).toMatch(/production and sandbox usually have different accounts/);
		expect(remedyFor('111109')).toMatch(/Auth Token.*Base URL/);
	});

	it.each([
		['160054', /Another SMS needs another ID in Reports/],
		['160055', /Give ID in Reports/],
		['160065', /Give Sender Suffix/],
	])('the field that the user fills in, rather than the way to the service (%s)', (code, words) => {
		expect(remedyFor(code)).toMatch(words);
		expect(remedyFor(code)).not.toMatch(/node never sends|proxy/);
	});

	it('a remedy says to wait, where the service limits a rate', () => {
		const rates = known.filter(({ category }) => category === 'rate').flatMap(({ codes }) => codes);
		expect(rates.filter((code) => !/\bwait\b/i.test(remedyFor(code)))).toEqual([]);
	});

	it.each(['160015', '160021', '160022', '160038', '160039', '160040', '160041', '160056'])(
		'that an immediate repeat makes no sense, where a number has its limit (%s)',
		(code) => {
			expect(remedyFor(code)).toMatch(/trying again at once makes no sense/i);
		},
	);

	it('a remedy says that nothing was accepted, wherever it says to send again', () => {
		const repeats = offending(({ remedy }) => /send (it )?again/.test(remedy));
		expect(repeats).toContain('111000');
		expect(repeats.filter((code) => !/was not accepted/.test(remedyFor(code)))).toEqual([]);
	});
});

describe('the codes of the credential test', () => {
	it('are those of signature and account, ranges as single codes', () => {
		const listed = known.filter(({ category }) => category === 'auth' || category === 'account');
		expect([...CREDENTIAL_CODES.keys()].sort()).toEqual(
			listed.flatMap(({ codes }) => codes).sort(),
		);
	});
});
