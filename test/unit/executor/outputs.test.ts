import type { Answer } from '../../../nodes/Yuntongxun/client/client';
import type { DirectStatus, Item, MessageItem } from '../../../nodes/Yuntongxun/executor/model';
import type { Skip } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import {
	answer,
	call,
	directOf,
	failure,
	itemOf,
	sentWith,
	setStatus,
	shownOf,
	skippedBy,
	sms,
	textsOf,
	UNKNOWN,
	WITHOUT_ID,
} from '../../support/messages';

const NUMBERS = ['1', '2', '3', '4'];
const ENTRY = { statusCode: '000000', dateCreated: '', statusMsg: '', accepted: 'yes' };
const DUPLICATE = skippedBy({ reason: 'duplicate' });

/** An SMS to four numbers in two requests of two, which ended as told. */
function smsIn(...ends: Array<Answer | Error | undefined>): MessageItem {
	const item = itemOf(7, sms(NUMBERS));
	ends.forEach((end, part) => {
		if (end !== undefined) setStatus(item, NUMBERS.slice(2 * part, 2 * part + 2), sentWith(end));
	});
	return item;
}

const errorIn = (item: Item, view: Parameters<typeof shownOf>[1] = {}) => {
	const { outputs } = shownOf(item, view);
	expect(outputs).toHaveLength(1);
	return outputs[0].error as Record<string, unknown>;
};

const NOTHING = {
	accepted: [],
	unclear: [],
	refused: [],
	notReached: [],
	leftOut: [],
	notAttempted: [],
};

describe('an SMS in several requests', () => {
	it('has the first accepted id and an entry for each', () => {
		const { outputs, failure: failed, report } = shownOf(smsIn(answer('a'), answer('b')));
		expect(failed).toBeUndefined();
		expect(outputs).toEqual([
			{
				statusCode: '000000',
				smsMessageSid: 'a',
				to: '1,2,3,4',
				messages: [
					{ ...ENTRY, to: '1,2', smsMessageSid: 'a' },
					{ ...ENTRY, to: '3,4', smsMessageSid: 'b' },
				],
			},
		]);
		expect(report).toEqual({
			...NOTHING,
			accepted: [
				{ itemIndex: 7, statusCode: '000000', to: '1,2', smsMessageSid: 'a' },
				{ itemIndex: 7, statusCode: '000000', to: '3,4', smsMessageSid: 'b' },
			],
		});
	});

	it.each([
		['refused, accepted', failure(), answer('b'), 'partly'],
		['accepted, unclear', answer('a'), UNKNOWN, 'partly'],
		['accepted, without its id', answer('a'), WITHOUT_ID, 'yes'],
		['refused, unclear', failure(), UNKNOWN, 'unknown'],
		['refused, refused', failure(), failure(), 'no'],
		['accepted, something unforeseen', answer('a'), new Error('boom'), 'partly'],
	])('whose parts were %s', (_what, first, second, accepted) => {
		expect(errorIn(smsIn(first, second))).toMatchObject({ accepted, to: '1,2,3,4' });
	});

	it.each([
		['refused and unclear', failure(), UNKNOWN],
		['unclear and refused', UNKNOWN, failure()],
		['accepted and unclear', answer('a'), UNKNOWN],
		['refused and accepted', failure(), answer('b')],
	])('some %s: the advice never says to send again', (_what, first, second) => {
		for (const isForAgent of [false, true]) {
			const { message } = errorIn(smsIn(first, second), { isForAgent });
			expect(message).toMatch(
				isForAgent ? /Not every number was accepted: / : /The list of messages says .* unclear: /,
			);
			expect(message).not.toMatch(/again/);
			if (isForAgent) expect(message).not.toContain('list');
		}
	});

	it.each([
		['accepted, refused', answer('a'), failure(), 'Accepted: 1, 2. Not accepted: 3, 4.'],
		['accepted, unclear', answer('a'), UNKNOWN, 'Accepted: 1, 2. Unclear: 3, 4.'],
		['refused, unclear', failure(), UNKNOWN, 'Unclear: 3, 4. Not accepted: 1, 2.'],
	])('that were %s: the message for an agent lists the numbers of each part', (...row) => {
		const [, first, second, list] = row;
		expect(errorIn(smsIn(first, second), { isForAgent: true }).message).toContain(list);
		expect(errorIn(smsIn(first, second)).message).not.toContain(list);
	});

	const LISTS =
		'The list of messages says which numbers were accepted, which were not, and which are unclear';

	it.each([
		['accepted, refused', answer('a'), failure(), 'keep the accepted ones out of To.'],
		[
			'accepted, unclear',
			answer('a'),
			UNKNOWN,
			'keep the accepted ones out of To, and look up the unclear ones in the Yuntongxun console first.',
		],
		[
			'refused, unclear',
			failure(),
			UNKNOWN,
			'look up the unclear ones in the Yuntongxun console first.',
		],
	])('that were %s: the advice fits both', (_what, first, second, advice) => {
		expect(errorIn(smsIn(first, second)).message).toContain(`. ${LISTS}: ${advice} [item 7]`);
	});

	it('tells an agent what was left out, and why', () => {
		const item = smsIn(answer('a'));
		setStatus(item, ['3'], sentWith(failure()));
		setStatus(item, ['4'], DUPLICATE);
		expect(errorIn(item, { isForAgent: true }).message).toContain(
			'Accepted: 1, 2. Not accepted: 3. Left out: 4 (duplicate).',
		);
	});

	it('of which one failed before its request has the words of the database in no entry', () => {
		const item = smsIn(answer('a'));
		setStatus(item, ['3', '4'], { state: 'failed', error: new Error('locked') });
		const entry = { smsMessageSid: '', dateCreated: '', statusCode: '', statusMsg: '' };
		expect(errorIn(item).messages).toEqual([
			{ ...ENTRY, to: '1,2', smsMessageSid: 'a' },
			{ ...entry, to: '3,4', accepted: 'no' },
		]);
		expect(shownOf(item).failure?.kind).toBe('other');
	});

	it('that all ended alike has the advice of the first', () => {
		expect(errorIn(smsIn(failure(), failure())).message).toMatch(/Send it again to any others\./);
		expect(errorIn(smsIn(answer('a'), WITHOUT_ID)).message).toMatch(/Send it again to any others/);
		expect(errorIn(smsIn(failure(), undefined)).message).not.toMatch(/which are unclear/);
	});

	it('lists what was accepted, refused and is unclear, by the numbers of each request', () => {
		expect(shownOf(smsIn(failure(), UNKNOWN)).report).toEqual({
			...NOTHING,
			refused: [{ itemIndex: 7, to: '1,2', statusCode: '160040' }],
			unclear: [{ itemIndex: 7, to: '3,4' }],
		});
		expect(shownOf(smsIn(WITHOUT_ID, failure())).report).toEqual({
			...NOTHING,
			accepted: [{ itemIndex: 7, statusCode: '000000', to: '1,2' }],
			refused: [{ itemIndex: 7, to: '3,4', statusCode: '160040' }],
		});
	});

	it('lists the numbers that no request reached', () => {
		const { outputs, failure: failed, report } = shownOf(smsIn(answer('a'), undefined));
		expect([outputs, failed]).toEqual([[], undefined]);
		expect(report.notReached).toEqual([{ itemIndex: 7, to: '3,4' }]);
		expect(errorIn(smsIn(failure(), undefined)).messages).toEqual([
			expect.objectContaining({ to: '1,2', accepted: 'no' }),
			expect.objectContaining({ to: '3,4', accepted: 'no' }),
		]);
	});

	it('lists in its error what was left out, too', () => {
		const item = smsIn(failure());
		const quota = { max: 2, period: 'day' as const };
		setStatus(item, ['3', '4'], skippedBy({ reason: 'total', quota, end: '' }));
		expect(errorIn(item).leftOut).toEqual([
			{ to: '3', reason: 'total' },
			{ to: '4', reason: 'total' },
		]);
		expect(shownOf(item).report.leftOut).toEqual([
			{ itemIndex: 7, to: '3', reason: 'total' },
			{ itemIndex: 7, to: '4', reason: 'total' },
		]);
	});

	it('that a stopped run never sent lists its duplicate apart from the others', () => {
		const item = itemOf(7, sms(NUMBERS));
		setStatus(item, ['2'], DUPLICATE);
		const { outputs, report } = shownOf(item);
		expect(outputs).toEqual([]);
		expect(report).toEqual({
			...NOTHING,
			leftOut: [{ itemIndex: 7, to: '2', reason: 'duplicate' }],
			notReached: [{ itemIndex: 7, to: '1,3,4' }],
		});
	});
});

it('the failure of a request is one of the service, of anything else not', () => {
	const kindOf = (end: Error) => shownOf(smsIn(end, end)).failure?.kind;
	expect([kindOf(failure()), kindOf(new Error('boom'))]).toEqual(['service', 'other']);
});

it('a dry run is in no list of numbers', () => {
	const { outputs, report } = shownOf({ kind: 'dryRun', index: 0, task: call(['1']) });
	expect([outputs, report]).toEqual([[expect.objectContaining({ dryRun: true })], NOTHING]);
});

it('an item that was never tried has no output', () => {
	for (const task of [sms(NUMBERS), call(['1'])]) {
		const { outputs, failure: failed, report } = shownOf(itemOf(3, task));
		expect([outputs, failed, report]).toEqual([[], undefined, { ...NOTHING, notAttempted: [3] }]);
	}
});

it('a refused form has its message, and is in no list of numbers', () => {
	const refused: Item = { kind: 'refused', index: 3, error: new Error('Not so') };
	expect(errorIn(refused)).toMatchObject({ message: 'Not so [item 3]', accepted: 'no' });
	expect(errorIn(refused, { hasSideEffects: false })).not.toHaveProperty('accepted');
	expect(shownOf(refused).report).toEqual({ ...NOTHING, notAttempted: [3] });
});

it('the error of a request that may have been accepted has the members its operation adds', () => {
	const errorWith = (end: Error) => {
		const item = itemOf(0, call(['1'], { errorFields: { expiresAt: 'soon' } }));
		setStatus(item, ['1'], sentWith(end));
		return errorIn(item);
	};
	expect(errorWith(UNKNOWN)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(WITHOUT_ID)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(failure())).not.toHaveProperty('expiresAt');
});

it('an SMS in one request has no list of messages, and its error keeps its own advice', () => {
	const item = itemOf(0, sms(['1', '2']));
	setStatus(item, ['1', '2'], sentWith(answer('a')));
	expect(shownOf(item).outputs).toEqual([{ statusCode: '000000', smsMessageSid: 'a', to: '1,2' }]);
	setStatus(item, ['1', '2'], sentWith(UNKNOWN));
	expect(errorIn(item)).not.toHaveProperty('messages');
	expect(errorIn(item).message).toMatch(/Send it again to any others/);
});

it('an entry of an SMS has the date of its answer', () => {
	const dated = { ...answer('a'), text: () => '20260101120000' };
	const item = smsIn(dated, failure());
	item.task.outputFor = (given) => ({ dateCreated: given.text('dateCreated') });
	expect(errorIn(item).messages).toEqual([
		expect.objectContaining({ dateCreated: '20260101120000', to: '1,2' }),
		expect.objectContaining({ dateCreated: '', smsMessageSid: '', statusCode: '160040' }),
	]);
});

describe('a key that may count as used', () => {
	const uncertain = (task: Message, end?: Error) => {
		const item = itemOf(0, task, { key: 'a' });
		item.requests = [{ item, recipients: item.recipients, mayLeaveRecords: true }];
		if (end) setStatus(item, textsOf(task), sentWith(end));
		return item;
	};

	it('is mentioned in the error of a rejected call, with what to do', () => {
		const { message } = errorIn(uncertain(call(['1']), failure()));
		expect(message).toMatch(
			/^It was refused \(code 160040\)\. .* may count as used .* use another/,
		);
	});

	it('is mentioned in the error of an SMS that was accepted in part', () => {
		const item = smsIn(answer('a'), failure());
		item.requests = [{ item, recipients: item.recipients.slice(2), mayLeaveRecords: true }];
		for (const isForAgent of [false, true]) {
			const { message } = errorIn(item, { isForAgent });
			expect(message).toMatch(
				/keep the accepted ones out of To.* may count as used .* use another/,
			);
		}
	});

	it('is mentioned beside a limit that leaves no number', () => {
		const item = uncertain(call(['1']));
		const quota = { max: 1, period: 'day' as const };
		setStatus(item, ['1'], skippedBy({ reason: 'limit', quota, end: 'tomorrow' }));
		expect(errorIn(item).message).toMatch(/Send again after tomorrow .* may count as used/);
	});
});

describe('a number over a limit', () => {
	const over: Extract<Skip, { reason: 'limit' | 'total' }> = {
		reason: 'limit',
		quota: { max: 3, period: 'hour' },
		end: '2026-03-01 13:00',
	};
	const shownWith = (task: Message, skip: Skip) => {
		const item = itemOf(0, task);
		setStatus(item, textsOf(task), skippedBy(skip));
		return shownOf(item);
	};

	it.each<[string[], Partial<typeof over>, RegExp]>([
		[['1'], {}, /^The number in 'To' has been reached 3 times this hour through/],
		[['1', '2'], {}, /^A number in 'To' has been reached 3 times this hour through/],
		[
			['1'],
			{ quota: { max: 1, period: 'hour' } },
			/^The number in 'To' has been reached once this hour/,
		],
		[
			['1'],
			{ reason: 'total', quota: { max: 3, period: 'day' } },
			/^This node has called or texted 3 times today/,
		],
	])('of %j fails its item: %j', (to, changes, words) => {
		const { outputs, failure: failed, report } = shownWith(sms(to), { ...over, ...changes });
		const { message } = outputs[0].error as { message: string };
		expect(message).toMatch(words);
		expect(message).toContain('Send again after 2026-03-01 13:00 (UTC+8).');
		expect(failed).toMatchObject({ kind: 'limit', accepted: 'no' });
		expect(report.leftOut.map((entry) => entry.to)).toEqual(to);
	});

	it('of a call gets no list of left-out numbers', () => {
		expect(shownWith(call(['1']), over).outputs[0].error).not.toHaveProperty('leftOut');
	});

	it('names the limit, not the duplicates before it', () => {
		const item = itemOf(0, sms(['1', '2']));
		setStatus(item, ['1'], DUPLICATE);
		setStatus(item, ['2'], skippedBy(over));
		expect(errorIn(item).message).toMatch(/reached 3 times this hour/);
	});

	it('fails no item whose numbers its key has reached', () => {
		const { outputs, failure: failed } = shownWith(sms(['1', '2']), { reason: 'duplicate' });
		expect(failed).toBeUndefined();
		expect(outputs).toEqual([{ duplicate: true, idempotencyKey: undefined, to: '1,2' }]);
	});
});

describe('work that reaches nobody', () => {
	const direct = (status: DirectStatus) => directOf(status, {}, 4);

	it('is listed as accepted if it changed something', () => {
		const json = { statusCode: '000000', subAccountSid: 'a', subToken: 'secret' };
		const item = direct({ state: 'done', outputs: [json] });
		const { outputs, report } = shownOf(item);
		expect(outputs).toEqual([json]);
		expect(report).toEqual({
			...NOTHING,
			accepted: [{ itemIndex: 4, statusCode: '000000', subAccountSid: 'a' }],
		});
		expect(shownOf(item, { hasSideEffects: false }).report).toEqual(NOTHING);
	});

	it.each([
		['may have changed something', UNKNOWN, true, 'unknown', { unclear: [{ itemIndex: 4 }] }],
		['was refused', failure(), true, 'no', { refused: [{ itemIndex: 4, statusCode: '160040' }] }],
		['only reads', failure({ accepted: undefined }), false, undefined, {}],
	])('that %s', (_what, error, hasSideEffects, accepted, lists) => {
		const item = direct({ state: 'failed', error, accepted: error.facts.accepted ?? 'unknown' });
		const { failure: failed, report } = shownOf(item, { hasSideEffects });
		expect(failed?.accepted).toBe(accepted);
		expect(report).toEqual({ ...NOTHING, ...lists });
	});

	it('that the run stopped before is not attempted', () => {
		const { outputs, report } = shownOf(direct({ state: 'planned' }));
		expect([outputs, report.notAttempted]).toEqual([[], [4]]);
	});
});
