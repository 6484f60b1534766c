import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/engine/engine';
import { getJson, operation } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();

const calls = (options: INodeParameters = {}) =>
	operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options);
const numbers = (count: number) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_005 + 10 * index));
const itemsFor = (all: string[]) => all.map((to) => ({ to }));

describe('several items', () => {
	it('are under way at the same time, as many as the first one says', async () => {
		service.simulator.setLatency(500);
		const all = numbers(7);
		const run = await runNode({
			parameters: calls({ maxConcurrency: '={{ $itemIndex === 0 ? 3 : 200 }}' }),
			items: itemsFor(all),
			credential: service.credential(),
		});
		const most = Math.max(...service.simulator.record.requests.map(({ inProgress }) => inProgress));
		// On a busy machine the third may come when the first is through.
		expect([2, 3]).toContain(most);
		expect(getJson(run).map(({ to }) => to)).toEqual(all);
		expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			all.map((_to, item) => ({ item })),
		);
		expect(service.simulator.violations()).toEqual([]);
	});
});
