import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyStore } from './keyStore';
import { quotaOf } from './quotas';

/** What the node that runs remembers of verification tokens. Nothing is ever taken back. */
export class StoredAttempts extends KeyStore {
	constructor(context: IExecuteFunctions) {
		super(context, 'this attempt, so the code was not checked');
	}

	/**
	 * Takes one of the tries or uses of a token.
	 *
	 * @param name of what is counted, different for each token
	 * @param max how many there are
	 * @returns its number, counted from 1; undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	async take(name: string, max: number): Promise<number | undefined> {
		return (await quotaOf(this.node, name).take(this, max))?.position;
	}
}

export type TokenAttempts = Pick<StoredAttempts, 'take'>;
