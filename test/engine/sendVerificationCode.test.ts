import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import { useDeduplication } from '../support/deduplication';
import type { NodeRun } from '../support/engine';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

const TO = '13800000000';

/** A code so long that no ID or date holds it by chance. */
const send = (channel: string, more: INodeParameters = {}, options: INodeParameters = {}) => {
	const form = { to: TO, channel, templateId: '100002', codeLength: 8, ...more };
	return operation('verificationCode', 'send', form, options);
};

/** The codes that reached somebody, or may have. */
const codes = () =>
	service.simulator.record.requests.map(({ fields }) =>
		String(fields.verifyCode ?? fields.datas?.[0]),
	);

function expectNoCode({ run, hints, error }: NodeRun) {
	const kept = [run, hints, error];
	const text = inspect(kept, { depth: Infinity, showHidden: true, maxStringLength: Infinity });
	expect(codes()[0]).toMatch(/^\d{8}$/);
	expect(codes().filter((code) => text.includes(code))).toEqual([]);
}

describe.each(['call', 'sms'])('by %s', (channel) => {
	it('sends a code that only Check knows', async () => {
		const run = await service.run(send(channel));
		expectNoCode(run);
		const [json] = getJson(run);
		expect(json).toMatchObject({ statusCode: '000000', to: TO, channel });
		const check = { verificationToken: String(json.verificationToken), code: codes()[0] };
		const verdicts = [];
		for (let run = 0; run < 2; run++) {
			const circumstances = { workflowId: `code by ${channel}` };
			const parameters = operation('verificationCode', 'check', check);
			verdicts.push(...getJson(await service.run(parameters, { circumstances })));
		}
		expect(verdicts.map(({ reason }) => reason)).toEqual(['valid', 'used']);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('the error of a stopped node has the token if the request may have been accepted', async () => {
		service.simulator.fail({ kind: 'reset', accept: true });
		const run = await service.run(send(channel));
		expect(run.error?.context).toMatchObject({
			data: { items: [{ itemIndex: 0, json: { error: { to: TO, accepted: 'unknown' } } }] },
			verificationToken: expect.stringMatching(/^code\./) as string,
		});
		expectNoCode(run);
	});

	it('the error of a stopped run has no token of an item that was sent', async () => {
		const refused = { kind: 'statusCode', statusCode: '160040', number: '13800000001' } as const;
		service.simulator.fail(refused);
		const parameters = send(channel, { to: '={{ $json.to }}' }, { requestsPerSecond: 5 });
		const run = await service.run(parameters, { items: [{ to: TO }, { to: refused.number }] });
		// Failures first.
		const items = [{ itemIndex: 1 }, { itemIndex: 0 }];
		expect(run.error?.context).toMatchObject({ data: { items } });
		expect(JSON.stringify(run.error?.context)).not.toContain('code.');
	});
});
