import { useDeduplication } from '../support/deduplication';
import { CONTINUE } from '../support/engine';
import { getItems, getJson, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

const [A, B] = ['13800000005', '13900000005'];

it('a key that has reached a number sends it nothing more, and the item says so', async () => {
	const options = { idempotencyKey: '={{ $json.key }}' };
	const form = { to: '={{ $json.to }}', mediaTxt: 'Hello' };
	const rounds = [
		{ to: A, key: 'one' },
		{ to: A, key: ' one ' },
		{ to: A, key: 'two' },
		{ to: B, key: 'one' },
	];
	const parameters = operation('call', 'notify', form, options);
	const circumstances = { workflowId: 'once' };
	const given = [];
	for (const round of rounds) {
		given.push(...getJson(await service.run(parameters, { items: [round], circumstances })));
	}
	expect(given).toEqual([
		expect.objectContaining({ statusCode: '000000', to: A }),
		{ duplicate: true, idempotencyKey: 'one', to: A },
		expect.objectContaining({ statusCode: '000000', to: A }),
		expect.objectContaining({ statusCode: '000000', to: B }),
	]);
	const calls = service.simulator
		.accepted()
		.flatMap((one) => (one.kind === 'call' ? [one.to] : []));
	expect(calls).toEqual([A, A, B]);
});

it('an item of 3,000 numbers with a refused request does not hold up the event loop', async () => {
	const all = Array.from({ length: 3000 }, (_each, index) => String(13_800_000_000 + index));
	service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: all[0] });
	const begin = process.cpuUsage();
	const limits = { rule: [{ by: 'number', max: 1, per: 'day' }] };
	const form = { to: all.join(), templateId: '100000' };
	const parameters = operation('sms', 'send', form, { limits, idempotencyKey: 'a' });
	const [refused, ...others] = getItems(await service.run(parameters, { settings: CONTINUE }));
	expect(readReport(refused.json).accepted).toBe('no');
	expect(others.map(({ pairedItem }) => pairedItem)).toEqual(Array(14).fill({ item: 0 }));
	// It took 18 seconds of computing when it was quadratic.
	expect(process.cpuUsage(begin).user).toBeLessThan(9_000_000);
});
