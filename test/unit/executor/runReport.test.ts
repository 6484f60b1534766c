import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
import { toOutput } from '../../../nodes/Yuntongxun/executor/outputs';
import {
	findThrown,
	toReport,
	warnOfRepeating,
} from '../../../nodes/Yuntongxun/executor/runReport';
import {
	buildItem,
	buildTaskItem,
	call,
	done,
	failed,
	failure,
	sms,
	UNKNOWN,
} from '../../support/messages';

const PLANNED: Status = { state: 'planned' };
const calls = (...all: Status[]): Item[] =>
	all.map((status, index) => ({ ...buildItem(index, call(['1'])), status }));
/** The requests of one item. */
const parts = (index: number, ...all: Status[]): Item[] =>
	all.map((status) => ({ ...buildItem(index, call(['1'])), status }));
const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };

describe('the warning not to run all items again', () => {
	const texts = { ...buildItem(0, sms(['1', '2', '3'])), status: done({}, 3) };
	const REPEAT = 'Do not run all items again (Send Once per ID guards against that).';

	it.each<[string, Item[], string]>([
		[
			'counts the numbers of the others, and names the first that was not sent',
			[...calls(failed(failure()), failed(UNKNOWN), done({}, 0), PLANNED, PLANNED), texts],
			`Accepted: 3. Perhaps accepted: 1. ${REPEAT} The first item that was not sent is 3.`,
		],
		[
			'names an item of which only some requests went out as such, and never as one that was not sent',
			[
				...calls(failed(UNKNOWN)),
				...parts(1, done({}, 200), PLANNED),
				...parts(2, PLANNED, PLANNED),
			],
			`Accepted: 200. ${REPEAT} Item 1 was sent in part. The first item that was not sent is 2.`,
		],
		[
			'knows that of the item that is told some went out as well',
			[...parts(0, failed(UNKNOWN), PLANNED), ...parts(1, done({}, 3))],
			`Accepted: 3. ${REPEAT} Item 0 was sent in part.`,
		],
		['needs others that were accepted', calls(failed(UNKNOWN), PLANNED), ''],
		[
			'counts what was accepted without its id',
			calls(failed(failure()), failed(failure({ accepted: 'yes' }))),
			`Accepted: 1. ${REPEAT}`,
		],
		[
			'names no ID where nobody is reached',
			[buildTaskItem(failed(failure())), buildTaskItem(done())],
			'Accepted: 1. Do not run all items again.',
		],
		[
			'says how to skip a wrong form if nothing went out',
			[refused, ...calls(PLANNED)],
			'Nothing was sent. To skip rows like this, set On Error to Continue.',
		],
		['says nothing of a single wrong form', [refused], ''],
	])('%s', (_what, items, words) => {
		expect(warnOfRepeating(items, items[0], true)).toBe(words);
		expect(warnOfRepeating(items, items[0], false)).toBe('');
	});
});

describe('what an error has of the other items', () => {
	const report = (items: Item[]) =>
		toReport(
			items,
			items.map((item) => toOutput(item, true)),
		).items;

	it('is what Continue would give, failures first, without secrets, and without what was not sent', () => {
		const task = call(['1'], { secretMembers: ['token'] });
		const unclear = failed(UNKNOWN, { members: { token: 'c', expiresAt: 'd' } });
		const items = [done({ to: '1', token: 'a' }), PLANNED, unclear].map((status, index) => ({
			...buildItem(index, task),
			status,
		}));
		expect(JSON.stringify(report(items))).not.toContain('token');
		expect(report(items)).toEqual([
			{
				itemIndex: 2,
				json: { error: expect.objectContaining({ to: '1', accepted: 'unknown' }) as object },
			},
			{ itemIndex: 0, json: { to: '1' } },
		]);
	});

	it('is 500 at most', () => {
		const items = calls(...Array.from({ length: 600 }, () => done()), failed(failure()));
		const all = report(items);
		expect(all).toHaveLength(500);
		expect(all[0].itemIndex).toBe(600);
	});
});

it('a stopped run throws its first failure, a limit like any other', () => {
	const items = calls(done(), failed(new Error('over')), failed(failure()));
	expect(findThrown(items)).toBe(items[1]);
	expect(findThrown(calls(done()))).toBeUndefined();
});
