import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useDeduplication } from '../support/deduplication';
import { CONTINUE } from '../support/engine';
import { getItems, getJson, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

const [A, B, C] = ['13800000005', '13900000005', '13700000005'];
const duplicate = (idempotencyKey: string, to: string) => ({ duplicate: true, idempotencyKey, to });

const calls = (options: INodeParameters = { idempotencyKey: '={{ $json.key }}' }) =>
	operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options);

const texts = (options: INodeParameters) =>
	operation('sms', 'send', { to: '={{ $json.to }}', templateId: '100000' }, options);

type Items = Array<INodeExecutionData['json']>;

/** What the first item of each round gives. */
const looped = async (rounds: Items, parameters = calls()) =>
	(await service.loop(parameters, rounds, CONTINUE)).map((each) => getJson(each)[0]);

const once = async (items: Items, parameters: INodeParameters, settings = CONTINUE) =>
	await service.run(parameters, { items, settings });
const reached = () =>
	service.simulator.accepted().flatMap((one) => (one.kind === 'call' ? [one.to] : []));

it('a key that has reached a number sends it nothing more, and the item says so', async () => {
	const results = await looped([
		{ to: A, key: 'one' },
		{ to: A, key: ' one ' },
		{ to: A, key: 'two' },
		{ to: B, key: 'one' },
	]);
	expect(results[0]).toMatchObject({ statusCode: '000000', to: A });
	expect(results[1]).toEqual(duplicate('one', A));
	expect(results[2]).toMatchObject({ statusCode: '000000', to: A });
	expect(results[3]).toMatchObject({ statusCode: '000000', to: B });
	expect(reached()).toEqual([A, A, B]);
});

describe('A limit for each number', () => {
	const limited = (most: number, options: INodeParameters = {}) =>
		calls({ limits: { rule: [{ by: 'number', max: most, per: 'day' }] }, ...options });
	const OVER =
		/^A number in 'To' has been reached (once|2 times) (today|this hour) through this node, or is about to be, as often as Limits allows\. Send again after 20\d\d-\d\d-\d\d \d\d:00 \(UTC\+8\)\. \[item \d+\]$/;

	it('refuses what would reach a number more often, in one run and in the next', async () => {
		const rounds = [A, B, A, A].map((to) => ({ to }));
		const results = await looped(rounds, limited(2));
		const codes = results.slice(0, 3).map(({ statusCode }) => statusCode);
		expect(codes).toEqual(Array(3).fill('000000'));
		expect(readReport(results[3])).toEqual({
			message: expect.stringMatching(OVER) as string,
			statusCode: '',
			statusMsg: '',
			accepted: 'no',
			to: A,
		});
		const items = [A, A, B].map((to) => ({ to }));
		const run = await once(items, limited(1));
		expect(getJson(run).map((json) => 'error' in json)).toEqual([false, true, false]);
	});
});

describe('an ID that a wrong expression made', () => {
	const ITEMS: Items = [{ to: A, id: 7 }, { to: B }, { to: C, id: { a: 1 } }];
	const limitBy = (value: string): INodeParameters => ({
		limits: { rule: [{ by: 'value', value, max: 5 }] },
	});
	const messages = async (options: INodeParameters) =>
		getJson(await once(ITEMS, calls(options))).map((json) =>
			'error' in json ? readReport(json).message : 'sent',
		);

	it.each([
		['order-{{ $json.id }}', [/^sent$/, /gives nothing/, /holds "\[object Object\]"/]],
		["{{ $json.id || 'none' }}-{{ { a: '}' }.a }}-{{\n$today\n}}", [/^sent$/, /^sent$/, /object/]],
	])('is refused, and others go out: %s', async (expression, words) => {
		for (const options of [{ idempotencyKey: `=${expression}` }, limitBy(`=${expression}`)]) {
			expect(await messages(options)).toEqual(
				words.map((each) => expect.stringMatching(each) as string),
			);
		}
	});
});

it('an item of 3,000 numbers of which a request is refused does not hold up the event loop', async () => {
	const all = Array.from({ length: 3000 }, (_each, index) => String(13_800_000_000 + index));
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: all[0] });
	const begin = process.cpuUsage();
	const limits = { rule: [{ by: 'number', max: 1, per: 'day' }] };
	const run = await once([{ to: all.join() }], texts({ limits, idempotencyKey: 'a' }));
	const [refused, ...others] = getItems(run);
	expect(readReport(refused.json).accepted).toBe('no');
	expect(others).toHaveLength(14);
	expect(others.map(({ pairedItem }) => pairedItem)).toEqual(others.map(() => ({ item: 0 })));
	// It took 18 seconds of computing when it was quadratic.
	expect(process.cpuUsage(begin).user).toBeLessThan(9_000_000);
});
