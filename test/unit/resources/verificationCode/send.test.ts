import type { IDataObject } from 'n8n-workflow';

import { sendCode } from '../../../../nodes/Yuntongxun/resources/verificationCode/send';
import {
	createToken,
	readToken,
} from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import { buildForm } from '../../../support/form';
import { answer } from '../../../support/messages';
import { firstRequest } from '../../../support/tasks';

/** Half a second past a whole one: expiries are whole seconds. */
const NOW = Date.parse('2026-01-02T03:04:05.500Z');
const SECOND_MS = 1000;
const TO = '13800000000';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

const { keyFor } = buildForm();
const CALL: IDataObject = {
	to: TO,
	channel: 'call',
	appId: 'app',
	codeLength: 6,
	codeLifetime: 10,
};
const SMS: IDataObject = {
	...CALL,
	channel: 'sms',
	templateId: '100002',
	datas: ['{code}', '{minutes}', 'of {minutes}: {code} {code}'],
};

const prepared = (parameters: IDataObject, options: IDataObject = {}) =>
	sendCode.prepare(buildForm(parameters, { options })).work;

/** What goes out, and the token that comes of it. */
function sent(parameters: IDataObject, options: IDataObject = {}) {
	const message = prepared(parameters, options);
	const output = message.outputFor(answer('id'));
	return { ...firstRequest(message), output, errorFields: message.errorFields };
}

/** A token that expires so many seconds after the last whole one. */
const tokenFor = (seconds: number, to = TO, keys = keyFor) =>
	createToken(
		{ to, expiresAt: (Math.floor(NOW / SECOND_MS) + seconds) * SECOND_MS, isRehearsal: false },
		8,
		keys,
	);

describe.each([
	['call', CALL],
	['SMS', SMS],
])('by %s', (_what, parameters) => {
	const fieldsWith = (code?: string) =>
		parameters === CALL ? { verifyCode: code } : { datas: [code, '10', `of 10: ${code} ${code}`] };

	it('a new code goes out, and the token in the output holds it', () => {
		const { fields, secrets, output, errorFields } = sent({ ...parameters, codeLength: 8 });
		const token = readToken(String(output.verificationToken), buildForm());
		expect(token?.code).toMatch(/^\d{8}$/);
		expect(token?.to).toBe(TO);
		expect(fields).toMatchObject(fieldsWith(token?.code));
		expect(secrets).toEqual([token?.code]);
		expect(errorFields).toEqual({
			verificationToken: token?.text,
			expiresAt: '2026-01-02T03:14:05.000Z',
		});
		expect(output).toMatchObject(errorFields as IDataObject);
		expect(JSON.stringify([output, errorFields])).not.toContain(token?.code);
	});

	it('a code that is sent again keeps its token', () => {
		const { text: verificationToken, code } = tokenFor(601);
		const { fields, secrets, output, errorFields } = sent(
			{ ...parameters, codeLength: 4, codeLifetime: 1440 },
			{ resendToken: ` ${verificationToken}\n` },
		);
		expect(fields).toMatchObject(fieldsWith(code));
		expect(secrets).toEqual([code]);
		expect(errorFields).toEqual({ verificationToken, expiresAt: '2026-01-02T03:14:06.000Z' });
		expect(output).toMatchObject({ ...errorFields, channel: parameters.channel });
	});
});

describe('a new code', () => {
	it.each([1, 1440])('lasts %i minutes', (codeLifetime) => {
		const { fields, output } = sent({ ...SMS, codeLifetime });
		expect(fields.datas?.[1]).toBe(String(codeLifetime));
		expect(output.expiresAt).toBe(
			new Date(NOW - 500 + codeLifetime * 60 * SECOND_MS).toISOString(),
		);
	});

	it('is the same whenever its request is built, and another for the next item', () => {
		const message = prepared(CALL);
		const [first, again, next] = [message, message, prepared(CALL)].map(firstRequest);
		expect(again).toEqual(first);
		expect(next.secrets).not.toEqual(first.secrets);
	});
});

describe('a code that is sent again', () => {
	it.each([
		[600, '10'],
		[120, '2'],
		[119, '1'],
		[60, '1'],
	])('with %i seconds left says %s minutes', (seconds, minutes) => {
		const { fields } = sent(SMS, { resendToken: tokenFor(seconds).text });
		expect(fields.datas?.[1]).toBe(minutes);
	});

	it.each([
		['+86 138 0000 0000', TO],
		[TO, '+8613800000000'],
		['01012345678-801', '01012345678-801'],
		['+85223456789', '+85223456789'],
	])('goes to %s for a token of %s', (to, ofToken) => {
		const { output } = sent({ ...CALL, to }, { resendToken: tokenFor(600, ofToken).text });
		expect(output.verificationToken).toBeDefined();
	});

	it.each<[string, IDataObject, string, RegExp]>([
		['less than a minute is left', CALL, tokenFor(59).text, /has expired, or will within a minute/],
		['it has just expired', CALL, tokenFor(0).text, /has expired/],
		['the number is another', { ...CALL, to: '13800000001' }, tokenFor(600).text, /another number/],
		[
			'the extension is another',
			{ ...CALL, to: '01012345678-802' },
			tokenFor(600, '01012345678-801').text,
			/another number/,
		],
		['it is something else', CALL, 'true', /is not a token of this account/],
	])('is refused before a request if %s', (_what, parameters, resendToken, words) => {
		const work = () => prepared(parameters, { resendToken });
		expect(work).toThrow(/^'Token of the First Send' /);
		expect(work).toThrow(words);
	});
});

it('a landline gets a call, but no SMS', () => {
	const to = '01012345678-801';
	expect(sent({ ...CALL, to }).fields).toMatchObject({ to });
	expect(() => prepared({ ...SMS, to })).toThrow(/^'To' is not a mobile number/);
});

describe('a dry run', () => {
	it.each([
		['a new code', {}],
		['a code again', { resendToken: tokenFor(601).text }],
	])('of %s shows stars instead of the code', (_what, options) => {
		const message = prepared(SMS, { ...options, dryRun: true });
		expect(firstRequest(message).fields.datas).toEqual(['***', '10', 'of 10: *** ***']);
		expect(firstRequest(prepared(CALL, { ...options, dryRun: true })).fields.verifyCode).toBe(
			'***',
		);
	});

	it('has the code of a new token beside it, and never that of a real one', () => {
		const message = prepared(CALL, { dryRun: true });
		const { verificationToken } = message.outputFor(answer('id'));
		const token = readToken(String(verificationToken), buildForm({}, { inProduction: false }));
		expect(token).toMatchObject({ isRehearsal: true });
		expect(message.rehearse().members).toEqual({ rehearsedCode: token?.code });

		const again = prepared(CALL, { dryRun: true, resendToken: tokenFor(601).text });
		expect(again.rehearse().members).toEqual({});
	});
});
