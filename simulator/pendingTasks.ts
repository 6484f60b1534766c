import { setMaxListeners } from 'node:events';

/** A controller whose signal takes any number of listeners. */
function createController(): AbortController {
	const controller = new AbortController();
	setMaxListeners(Infinity, controller.signal);
	return controller;
}

/** Work in the background, to wait for or to stop at once. */
export class Tasks {
	private readonly timers = new Set<NodeJS.Timeout>();
	private readonly working = new Set<Promise<void>>();
	private waiting: Array<() => void> = [];
	private controller = createController();

	/** Runs something later, unless it is cleared before. */
	after(ms: number, run: () => void | Promise<void>): void {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			const work = run();
			if (work) this.track(work);
			this.settle();
		}, ms);
		this.timers.add(timer);
	}

	/** Waits; never resolves once it is cleared. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve));
	}

	/** Counts work as going on until it settles. */
	track(work: Promise<void>): void {
		const settled = work
			.catch(() => undefined)
			.finally(() => {
				this.working.delete(settled);
				this.settle();
			});
		this.working.add(settled);
	}

	/** Resolves when nothing is planned and nothing goes on. */
	async idle(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			this.settle();
		});
	}

	/** Aborts with every `clear`. */
	signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Forgets what is planned and aborts what goes on. */
	clear(): void {
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
		this.controller.abort();
		this.controller = createController();
		this.settle();
	}

	private settle(): void {
		if (this.timers.size > 0 || this.working.size > 0) return;
		const resolved = this.waiting;
		this.waiting = [];
		for (const resolve of resolved) resolve();
	}
}
