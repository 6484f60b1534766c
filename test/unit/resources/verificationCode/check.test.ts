import type { IDataObject } from 'n8n-workflow';

import { checkCode } from '../../../../nodes/Yuntongxun/resources/verificationCode/check';
import { createToken } from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import { buildForm } from '../../../support/form';
import { createMemory, runTask } from '../../../support/tasks';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const MINUTE_MS = 60_000;
const TO = '13800000000';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

const send = async () => {
	throw new Error('A request was made');
};

/** A token that is good for ten minutes, and its code. */
function created({ isRehearsal = false } = {}) {
	const expiresAt = Math.floor(NOW / 1000) * 1000 + 10 * MINUTE_MS;
	const { text, code } = createToken({ to: TO, expiresAt, isRehearsal }, 6, buildForm().keyFor);
	return { verificationToken: text, code };
}

async function checked(
	verificationToken: unknown,
	code: unknown,
	{ recordKey } = createMemory(),
	inProduction = true,
) {
	const form = buildForm({ verificationToken, code } as IDataObject, { inProduction });
	const [json] = await runTask(checkCode.prepare(form).work, send, recordKey);
	return json;
}

const verdict = (reason: string, attemptsLeft: number) => ({
	valid: reason === 'valid',
	reason,
	to: TO,
	attemptsLeft,
});

/** A code that is not this one, with as many digits. */
const otherThan = (code: string) =>
	String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

describe('check', () => {
	it.each([
		['right right', ['valid 4', 'used 0']],
		[
			'wrong wrong wrong wrong wrong right',
			['wrong 4', 'wrong 3', 'wrong 2', 'wrong 1', 'wrong 0', 'tooManyAttempts 0'],
		],
		[
			'right wrong right wrong wrong right',
			['valid 4', 'wrong 3', 'used 0', 'wrong 1', 'wrong 0', 'tooManyAttempts 0'],
		],
	])('five attempts: %s gives %j', async (typed, reasons) => {
		const tokens = createMemory();
		const { code, verificationToken } = created();
		const verdicts = [];
		for (const each of typed.split(' ')) {
			const typedCode = each === 'right' ? code : otherThan(code);
			verdicts.push(await checked(verificationToken, typedCode, tokens));
		}
		expect(verdicts).toEqual(
			reasons.map((each) => verdict(each.split(' ')[0], Number(each.split(' ')[1]))),
		);
	});

	it.each([
		[10 * MINUTE_MS - 679, 'valid', 4],
		[10 * MINUTE_MS - 678, 'expired', 0],
		[100 * MINUTE_MS, 'expired', 0],
	])('%i ms later the code is %s', async (later, reason, left) => {
		const { code, verificationToken } = created();
		jest.setSystemTime(NOW + later);
		const tokens = createMemory();
		expect(await checked(verificationToken, code, tokens)).toEqual(verdict(reason, left));
		expect([...tokens.keys]).toHaveLength(reason === 'valid' ? 2 : 0);
	});

	it('takes the token of a rehearsal by hand, and calls it forged in production', async () => {
		const { verificationToken, code } = created({ isRehearsal: true });
		const checkedBy = async (inProduction: boolean) =>
			await checked(verificationToken, code, createMemory(), inProduction);
		expect(await checkedBy(false)).toEqual({ ...verdict('valid', 4), dryRun: true });
		expect(await checkedBy(true)).toEqual({ valid: false, reason: 'forged' });
	});

	it('says forged before expired, and expired before used, and records neither', async () => {
		const tokens = createMemory();
		const { code, verificationToken } = created();
		await checked(verificationToken, code, tokens);
		jest.setSystemTime(NOW + 11 * MINUTE_MS);
		expect(await checked(verificationToken, code, tokens)).toEqual(verdict('expired', 0));
		expect(await checked(`${verificationToken}x`, code, tokens)).toEqual({
			valid: false,
			reason: 'forged',
		});
		expect([...tokens.keys]).toHaveLength(2);
	});

	it('says that a code was not accepted if n8n records no try, or no use', async () => {
		const { code, verificationToken } = created();
		for (const beginning of ['attempt', 'use']) {
			const recordKey = async (key: string) => {
				if (key.startsWith(beginning)) throw new Error('Database message: locked');
				return true;
			};
			await expect(
				checked(verificationToken, code, { ...createMemory(), recordKey }),
			).rejects.toThrow(
				'n8n did not record this try, so the code was not accepted. Database message: locked',
			);
		}
	});

	it('tokens do not share their tries', async () => {
		const tokens = createMemory();
		const all = [created(), created()];
		for (const each of all) await checked(each.verificationToken, 'x', tokens);
		expect(await checked(all[1].verificationToken, all[1].code, tokens)).toEqual(
			verdict('valid', 3),
		);
	});

	it.each<[unknown, unknown, RegExp]>([
		['', '1234', /'Verification Token' is empty/],
		['x', '', /'Code' is empty/],
		['x', ' \u3000', /'Code' is empty/],
		[{ a: 1 }, '1234', /'Verification Token' is an object/],
		['x', ['1234'], /'Code' is a list/],
	])('refuses token %j with code %j as input', async (token, code, message) => {
		await expect(checked(token, code)).rejects.toThrow(message);
	});
});
