import { hasFailed, resetForRetry } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/messages';
import type { Fate, Item, MessageItem } from '../../../nodes/Yuntongxun/executor/model';
import { acceptRehearsed } from '../../../nodes/Yuntongxun/executor/rehearse';
import type { Skip } from '../../../nodes/Yuntongxun/idempotency/reservations';
import {
	answer,
	call,
	failure,
	toFate,
	buildItem,
	perNumber,
	buildRehearsal,
	skipNumbers,
	sms,
	buildTaskItem,
	UNKNOWN,
} from '../../support/messages';

const DUPLICATE: Skip = { reason: 'duplicate' };
const LIMITED: Skip = { reason: 'limit', limit: perNumber(1), end: '' };
const UNSENT: Fate = { state: 'unsent', error: new Error('database') };
const PLANNED: Fate = { state: 'planned' };
const ACCEPTED = toFate(answer('a'));
const REFUSED = toFate(failure());

const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
const dryRun: Item = buildRehearsal(call(['1']));
acceptRehearsed([dryRun], '42');

/** An SMS in requests of one number each, which were left out or ended as told. */
function smsWith(...ends: Array<Fate | Skip>): MessageItem {
	const item = buildItem(
		0,
		sms(
			ends.map((_end, position) => `${position}`),
			1,
		),
	);
	ends.forEach((end, position) => {
		if ('reason' in end) skipNumbers(item, [`${position}`], end);
		else item.requests[position].fate = end;
	});
	return item;
}

describe('an item has failed', () => {
	it.each<[string, Item, boolean]>([
		['if its form was refused', refused, true],
		['not as a dry run', dryRun, false],
		['not before its work', buildTaskItem({ state: 'planned' }), false],
		['not after its work', buildTaskItem({ state: 'done', outputs: [] }), false],
		['if its work has', buildTaskItem({ state: 'failed', error: 'x', accepted: 'no' }), true],
		['not before its requests', smsWith(PLANNED), false],
		['not if all were accepted', smsWith(ACCEPTED), false],
		['if one of its requests has', smsWith(ACCEPTED, toFate(UNKNOWN)), true],
		['if one request was never sent', smsWith(ACCEPTED, UNSENT), true],
		['not by duplicates alone', smsWith(DUPLICATE, DUPLICATE), false],
		['if a limit leaves nobody', smsWith(DUPLICATE, LIMITED), true],
		['not while a number is planned', smsWith(LIMITED, PLANNED), false],
		['not if somebody got it', smsWith(LIMITED, ACCEPTED), false],
	])('%s', (_when, item, expected) => {
		expect(hasFailed(item)).toBe(expected);
	});
});

describe('the next try keeps an item', () => {
	const failedWith = (accepted: 'no' | 'unknown') =>
		buildTaskItem({ state: 'failed', error: 'x', accepted });

	it.each<[string, Item, boolean, boolean]>([
		['never if its form was refused', refused, true, false],
		['never of a dry run', dryRun, true, false],
		['not before its work', buildTaskItem({ state: 'planned' }), true, false],
		['after its work', buildTaskItem({ state: 'done', outputs: [] }), false, true],
		['if it may have changed something', failedWith('unknown'), true, true],
		['not if it certainly changed nothing', failedWith('no'), true, false],
		['not if it only reads', failedWith('unknown'), false, false],
	])('%s', (_when, item, hasSideEffects, expected) => {
		expect(resetForRetry(item, hasSideEffects)).toBe(expected);
	});

	/** The numbers that the next try sends to; undefined if it begins the item anew. */
	const findSentAgain = (item: MessageItem) =>
		resetForRetry(item, true)
			? planRequests([item]).flatMap(({ recipients }) =>
					recipients.map(({ number }) => number.text),
				)
			: undefined;

	it.each<[string, Array<Fate | Skip>, string[] | undefined]>([
		['a call that was accepted: to nobody', [ACCEPTED], []],
		['a call that was perhaps accepted: to nobody', [toFate(UNKNOWN)], []],
		['a call that was refused: anew', [REFUSED], undefined],
		['an SMS of which nothing was accepted: anew', [REFUSED, DUPLICATE], undefined],
		[
			'an SMS that was accepted in part: in the requests that it never sent',
			[ACCEPTED, REFUSED, DUPLICATE, PLANNED, UNSENT],
			['2', '3', '4'],
		],
	])('%s', (_what, ends, expected) => {
		expect(findSentAgain(smsWith(...ends))).toEqual(expected);
	});

	it('a number that was left out of an accepted request stays left out', () => {
		const item = buildItem(0, sms(['1', '2']));
		skipNumbers(item, ['2'], DUPLICATE);
		item.requests[0].fate = ACCEPTED;
		expect(findSentAgain(item)).toEqual([]);
		expect(item.requests[0].recipients[1].skip).toBe(DUPLICATE);
	});

	it('a request whose key may count as used stays as it is, beside those that were never begun', () => {
		const item = smsWith(UNSENT, PLANNED);
		item.requests[0].mayLeaveRecords = true;
		expect(findSentAgain(item)).toEqual(['1']);
		expect(item.requests[0]).toMatchObject({ fate: UNSENT, mayLeaveRecords: true });
	});
});
