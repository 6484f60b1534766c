import { StoredTokenUsage } from '../../../nodes/Yuntongxun/idempotency/storedTokenUsage';
import { keyStore } from '../../support/keyStore';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

it('a node counts the tries of each token, over runs, and permits no more', async () => {
	const { createContext } = keyStore();
	const tries = [];
	for (let run = 0; run < 4; run++) {
		const attempts = new StoredTokenUsage(createContext());
		tries.push([await attempts.takeAttempt('a', 3), await attempts.takeAttempt('b', 3)]);
	}
	expect(tries).toEqual([
		[1, 1],
		[2, 2],
		[3, 3],
		[undefined, undefined],
	]);
});

it('a node lets only one of several concurrent uses of a token succeed', async () => {
	const { createContext } = keyStore();
	const all = Array.from({ length: 5 }, () => new StoredTokenUsage(createContext()));
	const used = await Promise.all(all.map(async (attempts) => await attempts.redeem('a')));
	expect(used).toEqual([true, false, false, false, false]);
	expect(await all[0].redeem('b')).toBe(true);
});

it('a node never calls a right code used that nobody used', async () => {
	const { createContext } = keyStore();
	const usage = new StoredTokenUsage(createContext());
	const ids = Array.from({ length: 50 }, (_each, at) => String(at));
	const used = ids.map(async (id) => [await usage.takeAttempt(id, 5), await usage.redeem(id)]);
	expect(await Promise.all(used)).toEqual(ids.map(() => [1, true]));
});

it('a node says that the code was not checked if n8n cannot record', async () => {
	const { createContext, breakIt } = keyStore();
	breakIt();
	const attempts = new StoredTokenUsage(createContext());
	const message = /^n8n did not record this attempt, so the code was not checked\. .*locked$/;
	await expect(attempts.takeAttempt('a', 5)).rejects.toThrow(message);
});

it('a node says that a right code was not accepted if n8n cannot record its use', async () => {
	const { createContext, breakIt } = keyStore();
	const attempts = new StoredTokenUsage(createContext());
	await attempts.takeAttempt('a', 5);
	breakIt();
	const message =
		/^n8n did not record that the token was used, so the code was not accepted\. .*locked$/;
	await expect(attempts.redeem('a')).rejects.toThrow(message);
});
