import { hasFailed, resetForRetry } from '../../../nodes/Yuntongxun/executor/model';
import type {
	DirectStatus,
	Item,
	MessageItem,
	RecipientStatus,
} from '../../../nodes/Yuntongxun/executor/model';
import {
	answer,
	call,
	failure,
	itemOf,
	sentWith,
	setStatus,
	skippedBy,
	sms,
	UNKNOWN,
} from '../support/messages';

const DUPLICATE = skippedBy({ reason: 'duplicate' });
const LIMITED = skippedBy({ reason: 'limit', quota: { max: 1, period: 'day' }, end: '' });
const FAILED: RecipientStatus = { state: 'failed', error: new Error('database') };

const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
const dryRun: Item = { kind: 'dryRun', index: 0, task: call(['1']) };
const direct = (status: DirectStatus): Item => ({
	kind: 'direct',
	index: 0,
	task: { kind: 'direct', run: async () => [] },
	settings: { format: 'json', timeout: 1 },
	status,
});

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
		['not before its work', direct({ state: 'planned' }), false],
		['not after its work', direct({ state: 'done', outputs: [] }), false],
		['if its work has', direct({ state: 'failed', error: 'x', accepted: 'no' }), true],
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
		direct({ state: 'failed', error: 'x', accepted });

	it.each<[string, Item, boolean, boolean]>([
		['never if its form was refused', refused, true, false],
		['never of a dry run', dryRun, true, false],
		['not before its work', direct({ state: 'planned' }), true, false],
		['after its work', direct({ state: 'done', outputs: [] }), false, true],
		['if it may have changed something', failedWith('unknown'), true, true],
		['not if it certainly changed nothing', failedWith('no'), true, false],
		['not if it only reads', failedWith('unknown'), false, false],
		['if somebody got it', withStatuses(sentWith(answer('a'))), true, true],
		['not if it was refused', withStatuses(sentWith(failure())), true, false],
	])('%s', (_when, item, hasSideEffects, expected) => {
		expect(resetForRetry(item, hasSideEffects)).toBe(expected);
	});

	it('and plans its numbers again, but those that were sent or may count as used', () => {
		const item = withStatuses(sentWith(answer('a')), FAILED, LIMITED, FAILED);
		const [, , , unfreed] = item.recipients;
		item.requests = [
			{ item, recipients: item.recipients.slice(0, 3), mayLeaveRecords: false },
			{ item, recipients: [unfreed], mayLeaveRecords: true },
		];
		expect(resetForRetry(item, true)).toBe(true);
		expect(item.recipients.map(({ status }) => status.state)).toEqual([
			'sent',
			'planned',
			'planned',
			'failed',
		]);
	});
});
