import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyStore } from './keyStore';
import { quotasOf } from './quotas';

/** What a node remembers of verification tokens. Nothing is ever taken back. */
export interface TokenAttempts {
	/**
	 * Takes one of the tries of a token.
	 *
	 * @param id different for each token
	 * @param max how many there are
	 * @returns its number, counted from 1; undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	take(id: string, max: number): Promise<number | undefined>;
	/** Uses a token. @returns whether this was the first time @throws Error as above */
	use(id: string): Promise<boolean>;
}

/** The attempts of the node that runs, kept in n8n's database. */
export class StoredAttempts implements TokenAttempts {
	private readonly store: KeyStore;

	private readonly quota: ReturnType<typeof quotasOf>;

	constructor(context: IExecuteFunctions) {
		this.store = new KeyStore(context);
		this.quota = quotasOf(context);
	}

	async take(id: string, max: number): Promise<number | undefined> {
		const name = `attempt of ${id}`;
		return (await recorded(this.quota(name).take(this.store, max)))?.slot;
	}

	async use(id: string): Promise<boolean> {
		return (await recorded(this.store.record([`used ${id}`]))).size > 0;
	}

	/** Makes sure of what this run recorded. Call it at its end. */
	async close(): Promise<void> {
		await this.store.ensureRecorded();
	}
}

async function recorded<T>(work: Promise<T>): Promise<T> {
	return await work.catch((thrown: unknown) => {
		const words = thrown instanceof Error ? thrown.message : String(thrown);
		throw new Error(
			`n8n did not record this attempt, so the code was not checked. Database message: ${words}`,
			{ cause: thrown },
		);
	});
}
