import type { IWebhookFunctions } from 'n8n-workflow';

import {
	findRefusal,
	isSignedByAccount,
} from '../../../nodes/Yuntongxun/callbacks/accountSignature';
import {
	parseCallbackAddress,
	buildRelayAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import { buildNode } from '../../support/fakeN8n';

const NOW = Date.UTC(2026, 0, 1);
const IN_AN_HOUR = NOW + 60 * 60 * 1000;
const accountWith = (authToken: string) => ({ accountSid: 'made-up', authToken });
const TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';

let nodes = 0;

/** A webhook of a node of its own, whose account has the given token and can be given another. */
function webhookWith(authToken: string) {
	const account = { accountSid: 'made-up', authToken, baseUrl: 'https://example.com' };
	const node = buildNode({
		id: `n${++nodes}`,
		credentials: { yuntongxunApi: { id: 'c', name: 'The account' } },
	});
	const getCredentials = jest.fn(async () => ({ ...account }));
	const context = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'w' }),
		getCredentials,
	} as unknown as IWebhookFunctions;
	const isSigned = async (url: string) =>
		await isSignedByAccount(context, parseCallbackAddress(url), Date.now());
	const signedWith = async (token: string) =>
		await isSigned(signUrl(TRIGGER, accountWith(token), IN_AN_HOUR));
	const refusalWith = async (token: string) => {
		const address = parseCallbackAddress(signUrl(TRIGGER, accountWith(token), IN_AN_HOUR));
		return await findRefusal(context, address, Date.now());
	};
	return { account, getCredentials, node, isSigned, signedWith, refusalWith };
}

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

describe('isSignedByAccount', () => {
	it('reads the credential once a second however much is forged', async () => {
		const { signedWith, getCredentials } = webhookWith('one');
		for (let at = 0; at < 3000; at += 10) {
			jest.setSystemTime(NOW + at);
			expect(await signedWith('two')).toBe(false);
			expect(await signedWith('one')).toBe(true);
		}
		expect(getCredentials).toHaveBeenCalledTimes(3);
	});

	it('reads the credential once for all forged deliveries of one moment', async () => {
		const { signedWith, getCredentials } = webhookWith('one');
		const forged = Array.from({ length: 600 }, async () => await signedWith('two'));
		expect(await Promise.all(forged)).toEqual(Array.from({ length: 600 }, () => false));
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});

	it('tries once a second to read a credential that cannot be read', async () => {
		const { signedWith, getCredentials } = webhookWith('one');
		getCredentials.mockRejectedValueOnce(new Error('The database is away'));
		await expect(signedWith('one')).rejects.toThrow('is away');
		await expect(signedWith('one')).rejects.toThrow('is away');
		expect(getCredentials).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + 1000);
		expect(await signedWith('one')).toBe(true);
	});

	it('uses a reading of the credential for ten seconds', async () => {
		const { signedWith, getCredentials } = webhookWith('one');
		expect(await signedWith('one')).toBe(true);
		jest.setSystemTime(NOW + 9999);
		expect(await signedWith('one')).toBe(true);
		expect(getCredentials).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + 10_000);
		expect(await signedWith('one')).toBe(true);
		expect(getCredentials).toHaveBeenCalledTimes(2);
		expect(getCredentials).toHaveBeenCalledWith('yuntongxunApi');
	});

	it('reads the credential again if the clock was set back', async () => {
		const { signedWith, account, getCredentials } = webhookWith('one');
		expect(await signedWith('one')).toBe(true);
		account.authToken = 'two';
		jest.setSystemTime(NOW - 60 * 60 * 1000);
		expect(await signedWith('two')).toBe(true);
		expect(getCredentials).toHaveBeenCalledTimes(2);
	});

	it('accepts a new token after a second, and the old one for ten seconds at most', async () => {
		const { signedWith, account } = webhookWith('old');
		expect(await signedWith('old')).toBe(true);
		account.authToken = 'new';
		jest.setSystemTime(NOW + 999);
		expect(await signedWith('new')).toBe(false);
		jest.setSystemTime(NOW + 1000);
		expect([await signedWith('new'), await signedWith('old')]).toEqual([true, false]);

		account.authToken = 'newer';
		jest.setSystemTime(NOW + 10_999);
		expect(await signedWith('new')).toBe(true);
		jest.setSystemTime(NOW + 11_000);
		expect([await signedWith('new'), await signedWith('newer')]).toEqual([false, true]);
	});

	it('never uses the credential of another node, nor the one before', async () => {
		const { signedWith, account, node } = webhookWith('one');
		expect(await signedWith('one')).toBe(true);
		expect(await webhookWith('two').signedWith('one')).toBe(false);
		account.authToken = 'two';
		node.credentials = { yuntongxunApi: { id: 'd', name: 'Another account' } };
		expect(await signedWith('one')).toBe(false);
	});

	it.each([undefined, {}])('rejects if the node has the credentials %j', async (none) => {
		const { getCredentials, node, signedWith } = webhookWith('one');
		node.credentials = none;
		getCredentials.mockRejectedValue(new Error('Node does not have any credentials set'));
		await expect(signedWith('one')).rejects.toThrow('does not have any credentials');
	});

	it('remembers the credentials of a hundred webhooks at most', async () => {
		const first = webhookWith('one');
		const others = Array.from({ length: 100 }, () => webhookWith('one'));
		for (const each of [first, ...others, first]) expect(await each.signedWith('one')).toBe(true);
		expect(first.getCredentials).toHaveBeenCalledTimes(2);
		expect(others[99].getCredentials).toHaveBeenCalledTimes(1);
	});
});

describe('findRefusal', () => {
	it('refuses nothing that the account has signed, and whatever another has', async () => {
		expect(await webhookWith('one').refusalWith('one')).toBeUndefined();
		expect(await webhookWith('one').refusalWith('two')).toBe('notSigned');
	});

	it.each([undefined, {}])(
		'asks n8n for nothing if the node has the credentials %j',
		async (none) => {
			const { getCredentials, node, refusalWith } = webhookWith('one');
			node.credentials = none;
			expect(await refusalWith('one')).toBe('notSigned');
			expect(getCredentials).not.toHaveBeenCalled();
		},
	);

	it('takes nothing for signed if the credential is not whole', async () => {
		expect(await webhookWith('').refusalWith('')).toBe('notSigned');
	});

	it('does not say that something is unsigned while n8n cannot read the credential', async () => {
		const { getCredentials, refusalWith } = webhookWith('one');
		getCredentials.mockRejectedValueOnce(new Error('The database is away'));
		expect([await refusalWith('one'), await refusalWith('two')]).toEqual([
			'unavailable',
			'unavailable',
		]);
		jest.setSystemTime(NOW + 1000);
		expect(await refusalWith('one')).toBeUndefined();
	});
});

describe('an address that carries a resume address', () => {
	const sign = (url: string, token = 'own', expiresAt = IN_AN_HOUR) =>
		signUrl(url, accountWith(token), expiresAt);
	const unsigned = (url: string) => url;
	const RESUME = buildWaitAddress('http://n8n.internal:5678/webhook-waiting/231', 'w1');
	const relayed = (inner: string, outer: (url: string) => string = sign) =>
		outer(buildRelayAddress(TRIGGER, inner));
	const whole = relayed(sign(RESUME));

	it('counts as signed if both addresses are', async () => {
		expect(await webhookWith('own').isSigned(whole)).toBe(true);
	});

	it.each([
		['only the inner one is signed', relayed(sign(RESUME), unsigned)],
		['only the outer one is signed', relayed(RESUME)],
		['the inner one is signed by another account', relayed(sign(RESUME, 'other'))],
		['the outer one is signed by another account', relayed(sign(RESUME), (url) => sign(url, 'x'))],
		['the outer one has expired', relayed(sign(RESUME), (url) => sign(url, 'own', NOW - 1000))],
		['the inner one has expired', relayed(sign(RESUME, 'own', NOW - 1000))],
		['the host of the inner one was changed', whole.replace('n8n.internal', 'evil.example.com')],
		['the wait of the inner one was changed', whole.replace('ytWait%3Dw1', 'ytWait%3Dw2')],
		[
			'another inner one was put in front',
			whole.replace('?', `?ytResume=${encodeURIComponent(sign(RESUME))}&`),
		],
		['the inner one is empty', sign(`${TRIGGER}?ytResume=`)],
	])('does not count as signed if %s', async (_, url) => {
		expect(await webhookWith('own').isSigned(url)).toBe(false);
	});
});
