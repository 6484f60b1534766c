import { setMaxListeners } from 'node:events';

/** A controller whose signal takes any number of listeners. */
function createController(): AbortController {
	const controller = new AbortController();
	setMaxListeners(Infinity, controller.signal);
	return controller;
}

/** What is planned for later or goes on in the background, to be stopped at once. */
export class Tasks {
	private readonly timers = new Set<NodeJS.Timeout>();
	private controller = createController();

	/** Runs something later, unless it is cleared before. */
	after(ms: number, run: () => void): void {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			run();
		}, ms);
		this.timers.add(timer);
	}

	/** Waits; never resolves once it is cleared. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve));
	}

	/** Aborts with the next `clear`. */
	signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Forgets what is planned and aborts what goes on. */
	clear(): void {
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
		this.controller.abort();
		this.controller = createController();
	}
}
