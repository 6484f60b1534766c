import type { IExecuteFunctions } from 'n8n-workflow';

/** A key that waits to be recorded. */
interface Question {
	key: string;
	answer: (isNew: boolean) => void;
	fail: (thrown: unknown) => void;
}

/** What one node of one workflow asks of n8n's store, in turn. */
interface Line {
	questions: Question[];
	busy: Promise<unknown>;
}

/** The lines of all nodes in this process. */
const lines = new Map<string, Line>();

const SCOPE = 'node';
const OPTIONS = { mode: 'entries' as const };

/** What databases say of a second row for the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;

/**
 * Keys that a node has used, in n8n's database. n8n reads, changes and writes them back without a
 * lock, so that parallel copies slip through; within one process nothing does here.
 */
export class Claims {
	private readonly line: Line;

	constructor(private readonly context: IExecuteFunctions) {
		const name = `${context.getWorkflow().id}/${context.getNode().id}`;
		this.line = lines.get(name) ?? { questions: [], busy: Promise.resolve() };
		lines.set(name, this.line);
	}

	/**
	 * Records a key. Of several who bring the same one, the first gets true, ever.
	 *
	 * @throws Error where n8n could not record it
	 */
	async claim(key: string): Promise<boolean> {
		return await new Promise((answer, fail) => {
			this.line.questions.push({ key, answer, fail });
			void this.inTurn(async () => await this.answerAll());
		});
	}

	/** Forgets a key, so that it can be claimed again. Where n8n cannot, its log says so. */
	async release(key: string): Promise<void> {
		const { helpers, logger } = this.context;
		await this.inTurn(async () => {
			await helpers
				.removeProcessed([key], SCOPE, OPTIONS)
				.catch((thrown: unknown) =>
					logger.warn(`Idempotency key ${key} stays recorded though nothing was sent: ${thrown}`),
				);
		});
	}

	private async inTurn(work: () => Promise<void>): Promise<void> {
		const turn = this.line.busy.then(work);
		this.line.busy = turn;
		await turn;
	}

	/** All who wait by now are answered in one go: n8n keeps all keys of a node in one row. */
	private async answerAll(): Promise<void> {
		const questions = this.line.questions.splice(0);
		if (questions.length === 0) return;
		try {
			const keys = [...new Set(questions.map(({ key }) => key))];
			const fresh = await this.record(keys).catch(async (thrown: unknown) => {
				if (!ROW_EXISTS.test(String(thrown))) throw thrown;
				return await this.record(keys);
			});
			for (const { key, answer } of questions) answer(fresh.delete(key));
		} catch (thrown) {
			const failure = new Error(
				`n8n did not record the Idempotency Key, so nothing was sent. Its own words: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
				{ cause: thrown },
			);
			for (const { fail } of questions) fail(failure);
		}
	}

	/** Records keys and gives back those that were not recorded before. */
	private async record(keys: string[]): Promise<Set<string>> {
		const { helpers } = this.context;
		const { new: unused } = await helpers.checkProcessedAndRecord(keys, SCOPE, OPTIONS);
		return new Set(unused.map(String));
	}
}
