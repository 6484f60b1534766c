import type { IExecuteFunctions } from 'n8n-workflow';

const SCOPE = 'node';

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;

/**
 * Entries that n8n's database keeps for one node, in one row: as MD5 hashes, oldest first. n8n reads
 * the row, changes it and writes it back without a lock, so only one call may be under way.
 */
export class Store {
	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * Records entries, each once, behind the others. n8n drops the oldest if there are too many.
	 *
	 * @param most how many entries the node keeps
	 * @returns the entries that were not recorded before
	 * @throws what n8n throws
	 */
	async record(entries: readonly string[], most: number): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const distinct = [...new Set(entries)];
		const record = async () =>
			await this.context.helpers.checkProcessedAndRecord(distinct, SCOPE, {
				mode: 'entries',
				maxEntries: most,
			});
		const { new: fresh } = await record().catch(async (thrown: unknown) => {
			if (!ROW_EXISTS.test(String(thrown))) throw thrown;
			return await record();
		});
		return new Set(fresh.map(String));
	}

	/** Frees entries. @throws what n8n throws */
	async remove(entries: readonly string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.context.helpers.removeProcessed([...entries], SCOPE, { mode: 'entries' });
	}

	/** Writes a line to n8n's log. */
	warn(line: string): void {
		this.context.logger.warn(line);
	}
}
