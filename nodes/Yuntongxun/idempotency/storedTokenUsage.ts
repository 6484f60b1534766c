import type { IExecuteFunctions } from 'n8n-workflow';

import { ProcessedRecords } from './processedRecords';
import { getQuotaCounter } from './quotas';

/** How often a token is good. */
const MAX_USES = 1;

/** What a node remembers of verification tokens, in n8n's database. */
export class StoredTokenUsage {
	private readonly records: ProcessedRecords;

	constructor(context: IExecuteFunctions) {
		this.records = new ProcessedRecords(context);
	}

	/** Takes one of the attempts of a token; see `TokenUsage` in `operation/tokenUsage.ts`. */
	async takeAttempt(id: string, max: number): Promise<number | undefined> {
		return await this.take(`attempt of ${id}`, max);
	}

	/** Uses a token; see there. */
	async redeem(id: string): Promise<boolean> {
		return (await this.take(`use of ${id}`, MAX_USES)) !== undefined;
	}

	/** Ends the run, and makes sure that its records are there. */
	async close(): Promise<void> {
		await this.records.close();
	}

	/** @returns the position of a free slot, counted from 1 */
	private async take(name: string, max: number): Promise<number | undefined> {
		const { node } = this.records;
		const taking = getQuotaCounter(node, name).take(this.records, max);
		const slot = await taking.catch((error: unknown) => {
			const words = error instanceof Error ? error.message : String(error);
			throw new Error(`n8n did not record this attempt, so the code was not checked. ${words}`, {
				cause: error,
			});
		});
		return slot?.position;
	}
}
