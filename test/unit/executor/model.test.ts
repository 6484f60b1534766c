import { hasFailed, resetForRetry } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import type { Item, MessageItem, RecipientStatus } from '../../../nodes/Yuntongxun/executor/model';
import {
	answer,
	call,
	directOf,
	failure,
	itemOf,
	sentWith,
	setStatus,
	skippedBy,
	sms,
	UNKNOWN,
} from '../../support/messages';

const DUPLICATE = skippedBy({ reason: 'duplicate' });
const LIMITED = skippedBy({ reason: 'limit', quota: { max: 1, period: 'day' }, end: '' });
const FAILED: RecipientStatus = { state: 'failed', error: new Error('database') };

const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
const dryRun: Item = { kind: 'dryRun', index: 0, task: call(['1']) };

/** An SMS to as many numbers as there are statuses. */
function withStatuses(...statuses: RecipientStatus[]): MessageItem {
	const item = itemOf(0, sms(statuses.map((_status, index) => `${index}`)));
	statuses.forEach((status, index) => setStatus(item, [`${index}`], status));
	return item;
}

describe('an item has failed', () => {
	it.each<[string, Item, boolean]>([
		['if its form was refused', refused, true],
		['not as a dry run', dryRun, false],
		['not before its work', directOf({ state: 'planned' }), false],
		['not after its work', directOf({ state: 'done', outputs: [] }), false],
		['if its work has', directOf({ state: 'failed', error: 'x', accepted: 'no' }), true],
		['not before its requests', withStatuses({ state: 'planned' }), false],
		['not if all were accepted', withStatuses(sentWith(answer('a'))), false],
		['if one of its requests has', withStatuses(sentWith(answer('a')), sentWith(UNKNOWN)), true],
		['if one number was never sent', withStatuses(sentWith(answer('a')), FAILED), true],
		['not by duplicates alone', withStatuses(DUPLICATE, DUPLICATE), false],
		['if a limit leaves nobody', withStatuses(DUPLICATE, LIMITED), true],
		['not while a number is planned', withStatuses(LIMITED, { state: 'planned' }), false],
		['not if somebody got it', withStatuses(LIMITED, sentWith(answer('a'))), false],
	])('%s', (_when, item, expected) => {
		expect(hasFailed(item)).toBe(expected);
	});
});

describe('the next try keeps an item', () => {
	const failedWith = (accepted: 'no' | 'unknown') =>
		directOf({ state: 'failed', error: 'x', accepted });

	it.each<[string, Item, boolean, boolean]>([
		['never if its form was refused', refused, true, false],
		['never of a dry run', dryRun, true, false],
		['not before its work', directOf({ state: 'planned' }), true, false],
		['after its work', directOf({ state: 'done', outputs: [] }), false, true],
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

	it.each<[string, RecipientStatus[], string[] | undefined]>([
		['a call that was accepted: to nobody', [sentWith(answer('a'))], []],
		['a call that was perhaps accepted: to nobody', [sentWith(UNKNOWN)], []],
		['a call that was refused: anew', [sentWith(failure())], undefined],
		['an SMS of which nothing was accepted: anew', [sentWith(failure()), DUPLICATE], undefined],
		[
			'an SMS that was accepted in part: to the numbers that it never reached',
			[sentWith(answer('a')), sentWith(failure()), DUPLICATE, { state: 'planned' }],
			['2', '3'],
		],
	])('%s', (_what, statuses, expected) => {
		expect(findSentAgain(withStatuses(...statuses))).toEqual(expected);
	});

	it('a number whose key may count as used stays as it is, beside those that were never begun', () => {
		const item = itemOf(0, sms(['1', '2'], 'text', 1));
		const [first] = planRequests([item]);
		first.mayLeaveRecords = true;
		setStatus(item, ['1'], FAILED);
		expect(findSentAgain(item)).toEqual(['2']);
		expect(item.recipients[0].status).toBe(FAILED);
		expect(item.requests.map(({ mayLeaveRecords }) => mayLeaveRecords)).toEqual([true, false]);
	});

	it('a request that left no record behind is not kept beside one that was accepted', () => {
		const item = withStatuses(sentWith(answer('a')), FAILED);
		item.requests = [{ item, recipients: item.recipients, mayLeaveRecords: false }];
		expect(findSentAgain(item)).toEqual(['1']);
	});
});
