import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useDeduplication } from '../support/engine/deduplication';
import type { Circumstances } from '../support/engine/engine';
import { getJson, operation } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
useDeduplication();

const TO = '13800000000';
const DRY = { dryRun: true };
const MADE_UP = /^0{12}\d{20}$/;

const run = async (parameters: INodeParameters, circumstances?: Circumstances) =>
	await service.run(parameters, { circumstances });
const notify = (options: INodeParameters, more: INodeParameters = {}) =>
	operation('call', 'notify', { to: TO, mediaTxt: 'Hello', ...more }, options);
const requests = () => service.simulator.record.requests;

/** The names of members, without those that only a rehearsal has. */
const namesIn = (json: IDataObject) =>
	Object.keys(json).filter(
		(name) => !['dryRun', 'requests', 'request', 'preview', 'characters'].includes(name),
	);

it('A rehearsed call has the members of a real one, uses no key, and says so in production', async () => {
	const options = { idempotencyKey: 'one' };
	const rehearsal = await run(notify({ ...options, ...DRY }), { mode: 'webhook' });
	const [rehearsed] = getJson(rehearsal);
	const hints = [{ message: expect.stringMatching(/^This node only rehearses/) as string }];
	expect(rehearsal.hints).toMatchObject(hints);
	expect(requests()).toEqual([]);
	expect(rehearsed).toMatchObject({
		statusCode: '000000',
		callSid: expect.stringMatching(MADE_UP) as string,
		dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
		to: TO,
		dryRun: true,
		requests: 1,
		request: { endpoint: 'LandingCalls', to: TO, mediaTxt: 'Hello' },
	});
	const [real] = getJson(await run(notify(options)));
	expect(requests()).toHaveLength(1);
	expect(namesIn(rehearsed)).toEqual(namesIn(real));
});

it('A rehearsed SMS to 201 numbers would take two requests, and its text is read once', async () => {
	const numbers = Array.from({ length: 201 }, (_, at) => String(13800000000 + at)).join(',');
	const parameters = operation(
		'sms',
		'send',
		{ to: numbers, templateId: '1', variablesMode: 'list', datas: ['384512'] },
		DRY,
	);
	const [json] = getJson(await run(parameters));
	expect(json).toMatchObject({
		to: numbers,
		requests: 2,
		preview: expect.stringMatching(/384512.*\{2\}/) as string,
	});
	const ids = (json.messages as IDataObject[]).map(({ smsMessageSid }) => smsMessageSid);
	expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
	expect(requests().map(({ operation: name }) => name)).toEqual(['QuerySMSTemplate']);
});

it('A rehearsed sign-in can be checked by hand, and in production nobody gets in', async () => {
	const send = operation('verificationCode', 'send', { to: TO, channel: 'call' }, DRY);
	const [{ verificationToken, rehearsedCode }] = getJson(await run(send));
	expect(requests()).toEqual([]);

	const check = operation('verificationCode', 'check', {
		verificationToken: String(verificationToken),
		code: String(rehearsedCode),
	});
	expect(getJson(await run(check, { mode: 'webhook' }))).toEqual([
		{ valid: false, reason: 'forged' },
	]);
	expect(getJson(await run(check, { mode: 'manual' }))[0]).toMatchObject({
		valid: true,
		dryRun: true,
	});

	const resend = { resendToken: String(verificationToken) };
	const real = operation('verificationCode', 'send', { to: TO, channel: 'call' }, resend);
	expect((await run(real, { mode: 'webhook' })).error?.message).toMatch(
		/not a token of this account/,
	);
});

it('The result of a rehearsed call is completed, without a request', async () => {
	const [{ callSid }] = getJson(await run(notify(DRY)));
	const parameters = operation('call', 'getResult', { callSid: String(callSid) });
	expect(getJson(await run(parameters, { mode: 'webhook' }))[0]).toMatchObject({
		callSid,
		outcome: 'completed',
		answered: true,
		dryRun: true,
	});
	expect(requests()).toEqual([]);
});
