import type { IExecuteFunctions } from 'n8n-workflow';

import { getWords } from '../util/text';
import { RecordedKeys } from './recordedKeys';

/** What a node remembers of verification tokens, in n8n's database. */
export class StoredTokenUsage {
	private readonly keys: RecordedKeys;

	constructor(context: IExecuteFunctions) {
		this.keys = new RecordedKeys(context);
	}

	/** Takes one of the attempts of a token; see `TokenUsage` in `operation/defineOperation.ts`. */
	async takeAttempt(id: string, max: number): Promise<number | undefined> {
		const failure = 'n8n did not record this attempt, so the code was not checked';
		for (let attempt = 1; attempt <= max; attempt++) {
			if (await this.record(`attempt of ${id}#${attempt}`, failure)) return attempt;
		}
		return undefined;
	}

	/** Uses a token; see `TokenUsage`. */
	async redeem(id: string): Promise<boolean> {
		const failure = 'n8n did not record that the token was used, so the code was not accepted';
		return await this.record(`use of ${id}`, failure);
	}

	/** @param failure what it means if n8n does not confirm it @returns whether it was new */
	private async record(key: string, failure: string): Promise<boolean> {
		const fresh = await this.keys.record([key]).catch((error: unknown) => {
			throw new Error(`${failure}. ${getWords(error)}`, { cause: error });
		});
		return fresh.size > 0;
	}
}
