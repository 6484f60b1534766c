import { inspect } from 'node:util';

import type { Simulator } from '../../../simulator/index';

/**
 * Complains where something that n8n keeps, shows or logs holds a secret: the token, or what the
 * requests so far were signed with.
 *
 * @param kept anything; hidden and inherited members are looked at too
 */
export function expectNoSecrets(kept: unknown, simulator: Simulator): void {
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
	expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}
