import type { AcceptedCall, FaultRule } from '../../simulator/index';
import { RETRY } from '../support/engine';
import {
	getItems,
	getJson,
	oneByOne,
	operation,
	readReport,
	readEntries,
} from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
const NUMBERS = ['13800000005', '13900000005', '13700000005'];
const ITEMS = NUMBERS.map((to) => ({ to }));

/** A call to each item's number, one after the other. */
const CALLS = oneByOne(operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }));

const callsTo = (number: string) =>
	service.simulator
		.accepted()
		.filter((one): one is AcceptedCall => one.kind === 'call' && one.to === number);
const requestsTo = (number: string) =>
	service.simulator.record.requests.filter(({ fields }) => fields.to === number);

/** How many requests named each number, and how many the service accepted. */
const counted = (numbers = NUMBERS) => ({
	requests: numbers.map((number) => requestsTo(number).length),
	accepted: numbers.map((number) => callsTo(number).length),
});
const findCallSid = (number: string) => callsTo(number)[0]?.callSid;

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
	Object.entries(POSITIONS).flatMap(([position, failing]) =>
		Object.entries(KINDS).map(([kind, about]) => ({
			...about,
			onError,
			failing,
			title: `${onError}: the ${position} item, ${kind}`,
		})),
	),
);

describe('nobody is called twice by Retry On Fail', () => {
	// The first request of a process takes longer than the pause between two.
	beforeAll(async () => void (await service.run(CALLS, { items: ITEMS })));

	it.each(MATRIX)('$title', async ({ fault, isCertain, onError, failing }) => {
		const failingNumber = NUMBERS[failing];
		const times = isCertain ? 1 : Infinity;
		service.simulator.fail({ ...fault, number: failingNumber, times });
		const settings = { onError, ...RETRY };
		const run = await service.run(CALLS, { items: ITEMS, settings });

		const isStopping = onError === 'stopWorkflow';
		// Where the node continues, n8n tries again only when the first item of the output failed.
		const isTriedAgain = isStopping || failing === 0;
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
			const before = NUMBERS.slice(0, failing).map((to, itemIndex) => ({
				itemIndex,
				json: { to, callSid: findCallSid(to) },
			}));
			const [failure, ...others] = readEntries(run.error);
			expect(failure).toMatchObject({ itemIndex: failing, json: { error: { to: failingNumber } } });
			expect(others).toMatchObject(before);
		} else {
			const output = onError === 'continueErrorOutput' ? 1 : 0;
			const failed = getItems(run, output).filter(({ json }) => json.error !== undefined);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: failing }]);
			expect(readReport(failed[0].json)).toMatchObject({
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
