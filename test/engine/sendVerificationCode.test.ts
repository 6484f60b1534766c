import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import { issueCode } from '../support/sealing';
import { useDeduplication } from '../support/deduplication';
import { CONTINUE } from '../support/engine';
import type { NodeRun } from '../support/engine';
import { getJson, operation, readEntries, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

const TO = '13800000000';
/** So long that no ID or date holds it by chance. */
const CODE = { codeLength: 8 };
const CHANNELS: Record<string, INodeParameters> = {
	call: { to: TO, channel: 'call', ...CODE },
	sms: { to: TO, channel: 'sms', templateId: '100002', ...CODE },
};

const send = (channel: string, options: INodeParameters = {}) =>
	operation('verificationCode', 'send', CHANNELS[channel], options);

/** The codes that reached somebody, or may have. */
const codes = () =>
	service.simulator.record.requests.map(({ fields }) =>
		String(fields.verifyCode ?? fields.datas?.[0]),
	);

function expectNoCode(kept: unknown) {
	const text = inspect(kept, { depth: Infinity, showHidden: true, maxStringLength: Infinity });
	expect(codes().filter((code) => text.includes(code))).toEqual([]);
}

async function verdictOn(token: unknown, code: string) {
	const parameters = { verificationToken: String(token), code };
	const run = await service.run(operation('verificationCode', 'check', parameters));
	return getJson(run)[0].reason;
}

const whole = ({ run, hints, error }: NodeRun) => [run, hints, error];

describe.each(['call', 'sms'])('by %s', (channel) => {
	it.each(['json', 'xml'])('sends a code that only Check knows, in %s', async (wireFormat) => {
		const run = await service.run(send(channel), { account: { wireFormat } });
		const [code] = codes();
		expect(code).toMatch(/^\d{8}$/);
		const [json] = getJson(run);
		expect(json).toMatchObject({ statusCode: '000000', to: TO, channel });
		expect(json).not.toHaveProperty('verifyCode');
		expectNoCode(whole(run));
		expect(await verdictOn(json.verificationToken, code)).toBe('valid');
		expect(service.simulator.violations()).toEqual([]);
	});

	it('the code that is sent again stays secret where the service refuses and echoes it', async () => {
		const { token, code } = issueCode(service.simulator.credentials, TO, 8);
		const statusMsg = `码${code}x${code}`;
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', statusMsg });
		const run = await service.run(send(channel, { resendToken: token }), { settings: CONTINUE });
		expect(codes()).toEqual([code]);
		expect(readReport(getJson(run)[0])).toMatchObject({ accepted: 'no', to: TO });
		expectNoCode(whole(run));
	});

	it('the error of a node that stops has the token too', async () => {
		service.simulator.fail({ kind: 'reset', accept: true });
		const run = await service.run(send(channel));
		expect(run.error?.context).toMatchObject({
			data: { items: [{ itemIndex: 0, json: { error: { to: TO, accepted: 'unknown' } } }] },
			verificationToken: expect.stringMatching(/^code\./) as string,
		});
		expectNoCode(whole(run));
	});

	it('a run that stops hands on no token of what was sent before', async () => {
		const refused = { kind: 'statusCode', statusCode: '160040', number: '13800000001' } as const;
		service.simulator.fail(refused);
		const parameters = { ...send(channel, { requestsPerSecond: 5 }), to: '={{ $json.to }}' };
		const items = [{ to: TO }, { to: refused.number }];
		const run = await service.run(parameters, { items });
		const entries = readEntries(run.error);
		expect(entries.map(({ itemIndex }) => itemIndex)).toEqual([1, 0]);
		expect(JSON.stringify(entries)).not.toContain('code.');
	});
});
