import type { IExecuteFunctions } from 'n8n-workflow';

import { getWords } from '../util/text';
import { ProcessedRecords } from './processedRecords';
import { getStoredCounter } from './quotas';
import { takeSlots } from './takeSlots';

/** How many times a token can be used. */
const MAX_USES = 1;

/** What a node remembers of verification tokens, in n8n's database. */
export class StoredTokenUsage {
	private readonly records: ProcessedRecords;

	constructor(context: IExecuteFunctions) {
		this.records = new ProcessedRecords(context);
	}

	/** Takes one of the attempts of a token; see `TokenUsage` in `operation/defineOperation.ts`. */
	async takeAttempt(id: string, max: number): Promise<number | undefined> {
		const failure = 'n8n did not record this attempt, so the code was not checked';
		return await this.take(`attempt of ${id}`, max, failure);
	}

	/** Uses a token; see `TokenUsage`. */
	async redeem(id: string): Promise<boolean> {
		const failure = 'n8n did not record that the token was used, so the code was not accepted';
		const position = await this.take(`use of ${id}`, MAX_USES, failure);
		return position !== undefined;
	}

	/** Ends the run, and makes sure that its records are there. */
	async close(): Promise<void> {
		await this.records.close();
	}

	/**
	 * @param failure what it means if n8n does not say that it recorded the slot
	 * @returns the position of a free slot, counted from 1
	 */
	private async take(name: string, max: number, failure: string): Promise<number | undefined> {
		const counter = getStoredCounter(this.records.node, name);
		const [outcome] = await takeSlots(this.records, [{ wants: [{ counter, max }] }]);
		if (outcome.kind === 'failed') {
			const { error } = outcome;
			throw new Error(`${failure}. ${getWords(error)}`, { cause: error });
		}
		return outcome.kind === 'taken' ? outcome.slots[0].position : undefined;
	}
}
