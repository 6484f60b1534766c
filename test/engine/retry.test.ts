import type { AcceptedCall, FaultRule } from '../../simulator/index';
import { RETRY } from '../support/engine';
import type { NodeSettings } from '../support/engine';
import { getJson, oneByOne, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
const NUMBERS = ['13800000005', '13900000005', '13700000005'];
const ITEMS = NUMBERS.map((to) => ({ to }));

/** A call to each item's number, one after the other. */
const CALLS = oneByOne(operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }));

const accepted = () =>
	service.simulator.accepted().filter((one): one is AcceptedCall => one.kind === 'call');

/** How many requests named each number, and how many of them the service accepted. */
const counted = () => ({
	requests: NUMBERS.map(
		(number) =>
			service.simulator.record.requests.filter(({ fields }) => fields.to === number).length,
	),
	accepted: NUMBERS.map((number) => accepted().filter(({ to }) => to === number).length),
});

/** A refusal that the next try does not meet, and a reset after each time that it was accepted. */
const REFUSED: FaultRule = { kind: 'statusCode', statusCode: '160040' };
const LOST: FaultRule = { kind: 'reset', accept: true, times: Infinity };
const STOP = 'stopWorkflow';
const CONTINUE = 'continueRegularOutput';
const ERROR_OUTPUT = 'continueErrorOutput';

// The first request of a process takes longer than the pause between two.
beforeAll(async () => void (await service.run(CALLS, { items: ITEMS })));

// Where the node continues, n8n tries again only when the first item of the output failed.
it.each<[NodeSettings['onError'], string, FaultRule, number, number[], number[], boolean[]]>([
	[STOP, 'the first is refused once', REFUSED, 0, [2, 1, 1], [1, 1, 1], [true, true, true]],
	[STOP, 'the last is refused once', REFUSED, 2, [1, 1, 2], [1, 1, 1], [true, true, true]],
	[STOP, 'the first is lost', LOST, 0, [1, 0, 0], [1, 0, 0], []],
	[STOP, 'the last is lost', LOST, 2, [1, 1, 1], [1, 1, 1], []],
	[CONTINUE, 'the first is refused once', REFUSED, 0, [2, 1, 1], [1, 1, 1], [true, true, true]],
	[CONTINUE, 'the last is refused', REFUSED, 2, [1, 1, 1], [1, 1, 0], [true, true, false]],
	[CONTINUE, 'the first is lost', LOST, 0, [1, 1, 1], [1, 1, 1], [false, true, true]],
	[ERROR_OUTPUT, 'the first is refused once', REFUSED, 0, [2, 1, 1], [1, 1, 1], [true, true, true]],
	[ERROR_OUTPUT, 'the last is lost', LOST, 2, [1, 1, 1], [1, 1, 1], [true, true]],
])(
	'Retry On Fail calls nobody twice with %s when %s',
	async (onError, _what, fault, failing, requests, reached, isGood) => {
		service.simulator.fail({ ...fault, number: NUMBERS[failing] });
		const run = await service.run(CALLS, { items: ITEMS, settings: { onError, ...RETRY } });
		expect(counted()).toEqual({ requests, accepted: reached });
		expect(service.simulator.violations()).toEqual([]);

		if (isGood.length === 0) expect(run.error?.message).toContain(`[item ${failing}]`);
		else {
			const sids = getJson(run).map(({ callSid }) => callSid);
			const own = accepted().sort((a, b) => NUMBERS.indexOf(a.to) - NUMBERS.indexOf(b.to));
			expect(sids).toEqual(isGood.map((good, at) => (good ? own[at].callSid : undefined)));
		}
	},
);
