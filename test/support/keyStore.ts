import type { ICheckProcessedOptions, IExecuteFunctions, Logger } from 'n8n-workflow';
import { buildNode } from './fakeN8n';

let workflows = 0;

/**
 * What n8n's database keeps for the nodes of one workflow, as careless as n8n's own: read, changed
 * and written back without a lock, oldest first.
 *
 * @param pause what comes between reading and writing
 */
export function keyStore(pause: () => Promise<unknown> = async () => await Promise.resolve()) {
	const workflow = `workflow-${++workflows}`;
	let stored: string[] = [];
	let broken: Error | undefined;
	let breaksAt: { call: number; error: Error } | undefined;
	const calls: string[][] = [];
	const warnings: string[] = [];
	const logger: Pick<Logger, 'warn'> = { warn: (line) => void warnings.push(line) };
	const begin = (entries: string[]) => {
		calls.push(entries);
		if (broken) throw broken;
		if (calls.length === breaksAt?.call) throw breaksAt.error;
	};
	const helpers = {
		async checkProcessedAndRecord(
			keys: string[],
			_scope: string,
			{ maxEntries = Infinity }: Partial<ICheckProcessedOptions> = {},
		) {
			begin(keys);
			const before = new Set(stored);
			await pause();
			const fresh = keys.filter((key) => !before.has(key));
			stored = [...before, ...fresh].slice(-maxEntries);
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
			const before = stored;
			await pause();
			stored = before.filter((key) => !keys.includes(key));
		},
	};
	return {
		calls,
		warnings,
		/** What a run of a node sees of n8n. */
		createContext: (id = '1') =>
			({
				getNode: () => buildNode({ id }),
				getWorkflow: () => ({ id: workflow, active: true }),
				logger,
				helpers,
			}) as unknown as IExecuteFunctions,
		stored: () => stored,
		/** Forgets entries, as another process does that writes back what it read before. */
		forget: (...entries: string[]) => {
			stored = stored.filter((each) => !entries.includes(each));
		},
		fill: (count: number) => {
			stored = Array.from({ length: count }, (_each, at) => `old ${at}`);
		},
		breakIt: (error: Error | undefined = new Error('database is locked')) => {
			broken = error;
		},
		/** One call fails, counted from 1. */
		breakAt: (call: number, error = new Error('connection lost')) => {
			breaksAt = { call, error };
		},
		mendIt: () => {
			broken = undefined;
		},
	};
}
