import { createHash } from 'node:crypto';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';

const rows = new Map<string, string[]>();
let answersLeft = Infinity;
let released: Promise<void> | undefined;

const getRowKey = ({ workflow, node }: ICheckProcessedContextData) =>
	`${workflow.id}/${node?.name}`;
const hash = (key: DeduplicationItemTypes) =>
	createHash('md5').update(String(key)).digest('base64');
const pause = async () => await new Promise((resolve) => setTimeout(resolve, 2));

async function read(row: string): Promise<string[]> {
	if (answersLeft-- <= 0) await released;
	await pause();
	return rows.get(row) ?? [];
}

async function write(row: string, keys: string[]): Promise<void> {
	await pause();
	rows.set(row, keys);
}

/** As n8n's own: one row a node, read, changed and written back without a lock. */
const deduplicator: Pick<IDataDeduplicator, 'checkProcessedAndRecord' | 'removeProcessed'> = {
	checkProcessedAndRecord: async (keys, _scope, context, { maxEntries = Infinity }) => {
		const before = new Set(await read(getRowKey(context)));
		const isNew = (key: DeduplicationItemTypes) => !before.has(hash(key));
		const after = [...before, ...keys.filter(isNew).map(hash)];
		await write(getRowKey(context), after.slice(-maxEntries));
		return { new: keys.filter(isNew), processed: keys.filter((key) => !isNew(key)) };
	},
	removeProcessed: async (keys, _scope, context) => {
		const before = await read(getRowKey(context));
		const gone = new Set(keys.map(hash));
		await write(
			getRowKey(context),
			before.filter((each) => !gone.has(each)),
		);
	},
};

/** Gives the engine a store for keys, empty before each test of the file. */
export function useDeduplication() {
	beforeAll(async () => {
		await DataDeduplicationService.init(deduplicator as IDataDeduplicator);
	});
	beforeEach(() => {
		rows.clear();
		answersLeft = Infinity;
	});
	return {
		/** Lets the database answer so often, and then no more. @returns lets it go on */
		holdAfter: (answers: number) => {
			let release = () => {};
			answersLeft = answers;
			released = new Promise((resolve) => (release = resolve));
			return release;
		},
	};
}
