import {
	findAcceptance,
	hasFailed,
	isKeptForRetry,
	splitMessage,
} from '../../../nodes/Yuntongxun/executor/model';
import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
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
const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
const message = (status: Status) => ({ ...buildItem(0, call(['1'])), status });

it.each<[string, Item, boolean]>([
	['its form was refused', refused, true],
	['it is planned', message(PLANNED), false],
	['it was done', message(done()), false],
	['it failed', message(failed(failure())), true],
])('an item has failed or not if %s', (_when, item, expected) => {
	expect(hasFailed(item)).toBe(expected);
});

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

it('an SMS to 450 numbers is three items of one index, in list order', () => {
	const numbers = Array.from({ length: 450 }, (_each, at) => String(at));
	const { recipients, status, ...rest } = buildItem(3, sms(numbers));
	const items = splitMessage(rest);
	expect([recipients.length, status]).toEqual([200, PLANNED]);
	expect(items.map(({ index }) => index)).toEqual([3, 3, 3]);
	expect(items.flatMap((item) => item.recipients.map(({ text }) => text))).toEqual(numbers);
});

it('nobody knows whether anything unforeseen was accepted', () => {
	expect([new Error('boom'), failure(), 'x'].map(findAcceptance)).toEqual([
		'unknown',
		'no',
		'unknown',
	]);
});
