import type { Writable } from 'node:stream';
import { Progress, tellElapsed } from '../../test/harness/progress';

/** Tells the demo's story, one numbered line a step. */
export interface Narrator {
	/** Shows the progress of a long step. */
	readonly progress: Progress;
	/** A line without a number. */
	say(text: string): void;
	/**
	 * Does a step and tells how it ended.
	 *
	 * @param doing shown while the step runs
	 * @param tell gives the line about the result; further lines are indented below it
	 */
	step<T>(doing: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T>;
}

/** A narrator that writes to a stream such as `process.stdout`. */
export function createNarrator(stream: Writable): Narrator {
	const progress = new Progress(stream);
	let steps = 0;

	return {
		progress,
		say: (text) => progress.say(text),
		async step(doing, work, tell) {
			const since = Date.now();
			progress.begin(doing);
			const result = await work().finally(() => progress.end());
			const [first, ...others] = tell(result).split('\n');
			steps++;
			progress.say(`${String(steps).padStart(2)}. ${first} (${tellElapsed(since)})`);
			for (const line of others) progress.say(`    ${line}`);
			return result;
		},
	};
}
