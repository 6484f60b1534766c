import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import type { FaultRule } from '../simulator';
import { useDeduplication } from './support/deduplication';
import { execute, connect, node, runNode, runsOf, TYPES } from './support/engine';
import type { NodeSettings } from './support/engine';
import { jsonOf, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const store = useDeduplication();

const [A, B, C] = ['13800000005', '13900000005', '13700000005'];
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };
const duplicate = (idempotencyKey: string, to: string) => ({ duplicate: true, idempotencyKey, to });

const calls = (options: INodeParameters = { idempotencyKey: '={{ $json.key }}' }) =>
	operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options);

type Items = Array<INodeExecutionData['json']>;

/** Runs of the same node of the same loop: n8n keeps what the node used before. */
async function looped(rounds: Items, parameters = calls()): Promise<IRun> {
	return await execute(
		[
			node('Start', TYPES.start, { items: '[{}]' }),
			node('Loop', TYPES.loop, { items: JSON.stringify(rounds) }),
			node('Yuntongxun', TYPES.action, parameters, CONTINUE),
		],
		connect(['Start', 'Loop'], ['Loop', 'Yuntongxun', 1], ['Yuntongxun', 'Loop']),
		service.credential(),
	);
}

const once = async (items: Items, settings: NodeSettings = CONTINUE, parameters = calls()) =>
	await runNode({ parameters, items, settings, credential: service.credential() });
const roundsOf = (run: IRun) => runsOf(run, 'Yuntongxun').map((each) => jsonOf(each)[0]);
const reached = () =>
	service.simulator.accepted().flatMap((one) => (one.kind === 'call' ? [one.to] : []));

it('a key that the node has used before sends nothing, and the item says so', async () => {
	const results = roundsOf(
		await looped([
			{ to: A, key: 'one' },
			{ to: B, key: 'one' },
			{ to: C, key: 'two' },
		]),
	);
	expect(results[0]).toMatchObject({ statusCode: '000000', to: A });
	expect(results[1]).toEqual(duplicate('one', B));
	expect(results[2]).toMatchObject({ statusCode: '000000', to: C });
	expect(reached()).toEqual([A, C]);
});

it('of several items of one run with the same key the first is sent', async () => {
	const run = await once([
		{ to: A, key: 'one' },
		{ to: B, key: 'one' },
		{ to: C, key: 'one' },
	]);
	expect(jsonOf(run)[0]).toMatchObject({ statusCode: '000000', to: A });
	expect(jsonOf(run).slice(1)).toEqual([duplicate('one', B), duplicate('one', C)]);
	expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2].map((item) => ({ item })),
	);
	expect(reached()).toEqual([A]);
});

it('an empty key is none', async () => {
	await once([
		{ to: A, key: '' },
		{ to: B, key: '' },
	]);
	expect(reached().sort()).toEqual([A, B].sort());
});

it.each<[string, FaultRule, boolean]>([
	['was certainly refused', { kind: 'statusCode', statusCode: '160040' }, true],
	['was refused elsewhere', { kind: 'http', status: 403, body: 'No' }, true],
	['may have been accepted', { kind: 'reset', accept: true }, false],
	['was accepted', { kind: 'http', accept: true, body: '{"statusCode":"000000"}' }, false],
])('what %s: the key is free again: %j %p', async (_what, fault, isFree) => {
	service.simulator.fail(fault);
	const [first, second] = roundsOf(
		await looped([
			{ to: A, key: 'one' },
			{ to: A, key: 'one' },
		]),
	);
	expect(reportIn(first).accepted).toBeDefined();
	if (isFree) expect(second).toMatchObject({ statusCode: '000000' });
	else expect(second).toEqual(duplicate('one', A));
	expect(reached()).toHaveLength(1);
});

it('what the run did not come to keeps its key free', async () => {
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: A });
	const run = await once(
		[
			{ to: A, key: 'one' },
			{ to: B, key: 'two' },
		],
		{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		calls({ idempotencyKey: '={{ $json.key }}', maxConcurrency: 1 }),
	);
	expect(jsonOf(run).map(({ to, duplicate: isDuplicate }) => [to, isDuplicate])).toEqual([
		[A, undefined],
		[B, undefined],
	]);
	expect(reached()).toEqual([A, B]);
});

it('Retry On Fail gives the earlier result again, not a duplicate', async () => {
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: B });
	const run = await once(
		[
			{ to: A, key: 'one' },
			{ to: B, key: 'two' },
		],
		{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	);
	expect(jsonOf(run).map(({ statusCode }) => statusCode)).toEqual(['000000', '000000']);
	expect(reached()).toEqual([A, B]);
});

it('a dry run uses up no key', async () => {
	const parameters = calls({ idempotencyKey: '={{ $json.key }}', dryRun: '={{ $json.dry }}' });
	const results = roundsOf(
		await looped(
			[
				{ to: A, key: 'one', dry: true },
				{ to: A, key: 'one', dry: false },
			],
			parameters,
		),
	);
	expect(results).toEqual([
		expect.objectContaining({ dryRun: true }),
		expect.objectContaining({ statusCode: '000000' }),
	]);
});

it('where n8n cannot record the key nothing is sent', async () => {
	store.breakIt();
	const run = await once([{ to: A, key: 'one' }, { to: B }]);
	expect(reportIn(jsonOf(run)[0])).toMatchObject({
		message: expect.stringMatching(/Idempotency Key.*nothing was sent.*\[item 0\]$/) as string,
		accepted: 'no',
		to: A,
	});
	expect(jsonOf(run)[1]).toMatchObject({ statusCode: '000000', to: B });
	expect(reached()).toEqual([B]);
});

it('of combined items those whose key was used are left out', async () => {
	const run = await once(
		[
			{ to: A, key: 'one' },
			{ to: B, key: 'one' },
			{ to: C, key: 'two' },
		],
		CONTINUE,
		operation(
			'sms',
			'send',
			{ to: '={{ $json.to }}', templateId: '100000' },
			{ combineItems: true, idempotencyKey: '={{ $json.key }}' },
		),
	);
	expect(jsonOf(run)[1]).toEqual(duplicate('one', B));
	expect(service.simulator.accepted()).toEqual([
		expect.objectContaining({ kind: 'message', to: [A, C] }),
	]);
});

it('a key is recorded when the turn of its request has come, so a slow pace uses up no others', async () => {
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040' });
	const keys = ['one', 'two', 'three', 'four', 'five', 'six'];
	await once(
		keys.map((key) => ({ to: A, key })),
		{},
		calls({ idempotencyKey: '={{ $json.key }}', requestsPerSecond: 1 }),
	);
	// One, unless a busy machine brings the refusal after the next turn has come.
	const { length } = service.simulator.record.requests;
	expect(length).toBeLessThan(keys.length);
	expect(store.recorded).toEqual(keys.slice(0, length));
});

it('of several items with one key the next has its turn where one was refused', async () => {
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: A });
	const [refused, sent, repeated] = jsonOf(await once([A, B, C].map((to) => ({ to, key: 'one' }))));
	expect(reportIn(refused)).toMatchObject({ statusCode: '160040', accepted: 'no', to: A });
	expect(sent).toMatchObject({ statusCode: '000000', to: B });
	expect(repeated).toEqual(duplicate('one', C));
	expect(reached()).toEqual([B]);
});

it('of combined items too', async () => {
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: A });
	const parameters = operation(
		'sms',
		'send',
		{ to: '={{ $json.to }}', templateId: '100000' },
		{ combineItems: true, idempotencyKey: '={{ $json.key }}' },
	);
	const items = [A, B, C].map((to) => ({ to, key: 'one' }));
	const [refused, sent, repeated] = jsonOf(await once(items, CONTINUE, parameters));
	expect(reportIn(refused)).toMatchObject({ statusCode: '160040', to: A });
	expect([sent.to, repeated]).toEqual([B, duplicate('one', C)]);
	expect(service.simulator.accepted()).toEqual([
		expect.objectContaining({ kind: 'message', to: [B] }),
	]);
});

describe('Max per Recipient', () => {
	const limited = (most: number, options: INodeParameters = {}) =>
		calls({ maxPerRecipient: most, ...options });
	const OVER =
		/^The number in 'To' has been reached (once|2 times) (today|this hour) through this node, as often as Max per Recipient allows\. Send again from 20\d\d-\d\d-\d\d \d\d:00 \(UTC\+8\) on \[item \d+\]$/;

	it('refuses what would reach a number more often, in one run and in the next', async () => {
		const results = roundsOf(
			await looped(
				[A, B, A, A].map((to) => ({ to })),
				limited(2),
			),
		);
		expect(results.slice(0, 3).map(({ statusCode }) => statusCode)).toEqual(
			Array(3).fill('000000'),
		);
		expect(reportIn(results[3])).toEqual({
			message: expect.stringMatching(OVER) as string,
			statusCode: '',
			statusMsg: '',
			accepted: 'no',
			to: A,
		});
		const run = await once(
			[A, A, B].map((to) => ({ to })),
			CONTINUE,
			limited(1),
		);
		expect(jsonOf(run).map((json) => 'error' in json)).toEqual([false, true, false]);
	});

	it('compares lines, and takes an hour or a day', async () => {
		const spellings = [A, `+86${A}`, `0086${A}`, `${A}-12`].map((to) => ({ to }));
		const run = await once(spellings, CONTINUE, limited(1, { maxPerRecipientPeriod: 'hour' }));
		expect(jsonOf(run).map((json) => 'error' in json)).toEqual([false, true, true, true]);
		expect(reportIn(jsonOf(run)[1]).message).toContain('this hour');
		expect(reached()).toEqual([A]);
	});

	it('does not count what the service refused, nor a dry run, nor a duplicate', async () => {
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: A });
		const results = roundsOf(
			await looped(
				[
					{ to: A, key: 'one', dry: true },
					{ to: A, key: 'two', dry: false },
					{ to: B, key: 'used', dry: false },
					{ to: A, key: 'used', dry: false },
					{ to: A, key: 'three', dry: false },
				],
				limited(1, { idempotencyKey: '={{ $json.key }}', dryRun: '={{ $json.dry }}' }),
			),
		);
		expect(results[3]).toEqual(duplicate('used', A));
		expect(results[4]).toMatchObject({ statusCode: '000000', to: A });
		expect(reached()).toEqual([B, A]);
	});

	it('refuses a text as a whole if one of its numbers is over, and stops the run without Continue', async () => {
		const texts = operation(
			'sms',
			'send',
			{ to: '={{ $json.to }}', templateId: '100000' },
			{ maxPerRecipient: 1, maxConcurrency: 1 },
		);
		const run = await once([{ to: A }, { to: `${B},${A}` }, { to: B }], CONTINUE, texts);
		expect(reportIn(jsonOf(run)[1]).message).toMatch(/^Number 2 in 'To' has been reached once/);
		expect(jsonOf(run)[2]).toMatchObject({ statusCode: '000000', to: B });
		const stopped = await once([{ to: C }, { to: C }, { to: '13600000005' }], {}, texts);
		expect(stopped.error?.message).toMatch(OVER);
		expect((stopped.error as unknown as { context: object }).context).toMatchObject({
			accepted: [expect.objectContaining({ itemIndex: 0, to: C })],
			notAttempted: [2],
		});
		expect(service.simulator.accepted().map((each) => each.kind === 'message' && each.to)).toEqual([
			[A],
			[B],
			[C],
		]);
	});

	it('leaves an item out of a combined text', async () => {
		const run = await once(
			[{ to: A }, { to: `${A},${B}` }, { to: C }],
			CONTINUE,
			operation(
				'sms',
				'send',
				{ to: '={{ $json.to }}', templateId: '100000' },
				{ combineItems: true, maxPerRecipient: 1 },
			),
		);
		expect(jsonOf(run).map((json) => 'error' in json)).toEqual([false, true, false]);
		expect(service.simulator.accepted()).toEqual([
			expect.objectContaining({ kind: 'message', to: [A, C] }),
		]);
	});

	it('refuses a run that a node could not keep count of, before a request', async () => {
		const many = Array.from({ length: 10_001 }, (_each, at) => String(13_800_000_000 + at));
		const run = await once(
			[{ to: many.join() }, { to: '1' }],
			CONTINUE,
			operation(
				'sms',
				'send',
				{ to: '={{ $json.to }}', templateId: '100000' },
				{ maxPerRecipient: 1 },
			),
		);
		expect(reportIn(jsonOf(run)[0]).message).toMatch(
			/need 10001 .* keeps 10000, so nothing was sent/,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});
});
