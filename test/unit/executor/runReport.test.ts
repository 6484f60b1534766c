import type { Logger } from 'n8n-workflow';

import {
	adviseSkipping,
	logAccepted,
	toReport,
	warnOfRepeating,
} from '../../../nodes/Yuntongxun/executor/runReport';
import type { ReportRow } from '../../../nodes/Yuntongxun/executor/runReport';

/** Rows of as many items, which reach a phone, from an index on. */
const rows = (state: ReportRow['state'], count = 1, from = 0): ReportRow[] =>
	Array.from({ length: count }, (_each, position) => {
		const itemIndex = from + position;
		return { itemIndex, to: String(13_800_000_000 + itemIndex), state };
	});

describe('the table of a stopped run', () => {
	it('has up to 500 rows in input order, and then nothing more', () => {
		const all = [...rows('notSent', 1), ...rows('accepted', 499, 1)];
		expect(toReport(all)).toEqual({ recipients: all });
	});

	it('puts what was sent first where there are more, and counts the rest by state', () => {
		const all = [
			...rows('notSent', 300),
			...rows('accepted', 400, 300),
			...rows('refused', 150, 700),
		];
		expect(toReport(all)).toEqual({
			recipients: all.slice(300, 800),
			more: { refused: 50, notSent: 300 },
		});
	});
});

describe('the warning not to run all items again', () => {
	it.each<[string, ReportRow[], string]>([
		[
			'counts what was accepted and what may have been',
			[...rows('accepted', 63), ...rows('unclear', 2, 63), ...rows('refused', 1, 99)],
			'Accepted: 63. Perhaps accepted: 2. Do not run all items again (Send Once per ID guards against that).',
		],
		[
			'speaks of unclear items alone',
			rows('unclear', 2),
			'Perhaps accepted: 2. Do not run all items again (Send Once per ID guards against that).',
		],
		[
			'counts an item with several requests once, as accepted',
			[...rows('unclear'), ...rows('accepted'), ...rows('accepted')],
			'Accepted: 1. Do not run all items again (Send Once per ID guards against that).',
		],
		[
			'names no option that tasks lack',
			[{ itemIndex: 0, state: 'accepted', subAccountSid: 'a' }],
			'Accepted: 1. Do not run all items again.',
		],
		['is silent where nothing was accepted', [...rows('refused'), ...rows('notSent', 9, 1)], ''],
		['is silent about the failed item itself', rows('unclear', 1, 99), ''],
	])('%s', (_what, all, words) => {
		expect(warnOfRepeating(all, 99)).toBe(words);
	});
});

describe('the advice to skip a wrong row', () => {
	it('says that nothing was sent where one of several items kept the run from sending', () => {
		expect(adviseSkipping(rows('notSent', 5))).toBe(
			'Nothing was sent. To skip rows like this, set On Error to Continue.',
		);
	});

	it.each<[string, ReportRow[]]>([
		['for a single item', rows('notSent')],
		['if an earlier try sent something', [...rows('notSent', 2), ...rows('accepted', 1, 2)]],
		['if something may have been sent', [...rows('notSent', 2), ...rows('unclear', 1, 2)]],
	])('is not given %s', (_when, all) => {
		expect(adviseSkipping(all)).toBe('');
	});
});

/** What n8n's log is told of a run that a user stopped. */
function loggedFor(...all: ReportRow[]): string[] {
	const lines: string[] = [];
	const logger = { info: (line: string) => void lines.push(line) } as unknown as Logger;
	logAccepted(logger, all);
	return lines;
}

it('a run that a user stops logs what was or may have been accepted, without numbers', () => {
	expect(
		loggedFor(
			{ itemIndex: 0, to: '13800000001', callSid: 'a', state: 'accepted' },
			{ itemIndex: 1, to: '13800000002', state: 'unclear' },
			{ itemIndex: 2, to: '13800000003', state: 'refused' },
		),
	).toEqual([
		'Execution stopped by the user. Accepted by then: [{"itemIndex":0,"callSid":"a"}]. Perhaps accepted, by item: [1].',
	]);
});

it('a stopped run logs nothing if nothing can have been accepted', () => {
	expect(loggedFor(...rows('refused'))).toEqual([]);
	expect(loggedFor(...rows('unclear'))).toHaveLength(1);
	expect(loggedFor(...rows('accepted'))).toHaveLength(1);
});
