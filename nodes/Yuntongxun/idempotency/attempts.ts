import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyStore } from './keyStore';
import { quotaOf } from './quotas';

/** How often a token is good. */
const MAX_USES = 1;

/** What the node that runs remembers of verification tokens. Nothing is ever taken back. */
export class StoredAttempts extends KeyStore {
	constructor(context: IExecuteFunctions) {
		super(context, 'this attempt, so the code was not checked');
	}

	/**
	 * Takes one of the tries of a token.
	 *
	 * @param id different for each token
	 * @param max how many there are
	 * @returns its number, counted from 1; undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	async take(id: string, max: number): Promise<number | undefined> {
		return (await quotaOf(this.node, `attempt of ${id}`).take(this, max))?.position;
	}

	/** Uses a token. @returns whether it was still good @throws Error as above */
	async use(id: string): Promise<boolean> {
		return (await quotaOf(this.node, `use of ${id}`).take(this, MAX_USES)) !== undefined;
	}
}

export type TokenAttempts = Pick<StoredAttempts, 'take' | 'use'>;
