import type { Answer } from '../../../nodes/Yuntongxun/client/client';
import type { Item, MessageItem, NumberResult } from '../../../nodes/Yuntongxun/executor/item';
import { reportOf } from '../../../nodes/Yuntongxun/executor/itemFailure';
import { resultOf } from '../../../nodes/Yuntongxun/executor/itemResult';
import type { Refusal } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { answer, call, failure, itemOf, sms, UNKNOWN, WITHOUT_ID } from '../support/messages';

const NUMBERS = ['1', '2', '3', '4'];
const ENTRY = { statusCode: '000000', dateCreated: '', statusMsg: '', accepted: 'yes' };

/** An SMS to four numbers in two requests of two, which ended as told. */
function smsIn(...ends: Array<Answer | Error | undefined>): MessageItem {
	const item = itemOf(7, sms(NUMBERS));
	ends.forEach((end, part) => {
		if (end === undefined) return;
		const outcome = end instanceof Error ? { thrown: end } : { value: end };
		const result: NumberResult = { ...outcome, isSent: true };
		for (const to of NUMBERS.slice(2 * part, 2 * part + 2)) item.results.set(to, result);
	});
	return item;
}

const errorIn = (item: Item) => {
	const { outputs } = resultOf(item, true);
	expect(outputs).toHaveLength(1);
	return outputs[0].error as Record<string, unknown>;
};

describe('an SMS in several requests', () => {
	it('has the first accepted id and an entry for each', () => {
		expect(resultOf(smsIn(answer('a'), answer('b')), true)).toEqual({
			outputs: [
				{
					statusCode: '000000',
					smsMessageSid: 'a',
					to: '1,2,3,4',
					messages: [
						{ ...ENTRY, to: '1,2', smsMessageSid: 'a' },
						{ ...ENTRY, to: '3,4', smsMessageSid: 'b' },
					],
				},
			],
			failure: undefined,
			accepted: [
				{ statusCode: '000000', to: '1,2', smsMessageSid: 'a' },
				{ statusCode: '000000', to: '3,4', smsMessageSid: 'b' },
			],
			unclear: [],
			notReached: [],
			notAttempted: false,
		});
	});

	it.each([
		['refused, accepted', failure(), answer('b'), 'partly'],
		['accepted, unclear', answer('a'), UNKNOWN, 'partly'],
		['accepted, without its id', answer('a'), WITHOUT_ID, 'yes'],
		['refused, unclear', failure(), UNKNOWN, 'unknown'],
		['refused, refused', failure(), failure(), 'no'],
		['accepted, something unforeseen', answer('a'), new Error('boom'), 'partly'],
	])('that were %s: accepted is %j', (_what, first, second, accepted) => {
		expect(errorIn(smsIn(first, second))).toMatchObject({ accepted, to: '1,2,3,4' });
	});

	it.each([
		['refused and unclear', failure(), UNKNOWN],
		['unclear and refused', UNKNOWN, failure()],
		['accepted and unclear', answer('a'), UNKNOWN],
		['refused and accepted', failure(), answer('b')],
	])('some %s: the advice never says to send again', (_what, first, second) => {
		const { message } = errorIn(smsIn(first, second));
		expect(message).toMatch(/which are unclear/);
		expect(message).not.toMatch(/again/);
	});

	it('that share one fate say so with the advice of the first', () => {
		expect(errorIn(smsIn(failure(), failure())).message).toMatch(/Send it again to any others\./);
		const { message } = errorIn(smsIn(answer('a'), WITHOUT_ID));
		expect(message).toMatch(/Send it again to any others\./);
		expect(errorIn(smsIn(failure(), undefined)).message).not.toMatch(/which are unclear/);
	});

	it('lists what was accepted and what is unclear, by the numbers of each request', () => {
		expect(resultOf(smsIn(failure(), UNKNOWN), true)).toMatchObject({
			accepted: [],
			unclear: [{ to: '3,4' }],
		});
		expect(resultOf(smsIn(WITHOUT_ID, failure()), true)).toMatchObject({
			accepted: [{ statusCode: '000000', to: '1,2' }],
			unclear: [],
		});
	});

	it('says which numbers no request named', () => {
		const { notReached, outputs, failure: failed } = resultOf(smsIn(answer('a'), undefined), true);
		expect([notReached, outputs, failed]).toEqual([[{ to: '3,4' }], [], undefined]);
		expect(errorIn(smsIn(failure(), undefined)).messages).toEqual([
			expect.objectContaining({ to: '1,2', accepted: 'no' }),
			expect.objectContaining({ to: '3,4', accepted: 'no' }),
		]);
	});

	it('lists in its error what was left out, too', () => {
		const item = smsIn(failure());
		for (const to of ['3', '4']) item.results.set(to, { reason: 'total' });
		expect(errorIn(item).leftOut).toEqual([
			{ to: '3', reason: 'total' },
			{ to: '4', reason: 'total' },
		]);
		expect(resultOf(item, true).notReached).toEqual([{ to: '3,4' }]);
		for (const to of ['3', '4']) item.results.set(to, { reason: 'duplicate' });
		expect(resultOf(item, true).notReached).toEqual([]);
	});
});

it('an item of which nothing was tried has no output', () => {
	for (const task of [sms(NUMBERS), call(['1'])]) {
		expect(resultOf(itemOf(0, task), true)).toMatchObject({ outputs: [], notAttempted: true });
	}
});

it('the error of what may have been accepted has the further members of its operation', () => {
	const errorWith = (thrown: Error) => {
		const item = itemOf(0, call(['1'], { errorFields: { expiresAt: 'soon' } }));
		item.results.set('1', { thrown, isSent: true });
		return errorIn(item);
	};
	expect(errorWith(UNKNOWN)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(WITHOUT_ID)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(failure())).not.toHaveProperty('expiresAt');
});

it('an SMS in one request has no list of messages, and its error keeps its own advice', () => {
	const item = itemOf(0, sms(['1', '2']));
	const set = (result: NumberResult) => ['1', '2'].forEach((to) => item.results.set(to, result));
	set({ value: answer('a'), isSent: true });
	expect(resultOf(item, true).outputs).toEqual([
		{ statusCode: '000000', smsMessageSid: 'a', to: '1,2' },
	]);
	set({ thrown: UNKNOWN, isSent: true });
	expect(errorIn(item)).not.toHaveProperty('messages');
	expect(errorIn(item).message).toMatch(/Send it again to any others/);
});

it('an entry of an SMS has the date of its answer', () => {
	const dated = { ...answer('a'), text: () => '20260101120000' };
	const item = smsIn(dated, failure());
	item.ready.task.outputFor = (given) => ({ dateCreated: given.text('dateCreated') });
	expect(errorIn(item).messages).toEqual([
		expect.objectContaining({ dateCreated: '20260101120000', to: '1,2' }),
		expect.objectContaining({ dateCreated: '', smsMessageSid: '', statusCode: '160040' }),
	]);
});

it('nothing is said of an item with neither form nor outcome', () => {
	const nothing = { outputs: [], accepted: [], unclear: [], notReached: [] };
	expect(resultOf({ index: 0, results: new Map() }, true)).toMatchObject(nothing);
});

describe('a number over a limit', () => {
	const limit = { max: 3, period: 'hour' as const, end: '2026-03-01 13:00' };
	const messageOf = (task: Message, refusal: Refusal) => {
		const item = itemOf(0, task);
		for (const to of task.recipients) item.results.set(to, refusal);
		return String(errorIn(item).message);
	};

	it.each([
		[['1'], 'limit', limit, /^The number in 'To' has been reached 3 times this hour through/],
		[['1', '2'], 'limit', limit, /^A number in 'To' has been reached 3 times this hour through/],
		[['1'], 'limit', { ...limit, max: 1 }, /^The number in 'To' has been reached once this hour/],
		[['1'], 'total', { ...limit, period: 'day' }, /^This node has called or texted 3 times today/],
	] as const)('of %j fails its item: %s of %j', (to, reason, over, words) => {
		const message = messageOf(sms([...to]), { reason, limit: over });
		expect(message).toMatch(words);
		expect(message).toContain('Send again after 2026-03-01 13:00 (UTC+8).');
	});
});

describe('work of its own', () => {
	const own = (outcome: Item['outcome']): Item => ({ index: 0, outcome, results: new Map() });

	it('is acknowledged where it changed something', () => {
		const json = { statusCode: '000000', subAccountSid: 'a', subToken: 'secret' };
		const item = own({ value: [json], isSent: true });
		expect(resultOf(item, true)).toMatchObject({
			outputs: [json],
			accepted: [{ statusCode: '000000', subAccountSid: 'a' }],
		});
		expect(resultOf(item, false).accepted).toEqual([]);
		expect(resultOf(item, true)).toMatchObject({ notReached: [], notAttempted: false });
		const empty = resultOf(own({ value: [], isSent: true }), true);
		expect(empty.accepted).toEqual([{ statusCode: '000000' }]);
	});

	it.each([
		['changed something, perhaps', UNKNOWN, true, true, 'unknown', 1],
		['only reads', failure({ accepted: undefined }), true, false, undefined, 0],
		['was never sent', new Error('no'), false, true, 'no', 0],
	])('that %s', (_what, thrown, isSent, changes, accepted, unclear) => {
		const result = resultOf(own({ thrown, isSent }), changes);
		expect(result.failure && reportOf(result.failure).accepted).toBe(accepted);
		expect([result.notAttempted, result.unclear.length]).toEqual([!isSent, unclear]);
	});
});
