/** How many unclear requests in a row show that the service hangs. */
const MAX_UNCLEAR = 10;

/** Tells everything that waits within a run when the run stops. */
export class StopSignal {
	private hasStopped = false;

	private unclearInARow = 0;

	private readonly listeners = new Set<() => void>();

	/** @param cancelSignal aborted when a user stops the execution */
	constructor(private readonly cancelSignal?: AbortSignal) {
		cancelSignal?.addEventListener('abort', () => this.stop(), { once: true });
	}

	/** Whether nothing more may begin. */
	get isStopped(): boolean {
		return this.hasStopped || this.cancelSignal?.aborted === true;
	}

	/** Whether the run stopped because of too many unclear requests in a row. */
	get isServiceHanging(): boolean {
		return this.unclearInARow >= MAX_UNCLEAR;
	}

	/** Lets nothing else begin. What is in flight ends by itself. */
	stop(): void {
		this.hasStopped = true;
		for (const listener of this.listeners) listener();
	}

	/**
	 * Notes how a request ended. Ten in a row that may or may not have been accepted stop the run: each
	 * more would use up a key, and wait for its whole timeout.
	 */
	noteEnd(isUnclear: boolean): void {
		if (this.isServiceHanging) return;
		this.unclearInARow = isUnclear ? this.unclearInARow + 1 : 0;
		if (this.isServiceHanging) this.stop();
	}

	/**
	 * Waits for work, but no longer than the run lasts.
	 *
	 * @param undo gets what comes after the run has stopped
	 * @returns undefined if the run stops first
	 */
	async waitUnlessStopped<Value>(
		work: Promise<Value>,
		undo: (late: Value) => void = () => {},
	): Promise<Value | undefined> {
		let onStop = () => {};
		const stopped = new Promise<void>((resolve) => {
			onStop = resolve;
		});
		this.listeners.add(onStop);
		if (this.isStopped) onStop();
		try {
			const first = await Promise.race([stopped, work.then((value) => ({ value }))]);
			if (first) return first.value;
			void work.then(undo);
			return undefined;
		} finally {
			this.listeners.delete(onStop);
		}
	}
}
