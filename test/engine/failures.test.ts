import type { INodeParameters } from 'n8n-workflow';

import { EXAMPLE_NUMBER } from '../support/exampleForms';
import { getItems, oneByOne, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();

const notify = (parameters: INodeParameters = {}) =>
	operation('call', 'notify', { to: EXAMPLE_NUMBER, mediaTxt: 'Hello', ...parameters });

describe('with several items', () => {
	const NUMBERS = ['13800000005', '13900000005', '13700000005', '13600000005'];
	const items = NUMBERS.map((to, order) => ({ to, order }));
	const each = notify({ to: '={{ $json.to }}' });
	const report = (item: number) => ({
		message: expect.stringMatching(new RegExp(`\\(code 160040\\).* \\[item ${item}\\]$`)) as string,
		statusCode: '160040',
		statusMsg: '超限',
		accepted: 'no',
		to: NUMBERS[item],
	});

	it('with Stop, one bad row keeps all from being sent, and the error says so', async () => {
		const run = await service.run(each, {
			items: [{ to: '13800000000' }, { to: '138000000000' }],
		});
		expect(run.error?.message).toMatch(/^'To' is not a phone number .*\[item 1\]$/);
		expect(run.error?.description).toMatch(
			/Nothing was sent\. To skip rows like this, set On Error to Continue\.$/,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('with Continue (using error output), a failed item goes there with the fields of its input', async () => {
		for (const number of [NUMBERS[0], NUMBERS[3]]) {
			service.simulator.fail({
				kind: 'statusCode',
				statusCode: '160040',
				statusMsg: '超限',
				number,
			});
		}
		const settings = { onError: 'continueErrorOutput' } as const;
		const run = await service.run(oneByOne(each), { items, settings });
		expect(run.outputs).toHaveLength(2);
		const sids = service.simulator.accepted().map((one) => one.kind === 'call' && one.callSid);
		expect(getItems(run).map(({ json, pairedItem }) => [json.callSid, pairedItem])).toEqual([
			[sids[0], { item: 1 }],
			[sids[1], { item: 2 }],
		]);
		expect(getItems(run, 1)).toMatchObject([
			{ json: { ...items[0], error: report(0) }, pairedItem: { item: 0 } },
			{ json: { ...items[3], error: report(3) }, pairedItem: { item: 3 } },
		]);
	});
});
