import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../simulator/index';
import { issueCode } from '../support/verificationTokens';
import { useDeduplication } from '../support/engine/deduplication';
import { runNode } from '../support/engine/engine';
import type { NodeRun, NodeSettings, StoredCredential } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
useDeduplication();

const TO = '13800000000';
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };
/** So long that no ID or date holds it by chance. */
const CODE = { codeLength: 8 };
const CHANNELS: Record<string, INodeParameters> = {
	call: { to: TO, channel: 'call', ...CODE },
	sms: { to: TO, channel: 'sms', templateId: '100002', ...CODE },
};

const sent = async (
	parameters: INodeParameters,
	options: INodeParameters = {},
	settings: NodeSettings = CONTINUE,
	items: Array<Record<string, string>> = [{}],
	workflowId?: string,
	account: StoredCredential = {},
) =>
	await runNode({
		parameters: operation('verificationCode', 'send', parameters, options),
		items,
		settings,
		credential: service.credential(account),
		circumstances: { workflowId },
	});

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
	const run = await runNode({
		parameters: operation('verificationCode', 'check', {
			verificationToken: String(token),
			code,
		}),
		credential: service.credential(),
	});
	return getJson(run)[0].reason;
}

const whole = ({ run, hints, error }: NodeRun) => [run, hints, error];

describe.each(['call', 'sms'])('by %s', (channel) => {
	it.each(['json', 'xml'])('sends a code that only Check knows, in %s', async (wireFormat) => {
		const run = await sent(CHANNELS[channel], {}, CONTINUE, [{}], undefined, { wireFormat });
		const [code] = codes();
		expect(code).toMatch(/^\d{8}$/);
		const [json] = getJson(run);
		expect(json).toMatchObject({ statusCode: '000000', to: TO, channel });
		expect(json).not.toHaveProperty('verifyCode');
		expectNoCode(whole(run));
		expect(await verdictOn(json.verificationToken, code)).toBe('valid');
		expect(service.simulator.violations()).toEqual([]);
	});

	/** A code, what the service does to its request, and what the error says was accepted. */
	const FAULTS: Array<[string, (code: string) => FaultRule, accepted: string]> = [
		['refuses', () => ({ kind: 'statusCode', statusCode: '160040' }), 'no'],
		[
			'refuses and echoes the code',
			(code) => ({
				kind: 'statusCode',
				statusCode: '160040',
				statusMsg: `验证码${code}x${code}`,
			}),
			'no',
		],
		[
			'accepts without an ID and echoes the code',
			(code) => ({ kind: 'http', body: `{"statusCode":"000000","statusMsg":"${code}"}` }),
			'yes',
		],
		['breaks off', () => ({ kind: 'reset', accept: true }), 'unknown'],
		['is silent', () => ({ kind: 'silence', accept: true }), 'unknown'],
		[
			'answers with the code in a page',
			(code) => ({ kind: 'http', status: 502, body: code }),
			'unknown',
		],
	];

	it.each(FAULTS)(
		'the code that is sent again stays secret where the service %s',
		async (_what, faultFor, accepted) => {
			const { token, code } = issueCode(service.simulator.credentials, TO, 8);
			service.simulator.fail(faultFor(code));
			const run = await sent(CHANNELS[channel], { timeout: 500, resendToken: token });
			expect(codes()).toEqual([code]);
			const report = reportIn(getJson(run)[0]);
			expect(report).toMatchObject({ accepted, to: TO });
			expectNoCode(whole(run));
			if (accepted === 'no') {
				expect(report).not.toHaveProperty('verificationToken');
			} else {
				expect(report).toMatchObject({
					verificationToken: token,
					expiresAt: expect.stringMatching(/^20.*Z$/) as string,
				});
			}
		},
	);

	it('an ID that echoes the code is not shown', async () => {
		const { token, code } = issueCode(service.simulator.credentials, TO, 8);
		const member = channel === 'call' ? 'VoiceVerify' : 'templateSMS';
		const ids = { callSid: code, smsMessageSid: code, dateCreated: '' };
		service.simulator.fail({
			kind: 'http',
			body: JSON.stringify({ statusCode: '000000', [member]: ids }),
		});
		const run = await sent(CHANNELS[channel], { resendToken: token });
		expect(getJson(run)[0]).toMatchObject({ statusCode: '000000', to: TO });
		expectNoCode(whole(run));
	});

	it('a code is sent again with its token, and attempts at it count on', async () => {
		const [first] = getJson(await sent(CHANNELS[channel]));
		const resendToken = String(first.verificationToken);
		const other = channel === 'call' ? 'sms' : 'call';
		const run = await sent(CHANNELS[other], { resendToken });
		const [again] = getJson(run);
		expect(codes()).toEqual([codes()[0], codes()[0]]);
		expect(again).toMatchObject({ channel: other, to: TO });
		expect([again.verificationToken, again.expiresAt]).toEqual([resendToken, first.expiresAt]);
		expectNoCode(whole(run));

		const typed = ['0', codes()[1]].map((code) => ({ code }));
		const checked = await runNode({
			parameters: operation('verificationCode', 'check', {
				verificationToken: resendToken,
				code: '={{ $json.code }}',
			}),
			items: typed,
			credential: service.credential(),
		});
		expect(getJson(checked).map(({ reason, attemptsLeft }) => [reason, attemptsLeft])).toEqual([
			['wrong', 4],
			['valid', 3],
		]);
	});

	it('a code that is sent again counts as any other, and a key must be a new one', async () => {
		const workflowId = `again by ${channel}`;
		const [{ verificationToken }] = getJson(
			await sent(CHANNELS[channel], { idempotencyKey: 'one' }, CONTINUE, [{}], workflowId),
		);
		const resendToken = String(verificationToken);
		const again = async (options: INodeParameters) => {
			const all = { resendToken, ...options };
			return getJson(await sent(CHANNELS[channel], all, CONTINUE, [{}], workflowId))[0];
		};
		expect(await again({ idempotencyKey: 'one' })).toMatchObject({ duplicate: true });
		expect(await again({ idempotencyKey: 'two' })).toMatchObject({ statusCode: '000000' });
		await again({ limits: { rule: [{ by: 'number', max: 1, per: 'day' }] } });
		expect(
			reportIn(await again({ limits: { rule: [{ by: 'number', max: 1, per: 'day' }] } })),
		).toMatchObject({ accepted: 'no' });
		expect(codes()).toHaveLength(3);
	});

	it('the error of a node that stops has the token too', async () => {
		service.simulator.fail({ kind: 'reset', accept: true });
		const run = await sent(CHANNELS[channel], {}, {});
		expect(run.error?.context).toMatchObject({
			data: { recipients: [{ itemIndex: 0, to: TO, state: 'unclear' }] },
			verificationToken: expect.stringMatching(/^v1\./) as string,
		});
		expectNoCode(whole(run));
	});

	it('a dry run shows placeholders, and a code of its own beside its token', async () => {
		const run = await sent(CHANNELS[channel], {
			dryRun: true,
			templateText: 'Code {1}, {2} minutes',
		});
		const [json] = getJson(run);
		expect(json).toMatchObject({ dryRun: true, to: TO });
		expect(json.request).toMatchObject(
			channel === 'call' ? { verifyCode: '{code}' } : { datas: ['{code}', '10'] },
		);
		expect(await verdictOn(json.verificationToken, String(json.rehearsedCode))).toBe('valid');
		expect([json.preview, json.characters]).toEqual(
			channel === 'call' ? [undefined, undefined] : ['Code {code}, 10 minutes', 25],
		);
		expect(service.simulator.record.requests).toEqual([]);
	});
});

it('a public form with 1,000 numbers costs no more than a limit in total, in two executions at once', async () => {
	const numbers = Array.from({ length: 1000 }, (_, at) => ({ to: String(13800000000 + at) }));
	const parameters = { ...CHANNELS.sms, to: '={{ $json.to }}' };
	const limit = { limits: { rule: [{ by: 'total', max: 50, per: 'day' }] }, maxConcurrency: 50 };
	const runs = await Promise.all(
		[numbers.slice(0, 500), numbers.slice(500)].map(
			async (items) => await sent(parameters, limit, CONTINUE, items, 'form'),
		),
	);
	runs.push(await sent(parameters, limit, CONTINUE, numbers.slice(0, 20), 'form'));
	expect(service.simulator.accepted()).toHaveLength(50);
	const outputs = runs.flatMap((run) => getJson(run));
	expect(outputs.filter(({ verificationToken }) => verificationToken)).toHaveLength(50);
	const refused = outputs.filter(({ error }) => error).map((json) => reportIn(json));
	expect(refused).toHaveLength(970);
	expect(new Set(refused.map(({ accepted }) => accepted))).toEqual(new Set(['no']));
});
