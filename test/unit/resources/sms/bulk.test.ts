import { RunStopped } from '../../../../nodes/Yuntongxun/execution/notBegun';
import { partsOf, textAll } from '../../../../nodes/Yuntongxun/resources/sms/bulk';
import type { Answer } from '../../../../nodes/Yuntongxun/client/client';
import { ServiceFailure } from '../../../../nodes/Yuntongxun/client/serviceFailure';
import type { Accepted } from '../../../../nodes/Yuntongxun/client/serviceFailure';

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));

describe('the parts', () => {
	it.each([
		[[1], [1]],
		[[200], [200]],
		[[201], [200, 1]],
		[[450], [200, 200, 50]],
		[
			[250, 100],
			[200, 150],
		],
		[
			[100, 100, 1],
			[200, 1],
		],
		[
			[150, 100],
			[150, 100],
		],
	])('of items of %j numbers are %j', (sizes, expected) => {
		const parts = partsOf(sizes.map((size, item) => numbers(size, 1000 * item)));
		expect(parts.map(({ length }) => length)).toEqual(expected);
	});

	it('of 10,000 items are 50, in no time', () => {
		expect(partsOf(numbers(10_000).map((each) => [each]))).toHaveLength(50);
	});
});

const answerOf = (id: string): Answer => ({
	statusCode: '000000',
	text: (name) =>
		({ statusCode: '000000', smsMessageSid: id, dateCreated: '20260102030405' })[name] ?? '',
	records: [],
});
const failure = (statusCode: string, accepted: Accepted) =>
	new ServiceFailure({ happened: 'No', advice: 'Wait.', statusCode, statusMsg: '不', accepted });

/** Sends to the items; the requests end as told, in order. */
async function sent(all: string[][], ...endings: Array<string | Error>) {
	const requests: string[][] = [];
	const outputs = await Promise.allSettled(
		textAll(all, async (members, numbersFor) => {
			const ending = endings[requests.push(numbersFor(members)) - 1];
			if (typeof ending === 'string') return answerOf(ending);
			throw ending;
		}),
	);
	const results = outputs.map((each) =>
		each.status === 'fulfilled' ? { output: each.value } : { thrown: each.reason as unknown },
	);
	return { requests, results };
}

const message = (id: string, to: string[]) => ({
	to: to.join(','),
	statusCode: '000000',
	smsMessageSid: id,
	dateCreated: '20260102030405',
	statusMsg: '',
	accepted: 'yes',
});
const refused = (to: string[], statusCode: string, accepted: string, statusMsg = '不') => ({
	to: to.join(','),
	statusCode,
	smsMessageSid: '',
	dateCreated: '',
	statusMsg,
	accepted,
});

describe('an item', () => {
	it('of one request has no messages', async () => {
		const { results } = await sent([numbers(2)], 'a');
		expect(results).toEqual([
			{
				output: [
					{
						statusCode: '000000',
						smsMessageSid: 'a',
						dateCreated: '20260102030405',
						createdAt: '2026-01-02T03:04:05+08:00',
						to: '13800000000,13800000001',
					},
				],
			},
		]);
	});

	it('of several requests has an entry for each, and the first id outside', async () => {
		const all = numbers(201);
		const { results } = await sent([all], 'a', 'b');
		expect(results).toEqual([
			{
				output: [
					expect.objectContaining({
						smsMessageSid: 'a',
						to: all.join(','),
						messages: [message('a', all.slice(0, 200)), message('b', all.slice(200))],
					}),
				],
			},
		]);
	});

	it.each<[Accepted, Array<string | Error>, string[]]>([
		['partly', ['a', failure('160040', 'no')], ['yes', 'no']],
		['partly', ['a', failure('', 'unknown')], ['yes', 'unknown']],
		['partly', [new RunStopped(), 'b'], ['no', 'yes']],
		['unknown', [failure('160040', 'no'), failure('', 'unknown')], ['no', 'unknown']],
		['no', [failure('160040', 'no'), new RunStopped()], ['no', 'no']],
		['yes', ['a', failure('000000', 'yes')], ['yes', 'yes']],
		['unknown', [new Error('?'), new RunStopped()], ['unknown', 'no']],
	])('of several requests was accepted %s', async (accepted, endings, each) => {
		const [result] = (await sent([numbers(201)], ...endings)).results;
		const { facts } = (result as { thrown: ServiceFailure }).thrown;
		expect(facts.accepted).toBe(accepted);
		expect(facts.messages?.map((one) => one.accepted)).toEqual(each);
	});

	it('that failed in part tells the code and the numbers of what failed', async () => {
		const all = numbers(201);
		const [result] = (await sent([all], 'a', failure('160040', 'no'))).results;
		const { facts, message: words } = (result as { thrown: ServiceFailure }).thrown;
		expect(facts).toMatchObject({ statusCode: '160040', statusMsg: '不' });
		expect(facts.messages).toEqual([
			message('a', all.slice(0, 200)),
			refused(all.slice(200), '160040', 'no'),
		]);
		expect(words).toContain('Other requests of the same item were accepted');
	});

	it('none of whose requests was begun was not begun', async () => {
		expect((await sent([numbers(201)], new RunStopped(), new RunStopped())).results).toEqual([
			{ thrown: new RunStopped() },
		]);
	});
});

describe('items that share requests', () => {
	it('are asked for with each request that names one of their numbers', async () => {
		const asked: number[][] = [];
		const all = [numbers(150), [...numbers(1), ...numbers(100, 1000)], numbers(2, 1098)];
		await Promise.all(
			textAll(all, async (members) => {
				asked.push(members);
				return answerOf('a');
			}),
		);
		expect(asked).toEqual([
			[0, 1],
			[1, 2],
		]);
	});

	it('leave out the numbers that only an item names that is not admitted', async () => {
		const requests: string[][] = [];
		const all = [numbers(3), numbers(3, 2), numbers(2, 10)];
		await Promise.all(
			textAll(all, async (_members, numbersFor) => {
				requests.push(numbersFor([1]));
				return answerOf('a');
			}),
		);
		expect(requests).toEqual([numbers(3, 2)]);
	});

	it('get the id of the request that carried them, and only theirs fails', async () => {
		const all = [numbers(150), numbers(50, 1000), numbers(10, 2000)];
		const thrown = failure('160040', 'no');
		const { requests, results } = await sent(all, 'a', thrown);
		expect(requests.map(({ length }) => length)).toEqual([200, 10]);
		expect(results).toEqual([
			{ output: [expect.objectContaining({ smsMessageSid: 'a', to: all[0].join(',') })] },
			{ output: [expect.objectContaining({ smsMessageSid: 'a', to: all[1].join(',') })] },
			{ thrown },
		]);
	});

	it('send a number that two name once, and both get its id', async () => {
		const { requests, results } = await sent([numbers(2), numbers(2, 1)], 'a');
		expect(requests).toEqual([numbers(3)]);
		expect(results).toEqual([
			{ output: [expect.objectContaining({ smsMessageSid: 'a', to: numbers(2).join(',') })] },
			{ output: [expect.objectContaining({ smsMessageSid: 'a', to: numbers(2, 1).join(',') })] },
		]);
	});
});
