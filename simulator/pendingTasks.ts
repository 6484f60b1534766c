import { setMaxListeners } from 'node:events';

/** Work in the background, to wait for or to stop at once. */
export interface Tasks {
	/** Runs something later, unless it is cleared before. */
	after(ms: number, run: () => void | Promise<void>): void;
	/** Waits; never resolves once it is cleared. */
	wait(ms: number): Promise<void>;
	/** Counts work as going on until it settles. */
	track(work: Promise<void>): void;
	/** Resolves when nothing is planned and nothing goes on. */
	idle(): Promise<void>;
	/** Aborts with every `clear`. */
	signal(): AbortSignal;
	/** Forgets what is planned and aborts what goes on. */
	clear(): void;
}

/** A controller whose signal takes any number of listeners. */
function unlimited(): AbortController {
	const controller = new AbortController();
	setMaxListeners(Infinity, controller.signal);
	return controller;
}

/** An empty set of tasks. */
export function createTasks(): Tasks {
	const timers = new Set<NodeJS.Timeout>();
	const working = new Set<Promise<void>>();
	let waiting: Array<() => void> = [];
	let controller = unlimited();

	const settle = (): void => {
		if (timers.size > 0 || working.size > 0) return;
		const resolved = waiting;
		waiting = [];
		for (const resolve of resolved) resolve();
	};
	const track = (work: Promise<void>): void => {
		const settled = work
			.catch(() => undefined)
			.finally(() => {
				working.delete(settled);
				settle();
			});
		working.add(settled);
	};
	const after = (ms: number, run: () => void | Promise<void>): void => {
		const timer = setTimeout(() => {
			timers.delete(timer);
			const work = run();
			if (work) track(work);
			settle();
		}, ms);
		timers.add(timer);
	};
	return {
		after,
		wait: async (ms) => await new Promise((resolve) => after(ms, resolve)),
		track,
		idle: async () => {
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				settle();
			});
		},
		signal: () => controller.signal,
		clear: () => {
			for (const timer of timers) clearTimeout(timer);
			timers.clear();
			controller.abort();
			controller = unlimited();
			settle();
		},
	};
}
