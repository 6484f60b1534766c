import type { Answer } from '../../../nodes/Yuntongxun/client/request';
import type { Item, MessageItem, TaskStatus } from '../../../nodes/Yuntongxun/executor/model';
import type { Skip } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import {
	answer,
	call,
	endRequests,
	failure,
	inTotal,
	buildItem,
	perNumber,
	buildRehearsal,
	showItem,
	skipNumbers,
	sms,
	buildTaskItem,
	getTexts,
	UNKNOWN,
	WITHOUT_ID,
} from '../../support/messages';

const NUMBERS = ['1', '2', '3', '4'];
const ENTRY = { statusCode: '000000', dateCreated: '', statusMsg: '', accepted: 'yes' };
const DUPLICATE: Skip = { reason: 'duplicate' };

/** An SMS to four numbers in two requests of two, which ended as told. */
function smsIn(...ends: Array<Answer | Error | undefined>): MessageItem {
	const item = buildItem(7, sms(NUMBERS, 2));
	endRequests(item, ...ends);
	return item;
}

const errorIn = (item: Item, hasSideEffects = true) => {
	const { outputs } = showItem(item, hasSideEffects);
	expect(outputs).toHaveLength(1);
	return outputs[0].error as Record<string, unknown>;
};

describe('an SMS in several requests', () => {
	it('has the first accepted id and an entry for each', () => {
		const { outputs, failure: failed, rows } = showItem(smsIn(answer('a'), answer('b')));
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
		const accepted = { itemIndex: 7, state: 'accepted', statusCode: '000000' };
		expect(rows).toEqual([
			{ ...accepted, to: '1,2', smsMessageSid: 'a' },
			{ ...accepted, to: '3,4', smsMessageSid: 'b' },
		]);
	});

	const KEEP_OUT = 'Some numbers were accepted: keep them out of To.';
	const LOOK_UP =
		'Nobody can tell whether some numbers were accepted: look those up in the Yuntongxun console first.';
	const BOTH = `${KEEP_OUT} ${LOOK_UP}`;

	it.each([
		['partly', answer('a'), failure(), KEEP_OUT],
		['partly', failure(), answer('b'), KEEP_OUT],
		['partly', answer('a'), new Error('boom'), BOTH],
		['unknown', failure(), UNKNOWN, LOOK_UP],
		['unknown', UNKNOWN, failure(), LOOK_UP],
	])('an SMS that was accepted %s has advice for both requests', (...row) => {
		const [accepted, first, second, advice] = row;
		const { message, ...told } = errorIn(smsIn(first, second));
		expect(told).toMatchObject({ accepted, to: '1,2,3,4' });
		expect(message).toMatch(
			new RegExp(`\\. ${advice} The list of messages says which these are\\. \\[item 7]$`),
		);
		expect(message).not.toMatch(/again/);
	});

	it('an SMS of which one failed before its request has the words of the database in no entry', () => {
		const item = smsIn(answer('a'));
		item.requests[1].fate = { state: 'unsent', error: new Error('locked') };
		const entry = { smsMessageSid: '', dateCreated: '', statusCode: '', statusMsg: '' };
		expect(errorIn(item).messages).toEqual([
			{ ...ENTRY, to: '1,2', smsMessageSid: 'a' },
			{ ...entry, to: '3,4', accepted: 'no' },
		]);
		expect(showItem(item).failure?.kind).toBe('other');
	});

	it('an SMS that all ended alike has the advice of the first', () => {
		const message = expect.stringMatching(/Send it again to any others\./) as string;
		expect(errorIn(smsIn(failure(), failure()))).toMatchObject({ message, accepted: 'no' });
		expect(errorIn(smsIn(answer('a'), WITHOUT_ID))).toMatchObject({ message, accepted: 'yes' });
		expect(errorIn(smsIn(failure(), undefined)).message).not.toMatch(/which are unclear/);
	});

	it('has a row for each request: refused, unclear, accepted without its id, not sent', () => {
		expect(showItem(smsIn(failure(), UNKNOWN)).rows).toEqual([
			{ itemIndex: 7, to: '1,2', state: 'refused', statusCode: '160040' },
			{ itemIndex: 7, to: '3,4', state: 'unclear' },
		]);
		expect(showItem(smsIn(WITHOUT_ID, undefined)).rows).toEqual([
			{ itemIndex: 7, to: '1,2', state: 'accepted', statusCode: '000000' },
			{ itemIndex: 7, to: '3,4', state: 'notSent' },
		]);
	});

	it('an SMS that the run stopped within has no output, and an entry for each request beside an error', () => {
		const { outputs, failure: failed } = showItem(smsIn(answer('a'), undefined));
		expect([outputs, failed]).toEqual([[], undefined]);
		expect(errorIn(smsIn(failure(), undefined)).messages).toEqual([
			expect.objectContaining({ to: '1,2', statusCode: '160040', accepted: 'no' }),
			expect.objectContaining({ to: '3,4', statusCode: '', accepted: 'no' }),
		]);
	});

	it('lists in its error what was left out, in one row for each reason', () => {
		const item = smsIn(failure());
		skipNumbers(item, ['2'], DUPLICATE);
		skipNumbers(item, ['3', '4'], { reason: 'limit', limit: inTotal(2), end: '' });
		expect(errorIn(item).leftOut).toEqual([
			{ to: '2', reason: 'duplicate' },
			{ to: '3', reason: 'limit', by: 'total' },
			{ to: '4', reason: 'limit', by: 'total' },
		]);
		expect(showItem(item).rows).toEqual([
			{ itemIndex: 7, to: '1', state: 'refused', statusCode: '160040' },
			{ itemIndex: 7, to: '2', state: 'leftOut', reason: 'duplicate' },
			{ itemIndex: 7, to: '3,4', state: 'leftOut', reason: 'limit' },
		]);
	});
});

it('the failure of a request is one of the service, of anything else not', () => {
	const failureKind = (end: Error) => showItem(smsIn(end, end)).failure?.kind;
	expect([failureKind(failure()), failureKind(new Error('boom'))]).toEqual(['service', 'other']);
});

it('a dry run has no row', () => {
	const { outputs, rows } = showItem(buildRehearsal(call(['1'])));
	expect([outputs, rows]).toEqual([[expect.objectContaining({ dryRun: true })], []]);
});

it('a refused form has its message, and a row without numbers', () => {
	const refused: Item = { kind: 'refused', index: 3, error: new Error('Not so') };
	expect(errorIn(refused)).toMatchObject({ message: 'Not so [item 3]', accepted: 'no' });
	expect(errorIn(refused, false)).not.toHaveProperty('accepted');
	expect(showItem(refused).rows).toEqual([{ itemIndex: 3, state: 'notSent' }]);
});

it('the error of a request that may have been accepted has the members its operation adds', () => {
	const errorWith = (end: Error) => {
		const item = buildItem(0, call(['1'], { errorFields: { expiresAt: 'soon' } }));
		endRequests(item, end);
		return errorIn(item);
	};
	expect(errorWith(UNKNOWN)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(WITHOUT_ID)).toMatchObject({ expiresAt: 'soon' });
	expect(errorWith(failure())).not.toHaveProperty('expiresAt');
});

it('an SMS in one request has no list of messages, and its error keeps its own advice', () => {
	const item = buildItem(0, sms(['1', '2']));
	endRequests(item, answer('a'));
	expect(showItem(item).outputs).toEqual([{ statusCode: '000000', smsMessageSid: 'a', to: '1,2' }]);
	endRequests(item, UNKNOWN);
	expect(errorIn(item)).not.toHaveProperty('messages');
	expect(errorIn(item).message).toMatch(/Send it again to any others/);
});

describe('a key that may count as used', () => {
	const uncertain = (task: Message, end?: Error) => {
		const item = buildItem(0, task, { key: 'a' });
		item.requests[0].mayLeaveRecords = true;
		endRequests(item, end);
		return item;
	};

	it('is mentioned in the error of a rejected call, with what to do', () => {
		const { message } = errorIn(uncertain(call(['1']), failure()));
		expect(message).toMatch(
			/^It was refused \(code 160040\)\. .* may count as used .* use another/,
		);
	});

	it('is mentioned beside a limit that leaves no number', () => {
		const item = uncertain(call(['1']));
		skipNumbers(item, ['1'], { reason: 'limit', limit: perNumber(1), end: 'tomorrow' });
		expect(errorIn(item).message).toMatch(/Send again after tomorrow .* may count as used/);
	});
});

describe('a number over a limit', () => {
	const over: Extract<Skip, { reason: 'limit' }> = {
		reason: 'limit',
		limit: perNumber(3, 'hour'),
		end: '2026-03-01 13:00',
	};
	const shownWith = (task: Message, skip: Skip) => {
		const item = buildItem(0, task);
		skipNumbers(item, getTexts(task), skip);
		return showItem(item);
	};

	it.each<[string[], Partial<typeof over>, RegExp]>([
		[
			['1'],
			{},
			/^A number in 'To' has been reached 3 times this hour through this node, as often as Limits allows\. /,
		],
		[['1'], { limit: perNumber(1, 'hour') }, /^A number in 'To' has been reached once this hour/],
		[
			['1'],
			{ limit: inTotal(3) },
			/^This node has called or texted 3 times today, or is about to, as often as Limits allows/,
		],
	])('of %j fails its item: %j', (to, changes, words) => {
		const { outputs, failure: failed, rows } = shownWith(sms(to), { ...over, ...changes });
		const { message } = outputs[0].error as { message: string };
		expect(message).toMatch(words);
		expect(message).toContain('Send again after 2026-03-01 13:00 (UTC+8).');
		expect(failed).toMatchObject({ kind: 'limit', accepted: 'no' });
		expect(rows).toEqual([{ itemIndex: 0, to: to.join(','), state: 'leftOut', reason: 'limit' }]);
	});

	it('of a call gets no list of left-out numbers', () => {
		expect(shownWith(call(['1']), over).outputs[0].error).not.toHaveProperty('leftOut');
	});

	it('names the limit, not the duplicates before it', () => {
		const item = buildItem(0, sms(['1', '2']));
		skipNumbers(item, ['1'], DUPLICATE);
		skipNumbers(item, ['2'], over);
		expect(errorIn(item).message).toMatch(/reached 3 times this hour/);
	});

	it.each([
		['1', '2', '3'],
		['3', '1', '2'],
	])('names the limit that ends last, wherever it stands: %s, %s, %s', (...numbers) => {
		const item = buildItem(0, sms(numbers));
		for (const number of numbers) {
			skipNumbers(item, [number], { ...over, end: `2026-03-0${number} 00:00` });
		}
		expect(errorIn(item).message).toContain('Send again after 2026-03-03 00:00 (UTC+8).');
	});
});

describe('work that reaches nobody', () => {
	const task = (status: TaskStatus) => buildTaskItem(status, { id: 'subAccountSid' }, 4);

	it('is listed as accepted if it changed something', () => {
		const json = { statusCode: '000000', subAccountSid: 'a', subToken: 'secret' };
		const item = task({ state: 'done', outputs: [json] });
		const { outputs, rows } = showItem(item);
		expect(outputs).toEqual([json]);
		expect(rows).toEqual([
			{ itemIndex: 4, state: 'accepted', statusCode: '000000', subAccountSid: 'a' },
		]);
		expect(showItem(item, false).rows).toEqual([]);
	});

	it.each([
		['may have changed something', UNKNOWN, true, 'unknown', [{ itemIndex: 4, state: 'unclear' }]],
		[
			'was refused',
			failure(),
			true,
			'no',
			[{ itemIndex: 4, state: 'refused', statusCode: '160040' }],
		],
		['only reads', failure({ accepted: undefined }), false, undefined, []],
	])('work that %s', (_what, error, hasSideEffects, accepted, expected) => {
		const item = task({ state: 'failed', error, accepted: error.facts.accepted ?? 'unknown' });
		const { failure: failed, rows } = showItem(item, hasSideEffects);
		expect(failed?.accepted).toBe(accepted);
		expect(rows).toEqual(expected);
	});

	it('work that the run stopped before is not attempted', () => {
		const { outputs, rows } = showItem(task({ state: 'planned' }));
		expect([outputs, rows]).toEqual([[], [{ itemIndex: 4, state: 'notSent' }]]);
	});
});
