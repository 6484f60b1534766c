import type { IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../util/settle';
import { KeyStore } from './keyStore';
import { quotasOf } from './quotas';

/** What a node remembers of verification tokens. Nothing is ever taken back. */
export interface TokenAttempts {
	/**
	 * Takes one of the tries or uses of a token.
	 *
	 * @param name of what is counted, different for each token
	 * @param max how many there are
	 * @returns its number, counted from 1; undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	take(name: string, max: number): Promise<number | undefined>;
}

/** The attempts of the node that runs, kept in n8n's database. */
export class StoredAttempts implements TokenAttempts {
	private readonly store: KeyStore;

	private readonly quota: ReturnType<typeof quotasOf>;

	constructor(context: IExecuteFunctions) {
		this.store = new KeyStore(context);
		this.quota = quotasOf(context);
	}

	async take(name: string, max: number): Promise<number | undefined> {
		const taken = await settle(this.quota(name).take(this.store, max));
		if ('value' in taken) return taken.value?.slot;
		const { thrown } = taken;
		const words = thrown instanceof Error ? thrown.message : String(thrown);
		throw new Error(
			`n8n did not record this attempt, so the code was not checked. Database message: ${words}`,
			{ cause: thrown },
		);
	}

	/** Makes sure of what this run recorded. Call it at its end. */
	async close(): Promise<void> {
		await this.store.ensureRecorded();
	}
}
