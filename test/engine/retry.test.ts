import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../simulator/index';
import { findCode } from '../support/verificationTokens';
import { connect, execute, node, runNode, getRuns, TYPES } from '../support/engine/engine';
import type { NodeSettings } from '../support/engine/engine';
import {
	getItems,
	getJson,
	oneByOne,
	operation,
	reportIn,
	rowsIn,
} from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const NUMBERS = ['13800000005', '13900000005', '13700000005'];
const ITEMS = NUMBERS.map((to) => ({ to }));
const RETRY: NodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** A call to each item's number, one after the other. */
const calls = (options: INodeParameters = {}): INodeParameters =>
	oneByOne(operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options));

/** How many requests named each number, and how many the service accepted. */
const counted = (numbers = NUMBERS) => ({
	requests: numbers.map(
		(number) =>
			service.simulator.record.requests.filter(({ fields }) => fields.to === number).length,
	),
	accepted: numbers.map(
		(number) =>
			service.simulator
				.accepted()
				.filter((one) => (one.kind === 'call' ? one.to === number : false)).length,
	),
});
const findCallSid = (number: string) =>
	service.simulator
		.accepted()
		.flatMap((one) => (one.kind === 'call' && one.to === number ? [one.callSid] : []))[0];

const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const POSITIONS = { first: 0, last: NUMBERS.length - 1 };
const KINDS: Record<string, { fault: FaultRule; isCertain: boolean }> = {
	'a refusal that the next try does not meet': {
		fault: { kind: 'statusCode', statusCode: '160040' },
		isCertain: true,
	},
	'a reset after it was accepted': { fault: { kind: 'reset', accept: true }, isCertain: false },
};

const MATRIX = MODES.flatMap((onError) =>
	[false, true].flatMap((isRetried) =>
		Object.entries(POSITIONS).flatMap(([position, failing]) =>
			Object.entries(KINDS).map(([kind, about]) => ({
				...about,
				onError,
				isRetried,
				failing,
				title: `${onError}, ${isRetried ? 'retry' : 'no retry'}: the ${position} item, ${kind}`,
			})),
		),
	),
);

describe('nobody is called twice', () => {
	it.each(MATRIX)('$title', async ({ fault, isCertain, onError, isRetried, failing }) => {
		const failingNumber = NUMBERS[failing];
		service.simulator.fail({
			...fault,
			number: failingNumber,
			times: isCertain ? 1 : Infinity,
		});
		const run = await runNode({
			parameters: calls(),
			items: ITEMS,
			settings: { onError, ...(isRetried && RETRY) },
			credential: service.credential(),
		});

		const isStopping = onError === 'stopWorkflow';
		// Where the node continues, n8n tries again only when the first item of the output failed.
		const isTriedAgain = isRetried && (isStopping || failing === 0);
		const isHealed = isTriedAgain && isCertain;
		const isReached = (index: number) => isHealed || !isStopping || index <= failing;
		expect(counted()).toEqual({
			requests: NUMBERS.map((_, index) =>
				index === failing && isHealed ? 2 : Number(isReached(index)),
			),
			accepted: NUMBERS.map((_, index) =>
				Number(isReached(index) && (index !== failing || isHealed || !isCertain)),
			),
		});
		expect(service.simulator.violations()).toEqual([]);

		const good = (index: number) =>
			expect.objectContaining({
				to: NUMBERS[index],
				callSid: findCallSid(NUMBERS[index]),
			}) as object;
		if (isHealed) {
			expect(getJson(run)).toEqual(NUMBERS.map((_, index) => good(index)));
		} else if (isStopping) {
			expect(run.error?.message).toMatch(new RegExp(`\\[item ${failing}\\]$`));
			expect(rowsIn(run.error)).toMatchObject(
				NUMBERS.map((to, itemIndex) => ({
					itemIndex,
					to,
					...(itemIndex < failing && { state: 'accepted', callSid: findCallSid(to) }),
					...(itemIndex > failing && { state: 'notSent' }),
				})),
			);
		} else {
			const output = onError === 'continueErrorOutput' ? 1 : 0;
			const failed = getItems(run, output).filter(({ json }) => json.error !== undefined);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: failing }]);
			expect(reportIn(failed[0].json)).toMatchObject({
				accepted: isCertain ? 'no' : 'unknown',
				to: failingNumber,
			});
			const succeeded = getJson(run).filter(({ error }) => error === undefined);
			expect(succeeded).toEqual(
				NUMBERS.map((_, index) => good(index)).filter((_, index) => index !== failing),
			);
		}
	});

	it('two items fail in different ways: only the refused one is sent again', async () => {
		service.simulator.fail({ kind: 'reset', accept: true, number: NUMBERS[1] });
		service.simulator.fail({
			kind: 'statusCode',
			statusCode: '160040',
			number: NUMBERS[0],
			times: Infinity,
		});
		const run = await runNode({
			parameters: calls(),
			items: ITEMS,
			settings: { ...RETRY, onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		expect(counted()).toEqual({ requests: [3, 1, 1], accepted: [0, 1, 1] });
		const [refused, lost, good] = getJson(run);
		expect(reportIn(refused).accepted).toBe('no');
		expect(reportIn(lost).accepted).toBe('unknown');
		expect(good.callSid).toBe(findCallSid(NUMBERS[2]));
	});

	it('a try that stops lists what earlier tries had accepted', async () => {
		service.simulator.fail({
			kind: 'statusCode',
			statusCode: '160040',
			number: NUMBERS[1],
			times: Infinity,
		});
		const run = await runNode({
			parameters: calls(),
			items: ITEMS,
			settings: RETRY,
			credential: service.credential(),
		});
		expect(counted()).toEqual({ requests: [1, 3, 0], accepted: [1, 0, 0] });
		expect(rowsIn(run.error)).toMatchObject([
			{ itemIndex: 0, state: 'accepted', callSid: findCallSid(NUMBERS[0]) },
			{ itemIndex: 1, state: 'refused' },
			{ itemIndex: 2, state: 'notSent' },
		]);
	});

	it('the token in the output is that of the code which was read out', async () => {
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: NUMBERS[2] });
		const run = await runNode({
			parameters: operation('verificationCode', 'send', { to: '={{ $json.to }}' }),
			items: ITEMS,
			settings: RETRY,
			credential: service.credential(),
		});
		expect(counted().accepted).toEqual([1, 1, 1]);
		const heard = new Map(
			service.simulator.record.requests
				.filter(({ accepted }) => accepted)
				.map(({ fields }) => [fields.to, fields.verifyCode]),
		);
		const { credentials } = service.simulator;
		expect(
			getJson(run).map(({ verificationToken }) => findCode(credentials, String(verificationToken))),
		).toEqual(NUMBERS.map((number) => heard.get(number)));
	});

	it('no SMS goes out and no sub-account is created twice', async () => {
		for (const [fault, parameters, ofItem] of [
			[
				'TemplateSMS',
				oneByOne(operation('sms', 'send', { to: '={{ $json.to }}', templateId: '100000' })),
				'to',
			],
			[
				'SubAccounts',
				operation('subAccount', 'create', { friendlyName: '={{ $json.to }}' }),
				'friendlyName',
			],
		] as const) {
			service.simulator.reset();
			service.simulator.fail({ kind: 'reset', accept: true, operation: fault, nth: 2 });
			const run = await runNode({
				parameters,
				items: ITEMS,
				settings: RETRY,
				credential: service.credential(),
			});
			// Sub-accounts have no pace, so all may be on their way when the second to arrive breaks.
			const requested = service.simulator.record.requests.map(({ fields }) => fields[ofItem]);
			const failed = NUMBERS.indexOf(String(requested[1]));
			expect(run.error?.message).toMatch(new RegExp(`\\[item ${failed}\\]$`));
			expect(requested).toHaveLength(new Set(requested).size);
		}
	});

	it('reading is repeated', async () => {
		service.simulator.fail({ kind: 'reset' });
		const run = await runNode({
			parameters: operation('account', 'get'),
			settings: RETRY,
			credential: service.credential(),
		});
		expect(getJson(run)).toEqual([expect.objectContaining({ statusName: 'Activated' })]);
		expect(service.simulator.record.requests).toHaveLength(2);
	});
});

describe('the same node in a loop', () => {
	const looped = async (settings: NodeSettings, rounds: number) =>
		await execute(
			[
				node('Start', TYPES.start, { items: '[{}]' }),
				node('Loop', TYPES.loop, {
					items: JSON.stringify(Array.from({ length: rounds }, () => ({ to: NUMBERS[0] }))),
				}),
				node('Yuntongxun', TYPES.action, calls(), settings),
			],
			connect(['Start', 'Loop'], ['Loop', 'Yuntongxun', 1], ['Yuntongxun', 'Loop']),
			service.credential(),
		);

	it.each<[string, NodeSettings]>([
		['without retry', {}],
		['with retry', RETRY],
	])('%s sends in each round', async (_, settings) => {
		const runs = getRuns(await looped(settings, 3), 'Yuntongxun');
		expect(counted([NUMBERS[0]])).toEqual({ requests: [3], accepted: [3] });
		const sids = service.simulator.accepted().map((one) => one.kind === 'call' && one.callSid);
		expect(runs.map((run) => getJson(run).map(({ callSid }) => callSid))).toEqual(
			sids.map((sid) => [sid]),
		);
	});

	it('a lost answer in one round does not affect the next', async () => {
		service.simulator.fail({ kind: 'reset', accept: true, nth: 2 });
		const run = await looped({ ...RETRY, onError: 'continueRegularOutput' }, 3);
		expect(counted([NUMBERS[0]])).toEqual({ requests: [3], accepted: [3] });
		const outcomes = getRuns(run, 'Yuntongxun').map((each) => getJson(each)[0]);
		expect(outcomes.map(({ error }) => error === undefined)).toEqual([true, false, true]);
		expect(reportIn(outcomes[1]).accepted).toBe('unknown');
	});
});
