import { NodeApiError, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_CODES,
	describeStatusCode,
	type StatusMeaning,
	type Subject,
} from '../../../nodes/Yuntongxun/client/statusCodes';
import { YuntongxunApi } from '../../../credentials/YuntongxunApi.credentials';
import type { Operation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { KNOWN_CODES } from '../support/knownCodes';

const known = KNOWN_CODES.filter(({ category }) => category !== 'success');
const knownCodes = known.flatMap(({ codes }) => codes);

const REACHING: readonly Subject[] = ['call', 'codeCall', 'sms', 'codeSms'];
/** What a request that reaches people can get. */
const reachingCodes = knownCodes.filter((code) => code !== '111150');

const meant = (code: string, subject: Subject = 'sms'): StatusMeaning => {
	const meaning = describeStatusCode(code, subject);
	if (meaning === undefined) throw new Error(`${code} has no meaning for ${subject}`);
	return meaning;
};
/** Codes whose meaning offends, with what the request was about. */
const offending = (isWrong: (meaning: StatusMeaning) => boolean, codes = reachingCodes) =>
	REACHING.flatMap((subject) =>
		codes.filter((code) => isWrong(meant(code, subject))).map((code) => `${subject} ${code}`),
	);

describe('the table of codes', () => {
	it('is checked against the whole public list', () => {
		expect(known).toHaveLength(147);
		expect(new Set(knownCodes).size).toBe(knownCodes.length);
		expect(knownCodes).toEqual(expect.arrayContaining(['111001', '111050', '111099', '161108']));
	});

	it.each(REACHING)(
		'explains each code of docs/maintainers/status-codes.csv to a %s, and no other',
		(subject) => {
			const all = Array.from({ length: 200_000 }, (_, index) => String(index).padStart(6, '0'));
			const explained = all.filter((code) => describeStatusCode(code, subject) !== undefined);
			expect(explained).toEqual([...reachingCodes].sort());
		},
	);

	it('leaves a code unexplained that has nothing to do with the request', () => {
		expect(describeStatusCode('160042')).toBeUndefined();
		expect(describeStatusCode('160042', 'template')).toBeUndefined();
		expect(describeStatusCode('111150', 'subAccount')).toBeUndefined();
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
		expect(offending(({ remedy }) => !/\bwait\b/i.test(remedy), rates)).toEqual([]);
	});

	it('says that an immediate repeat makes no sense, where a number has its limit', () => {
		const perNumber = [
			'160015',
			'160021',
			'160022',
			'160038',
			'160039',
			'160040',
			'160041',
			'160056',
		];
		const isSilent = ({ remedy }: StatusMeaning) => !/retrying right away won't help/i.test(remedy);
		expect(offending(isSilent, perNumber)).toEqual([]);
	});

	it('says that nothing was accepted, wherever it says to send again', () => {
		const says = (pattern: RegExp) =>
			offending(({ remedy }) => /send (it )?again/.test(remedy) && pattern.test(remedy));
		expect(says(/./)).toContain('sms 111000');
		expect(says(/^(?!.*was not accepted)/)).toEqual([]);
	});

	// Three rows have the code, and the last table of the subject counts.
	it.each<[Subject, RegExp]>([
		['sms', /^Remove Sender Suffix/],
		['codeSms', /^Ask Yuntongxun support/],
		['call', /^The node never sends such a request/],
		['codeCall', /^The node never sends such a request/],
	])('tells a %s what 112312, an unknown sender extension, asks for', (subject, remedy) => {
		expect(meant('112312', subject).remedy).toMatch(remedy);
	});
});

/** Every operation that makes requests, with what they are about. */
const OPERATIONS = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations.flatMap((operation) => {
		if (operation.endpoint === undefined) return [];
		const { subject } = operation.endpoint;
		const subjects = subject === 'codeCall' ? [subject, 'codeSms' as const] : [subject];
		const name = `${resource}.${operation.value}`;
		return subjects.map((each) => ({ name, subject: each, labels: getLabels(operation) }));
	}),
);

function getLabels({ fields, options }: Operation): string[] {
	return Object.values({ ...fields, ...options }).map(({ property }) => property.displayName);
}

const OF_CREDENTIAL = new YuntongxunApi().properties.map(({ displayName }) => displayName);
const ALL_LABELS = new Set(OPERATIONS.flatMap(({ labels }) => labels));

/** What people would not find where they stand. */
const FOREIGN_WORDS: Record<string, RegExp> = {
	call: /SMS|template|variable|recipient|others|numbers (?:in|with)|list\b(?<!(?:block|allow-)[ ]?list)/i,
	codeCall: /SMS|template|variable|recipient|others|audio|text|wording/i,
	sms: /\bcall|spoken|audio/i,
	codeSms: /\bcalled|spoken|audio|\bothers|one recipient|numbers with|Sender Suffix/i,
	template: /SMS (?!is not enabled)|\bcall|spoken|recipient|\bnumber\b/i,
};
const OF_NO_MESSAGE = /SMS|\bcall|spoken|recipient|template|variable|\bnumber\b/i;

describe('the words of a code', () => {
	it.each(OPERATIONS)('name nothing foreign to $name ($subject)', ({ subject, labels }) => {
		const foreign = [...ALL_LABELS].filter(
			(label) => !labels.includes(label) && !OF_CREDENTIAL.includes(label),
		);
		const words = FOREIGN_WORDS[subject ?? ''] ?? OF_NO_MESSAGE;
		const offences = knownCodes.flatMap((code) => {
			const meaning = describeStatusCode(code, subject);
			if (meaning === undefined) return [];
			const text = `${meaning.summary}. ${meaning.remedy}`;
			const named = foreign.filter((label) => new RegExp(`\\b${label}\\b`).test(text));
			return named.length > 0 || words.test(text) ? [`${code} ${named.join()}: ${text}`] : [];
		});
		expect(offences).toEqual([]);
	});
});

it('the codes of the credential test are those of signature and account, ranges as single codes', () => {
	const listed = known.filter(({ category }) => category === 'auth' || category === 'account');
	// What the account may send abroad is no matter of the test, which reads.
	const abroad = ['160058', '160060', '160062'];
	const codes = listed.flatMap((each) => each.codes).filter((code) => !abroad.includes(code));
	expect([...CREDENTIAL_CODES.keys()].sort()).toEqual(codes.sort());
});
