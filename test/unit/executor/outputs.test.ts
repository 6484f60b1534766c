import type { Logger } from 'n8n-workflow';

import { refuse } from '../../../nodes/Yuntongxun/executor/model';
import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
import {
	getRunHints,
	logAccepted,
	toJsons,
	toReport,
	warnOfRepeating,
} from '../../../nodes/Yuntongxun/executor/outputs';
import {
	buildItem,
	buildTaskItem,
	call,
	done,
	failed,
	failure,
	showItem,
	sms,
	UNKNOWN,
} from '../../support/messages';

const PLANNED: Status = { state: 'planned' };
const refused = () => refuse(2, new Error('no'));
const calls = (...all: Status[]): Item[] =>
	all.map((status, index) => ({ ...buildItem(index, call(['1'])), status }));
/** The requests of one item. */
const parts = (index: number, ...all: Status[]): Item[] =>
	all.map((status) => ({ ...buildItem(index, call(['1'])), status }));

it('the error of a failed message names its numbers, what was accepted, and what to do', () => {
	const item = buildItem(7, sms(['1', '2']), { key: 'k' });
	item.status = failed(failure({ accepted: 'unknown' }), { members: { leftOut: [{ to: '1' }] } });
	expect(showItem(item).outputs).toEqual([
		{
			error: {
				message:
					'It was refused (code 160040). Send it again to any others. Its Send Once per ID counts as used: to send it again, use another one. [item 7]',
				statusCode: '160040',
				statusMsg: '超限',
				accepted: 'unknown',
				to: '1,2',
				leftOut: [{ to: '1' }],
			},
		},
	]);
});

it.each([true, false])(
	'`accepted` is given only if the operation changes something: %s',
	(hasSideEffects) => {
		const accepted = hasSideEffects ? 'no' : undefined;
		const task = buildTaskItem(failed(failure()));
		expect(showItem(task, hasSideEffects).failure?.accepted).toBe(accepted);
		const { failure: told } = showItem(refused(), hasSideEffects);
		expect(told).toMatchObject({ index: 2, isFromService: false });
		expect(told?.accepted).toBe(accepted);
	},
);

it('each hint of a message or its route comes once', () => {
	const items = [0, 1].map((index) => buildItem(index, { ...sms(['1']), hints: ['a', 'b'] }));
	items[1].route = { buildUrl: () => '', hints: ['c'] };
	expect(getRunHints([...items, ...calls(PLANNED), buildTaskItem(PLANNED), refused()])).toEqual([
		'a',
		'b',
		'c',
	]);
});

describe('the warning not to run all items again', () => {
	const texts = { ...buildItem(0, sms(['1', '2', '3'])), status: done({}, 3) };
	const REPEAT = 'Do not run all items again (Send Once per ID guards against that).';
	const FIRST = 'The first item that was not sent, or not in full, is';

	it.each<[string, () => Item[], string]>([
		[
			'counts the numbers of the others, and names the first that was not sent',
			() => [...calls(failed(failure()), failed(UNKNOWN), done({}, 0), PLANNED, PLANNED), texts],
			`Accepted: 3. Perhaps accepted: 1. ${REPEAT} ${FIRST} 3.`,
		],
		[
			'names an item of which only some requests went out',
			() => [...calls(failed(UNKNOWN)), ...parts(1, done({}, 200), PLANNED), ...parts(2, PLANNED)],
			`Accepted: 200. ${REPEAT} ${FIRST} 1.`,
		],
		['needs others that were accepted', () => calls(failed(UNKNOWN), PLANNED), ''],
		[
			'counts what was accepted without its id',
			() => calls(failed(failure()), failed(failure({ accepted: 'yes' }))),
			`Accepted: 1. ${REPEAT}`,
		],
		[
			'counts each number of an SMS that was perhaps accepted, and names an ID beside a wrong form',
			() => [refused(), { ...texts, status: failed(UNKNOWN) }],
			`Perhaps accepted: 3. ${REPEAT}`,
		],
		[
			'names no ID where nobody is reached',
			() => [failed(failure()), done(), failed(UNKNOWN)].map((status) => buildTaskItem(status)),
			'Accepted: 1. Perhaps accepted: 1. Do not run all items again.',
		],
		[
			'says how to skip a wrong form if nothing went out',
			() => [refused(), ...calls(PLANNED)],
			'Nothing was sent. To skip rows like this, set On Error to Continue.',
		],
		['does not say so if no form is right', () => [refused(), refused()], ''],
		['says nothing of a single wrong form', () => [refused()], ''],
	])('%s', (_what, buildThem, words) => {
		const items = buildThem();
		expect(warnOfRepeating(items, items[0], true)).toBe(words);
		expect(warnOfRepeating(items, items[0], false)).toBe('');
	});
});

it.each<[string, Status[], string[]]>([
	['nothing if nobody was reached', [PLANNED, failed(failure())], []],
	['what was accepted', [done(), done()], ['Accepted: 2. Perhaps accepted: 0.']],
	[
		'what was perhaps accepted, and where to go on',
		[done(), failed(UNKNOWN), PLANNED],
		['Accepted: 1. Perhaps accepted: 1. The first item that was not sent, or not in full, is 2.'],
	],
])('the log of a run that a user stops has %s', (_what, all, lines) => {
	const info = jest.fn();
	logAccepted({ info } as unknown as Logger, calls(...all));
	const begin = 'Execution stopped by a user or its time limit. ';
	expect(info.mock.calls).toEqual(lines.map((line) => [begin + line]));
});

describe('error.context.data.items', () => {
	const report = (items: Item[]) =>
		toReport(
			items,
			items.map((item) => toJsons(item, true)),
		).items;

	it('has what Continue would give, failures first, without secrets and unsent items', () => {
		const unclear = failed(UNKNOWN, { members: { token: 'c', expiresAt: 'd' } });
		const message = buildItem(0, call(['1'], { secretMembers: ['token'] }));
		const items: Item[] = [
			{ ...message, status: done({ to: '1', token: 'a' }) },
			{ ...message, index: 1 },
			{ ...message, index: 2, status: unclear },
			buildTaskItem(done({ id: 'i', token: 'b' }), { secretMembers: ['token'] }, 3),
			refuse(4, new Error('no')),
		];
		expect(JSON.stringify(report(items))).not.toContain('token');
		expect(report(items)).toEqual([
			{
				itemIndex: 2,
				json: { error: expect.objectContaining({ to: '1', accepted: 'unknown' }) as object },
			},
			{ itemIndex: 4, json: { error: expect.objectContaining({ accepted: 'no' }) as object } },
			{ itemIndex: 0, json: { to: '1' } },
			{ itemIndex: 3, json: { id: 'i' } },
		]);
	});

	it('has at most 500 items', () => {
		const items = calls(...Array.from({ length: 600 }, () => done()), failed(failure()));
		const all = report(items);
		expect(all).toHaveLength(500);
		expect(all[0].itemIndex).toBe(600);
	});
});
