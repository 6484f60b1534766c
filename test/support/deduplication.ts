import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

import { keyStore } from './keyStore';

const rows = new Map<string, ReturnType<typeof keyStore>>();

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 2));

/** Like n8n: one row per node id, so renaming keeps it. */
function openRow({ workflow, node }: ICheckProcessedContextData) {
	const name = `${workflow.id}/${node?.id}`;
	const row = rows.get(name) ?? keyStore(pause);
	rows.set(name, row);
	return row.createContext().helpers;
}

const deduplicator: Pick<IDataDeduplicator, 'checkProcessedAndRecord' | 'removeProcessed'> = {
	checkProcessedAndRecord: async (keys, scope, context, options) =>
		await openRow(context).checkProcessedAndRecord(keys, scope, options),
	removeProcessed: async (keys, scope, context, options) =>
		await openRow(context).removeProcessed(keys, scope, options),
};

/** Gives the engine a store for keys, empty before each test of the file. */
export function useDeduplication(): void {
	beforeAll(async () => {
		await DataDeduplicationService.init(deduplicator as IDataDeduplicator);
	});
	beforeEach(() => rows.clear());
}
