/** Tells everything that waits within a run when the run stops. */
export class StopSignal {
	private hasStopped = false;

	private readonly listeners = new Set<() => void>();

	/** @param cancelSignal aborted when a user stops the execution */
	constructor(private readonly cancelSignal?: AbortSignal) {
		cancelSignal?.addEventListener('abort', () => this.stop(), { once: true });
	}

	/** Whether nothing more may begin. */
	get isStopped(): boolean {
		return this.hasStopped || this.cancelSignal?.aborted === true;
	}

	/** Lets nothing else begin. What is in flight ends by itself. */
	stop(): void {
		this.hasStopped = true;
		for (const listener of this.listeners) listener();
	}

	/** Waits for work, but no longer than the run lasts. @returns undefined if the run stops first */
	async waitUnlessStopped<Value>(work: Promise<Value>): Promise<Value | undefined> {
		if (this.isStopped) return undefined;
		let onStop = () => {};
		const stopped = new Promise<undefined>((resolve) => {
			onStop = () => resolve(undefined);
		});
		this.listeners.add(onStop);
		try {
			return await Promise.race([work, stopped]);
		} finally {
			this.listeners.delete(onStop);
		}
	}
}
