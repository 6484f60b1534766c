import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useDeduplication } from '../support/deduplication';
import type { Circumstances } from '../support/engine';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

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
	Object.keys(json).filter((name) => !['dryRun', 'request'].includes(name));

it('A rehearsed call has the members of a real one, and uses no key', async () => {
	const options = { idempotencyKey: 'one' };
	const [rehearsed] = getJson(await run(notify({ ...options, ...DRY }), { mode: 'webhook' }));
	expect(requests()).toEqual([]);
	expect(rehearsed).toMatchObject({
		statusCode: '000000',
		callSid: expect.stringMatching(MADE_UP) as string,
		dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
		to: TO,
		dryRun: true,
		request: { endpoint: 'LandingCalls', to: TO, mediaTxt: 'Hello' },
	});
	const [real] = getJson(await run(notify(options)));
	expect(requests()).toHaveLength(1);
	expect(namesIn(rehearsed)).toEqual(namesIn(real));
});

it('A rehearsed SMS shows its text where the template was picked, and asks nobody', async () => {
	const templateId = { __rl: true, mode: 'list', value: '7', cachedResultName: 'Code (7): {1}.' };
	const parameters = operation('sms', 'send', { to: TO, templateId, datas: ['384512'] }, DRY);
	const [json] = getJson(await run(parameters));
	expect(json).toMatchObject({ to: TO, preview: '384512.' });
	expect(requests()).toEqual([]);
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
