import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../simulator/index';
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
});
