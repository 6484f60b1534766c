import type { IWebhookFunctions } from 'n8n-workflow';

import { openOwnToken } from '../../../nodes/Yuntongxun/callbacks/ownToken';
import { findToken } from '../../../nodes/Yuntongxun/callbacks/sealedToken';
import { buildNode } from '../../support/fakeN8n';
import { sealUrl } from '../../support/sealing';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2026, 0, 1);
const IN_AN_HOUR = NOW / 1000 + 60 * 60;
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
	/** What comes of an address that an account with this token has made. */
	const read = async (token: string) => {
		const url = sealUrl(TRIGGER, accountWith(token), { expires: IN_AN_HOUR });
		return (await openOwnToken(context, findToken(url), Date.now())).state;
	};
	const isOpened = async (token: string) => (await read(token)) === 'opened';
	return { account, context, getCredentials, node, read, isOpened };
}

useFakeClock(NOW);

describe('the token of an address', () => {
	it('reads the credential once in ten seconds however much is forged', async () => {
		const { isOpened, getCredentials } = webhookWith('one');
		for (let at = 0; at < 30_000; at += 100) {
			jest.setSystemTime(NOW + at);
			expect(await isOpened('two')).toBe(false);
			expect(await isOpened('one')).toBe(true);
		}
		expect(getCredentials).toHaveBeenCalledTimes(3);
	});

	it('reads the credential once for all forged deliveries of one moment', async () => {
		const { isOpened, getCredentials } = webhookWith('one');
		const forged = Array.from({ length: 600 }, async () => await isOpened('two'));
		expect(await Promise.all(forged)).toEqual(Array.from({ length: 600 }, () => false));
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});

	it('says that a credential cannot be read to all of one moment, and reads it for the next', async () => {
		const { read, getCredentials } = webhookWith('one');
		getCredentials.mockRejectedValueOnce(new Error('The database is away'));
		const both = [read('one'), read('two')];
		expect(await Promise.all(both)).toEqual(['unavailable', 'unavailable']);
		expect(await read('one')).toBe('opened');
		expect(getCredentials).toHaveBeenCalledTimes(2);
	});

	it('uses a reading for ten seconds, so that the old token is good as long', async () => {
		const { isOpened, account, getCredentials } = webhookWith('old');
		expect(await isOpened('old')).toBe(true);
		account.authToken = 'new';
		jest.setSystemTime(NOW + 9999);
		expect(await isOpened('old')).toBe(true);
		expect(getCredentials.mock.calls).toEqual([['yuntongxunApi']]);
		jest.setSystemTime(NOW + 10_000);
		expect([await isOpened('new'), await isOpened('old')]).toEqual([true, false]);
	});

	it('never uses the credential of another node, nor the one before', async () => {
		const { isOpened, account, node } = webhookWith('one');
		expect(await isOpened('one')).toBe(true);
		expect(await webhookWith('two').isOpened('one')).toBe(false);
		account.authToken = 'two';
		node.credentials = { yuntongxunApi: { id: 'd', name: 'Another account' } };
		expect(await isOpened('one')).toBe(false);
	});

	it.each([undefined, {}])(
		'is another one’s, and n8n is asked for nothing, if the node has the credentials %j',
		async (none) => {
			const { getCredentials, node, read } = webhookWith('one');
			node.credentials = none;
			expect(await read('one')).toBe('notOurs');
			expect(getCredentials).not.toHaveBeenCalled();
		},
	);

	it('is another one’s if the credential is not whole, or the address has none', async () => {
		expect(await webhookWith('').read('')).toBe('notOurs');
		expect(await openOwnToken(webhookWith('one').context, undefined, NOW)).toEqual({
			state: 'notOurs',
		});
	});
});
