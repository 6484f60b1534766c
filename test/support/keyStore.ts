import type { ICheckProcessedOptions, IExecuteFunctions, Logger } from 'n8n-workflow';
import { buildNode } from './fakeN8n';

let workflows = 0;

/** What n8n's database keeps for the nodes of one workflow, and when it fails. */
interface Row {
	entries: string[];
	/** What it was asked, call by call; keys to remove begin with a hyphen. */
	calls: string[][];
	broken?: Error;
	breaksAt?: { call: number; error: Error };
}

/** Like n8n's own: read, changed and written back without a lock, oldest first. */
function createHelpers(row: Row, pause: () => Promise<unknown>) {
	const begin = (asked: string[]) => {
		row.calls.push(asked);
		if (row.broken) throw row.broken;
		if (row.calls.length === row.breaksAt?.call) throw row.breaksAt.error;
	};
	return {
		async checkProcessedAndRecord(
			keys: string[],
			_scope: string,
			{ maxEntries = Infinity }: Partial<ICheckProcessedOptions> = {},
		) {
			begin(keys);
			const before = new Set(row.entries);
			await pause();
			const fresh = keys.filter((key) => !before.has(key));
			row.entries = [...before, ...fresh].slice(-maxEntries);
			await pause();
			return { new: fresh, processed: keys.filter((key) => before.has(key)) };
		},
		async removeProcessed(
			keys: string[],
			_scope: string,
			{ mode }: Partial<ICheckProcessedOptions> = {},
		) {
			if (mode !== 'entries') throw new Error(`n8n removes nothing in mode ${mode}`);
			begin(keys.map((key) => `-${key}`));
			const before = row.entries;
			await pause();
			row.entries = before.filter((key) => !keys.includes(key));
		},
	};
}

/**
 * What n8n's database keeps for the nodes of one workflow.
 *
 * @param pause what comes between reading and writing
 */
export function keyStore(pause: () => Promise<unknown> = async () => await Promise.resolve()) {
	workflows += 1;
	const workflow = { id: `workflow-${workflows}`, active: true };
	const row: Row = { entries: [], calls: [] };
	const warnings: string[] = [];
	const logger: Pick<Logger, 'warn'> = { warn: (line) => void warnings.push(line) };
	const helpers = createHelpers(row, pause);
	return {
		calls: row.calls,
		warnings,
		/** What a run of a node sees of n8n. */
		createContext: (id = '1') =>
			({
				getNode: () => buildNode({ id }),
				getWorkflow: () => workflow,
				logger,
				helpers,
			}) as unknown as IExecuteFunctions,
		stored: () => row.entries,
		/** Forgets entries, as if another process had written back an older row. */
		forget: (...entries: string[]) => {
			row.entries = row.entries.filter((each) => !entries.includes(each));
		},
		fill: (count: number) => {
			row.entries = Array.from({ length: count }, (_each, at) => `old ${at}`);
		},
		breakIt: (error = new Error('database is locked')) => {
			row.broken = error;
		},
		/** One call fails, counted from 1. */
		breakAt: (call: number, error = new Error('connection lost')) => {
			row.breaksAt = { call, error };
		},
		mendIt: () => {
			row.broken = undefined;
		},
	};
}
