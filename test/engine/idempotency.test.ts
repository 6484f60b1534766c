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
