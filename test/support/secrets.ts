import { inspect } from 'node:util';

import type { Simulator } from '../../simulator/index';

/**
 * The secrets in what n8n keeps, shows or logs: the token, or what the requests so far were signed with.
 *
 * @param kept anything; hidden and inherited members are looked at too
 */
export function listKeptSecrets(kept: unknown, simulator: Simulator): string[] {
	const { requests } = simulator.record;
	const secrets = [
		simulator.credentials.authToken,
		...requests.map(({ headers }) => String(headers.authorization)),
		...requests.map(({ query }) => query.replace(/^sig=/, '')),
	].filter((secret) => secret.length > 8);
	const text = inspect(kept, {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	return secrets.filter((secret) => text.includes(secret));
}

/** Fails if there are such secrets. */
export function expectNoSecrets(kept: unknown, simulator: Simulator): void {
	expect(listKeptSecrets(kept, simulator)).toEqual([]);
}
