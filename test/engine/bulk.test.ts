import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/engine/engine';
import type { NodeSettings } from '../support/engine/engine';
import { getJson, oneByOne, operation, rowsIn } from '../support/engine/expectations';
import { expectNoSecrets } from '../support/engine/secrets';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_000 + from + index));
const texts = (options: INodeParameters = {}, parameters: INodeParameters = {}) =>
	operation(
		'sms',
		'send',
		{
			to: '={{ $json.to }}',
			templateId: '100001',
			variablesMode: 'list',
			datas: ['={{ $json.text ?? "1" }}'],
			...parameters,
		},
		options,
	);

interface Item {
	[name: string]: string | string[];
}

const run = async (parameters: INodeParameters, items: Item[], settings: NodeSettings = CONTINUE) =>
	await runNode({ parameters, items, settings, credential: service.credential() });

/** The SMS that the service accepted. */
const messages = () =>
	service.simulator.accepted().flatMap((one) => (one.kind === 'message' ? [one] : []));
const sizes = () =>
	messages()
		.map(({ to }) => to.length)
		.sort((a, b) => b - a);
const sidFor = (number: string) => messages().find(({ to }) => to.includes(number))?.smsMessageSid;

describe('an item of more than 200 numbers', () => {
	it('goes out in several requests, and each number gets one SMS', async () => {
		const all = numbers(450);
		const result = await run(texts(), [{ to: [...all, ...all] }]);
		expect(sizes()).toEqual([200, 200, 50]);
		expect(
			messages()
				.flatMap(({ to }) => to)
				.sort(),
		).toEqual([...all].sort());
		expect(getJson(result)).toEqual([
			{
				statusCode: '000000',
				smsMessageSid: sidFor(all[0]),
				dateCreated: expect.any(String) as string,
				createdAt: expect.any(String) as string,
				to: all.join(','),
				messages: [
					[0, 200],
					[200, 400],
					[400, 450],
				].map(([from, to]) => ({
					to: all.slice(from, to).join(','),
					statusCode: '000000',
					smsMessageSid: sidFor(all[from]),
					dateCreated: expect.any(String) as string,
					statusMsg: '',
					accepted: 'yes',
				})),
			},
		]);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('Stop: the accepted part is listed, and Retry On Fail does not repeat it', async () => {
		const all = numbers(450);
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: all[200] });
		const result = await run(oneByOne(texts()), [{ to: all }, { to: numbers(1, 1000) }], {
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		});
		expect(rowsIn(result.error)).toEqual([
			{
				itemIndex: 0,
				statusCode: '000000',
				to: all.slice(0, 200).join(','),
				smsMessageSid: sidFor(all[0]),
				state: 'accepted',
			},
			{ itemIndex: 0, to: all.slice(200, 400).join(','), state: 'refused', statusCode: '160040' },
			{ itemIndex: 0, to: all.slice(400).join(','), state: 'notSent' },
			{ itemIndex: 1, to: '13800001000', state: 'notSent' },
		]);
		// The refusal of the second request kept the third one back.
		expect(service.simulator.record.requests).toHaveLength(2);
		expectNoSecrets(result, service.simulator);
	});
});
