import { findAcceptance, isKeptForRetry } from '../../../nodes/Yuntongxun/executor/model';
import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
import {
	buildItem,
	buildTaskItem,
	call,
	done,
	failed,
	failure,
	UNKNOWN,
} from '../../support/messages';

const PLANNED: Status = { state: 'planned' };
const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
const message = (status: Status) => ({ ...buildItem(0, call(['1'])), status });

it.each<[string, Item, boolean, boolean]>([
	['never if its form was refused', refused, true, false],
	['not before it was sent', message(PLANNED), true, false],
	['after it was accepted', message(done()), true, true],
	['not of duplicates alone or a dry run', message(done({}, 0)), true, false],
	['after it was perhaps accepted', message(failed(UNKNOWN)), true, true],
	['not after it was refused', message(failed(failure())), true, false],
	['if its ID may count as used', message(failed(failure(), { mayCountAsUsed: true })), true, true],
	['after work', buildTaskItem(done({}, 0)), false, true],
	['not after work that only reads', buildTaskItem(failed(UNKNOWN)), false, false],
])('the next try keeps an item %s', (_when, item, hasSideEffects, expected) => {
	expect(isKeptForRetry(item, hasSideEffects)).toBe(expected);
});

it('nobody knows whether anything unforeseen was accepted', () => {
	expect([new Error('boom'), failure(), 'x'].map(findAcceptance)).toEqual([
		'unknown',
		'no',
		'unknown',
	]);
});
