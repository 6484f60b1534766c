/** Tells the requests of a run to stop: a user stopped the execution, or an item failed. */
export class RunSignal {
	private readonly controller = new AbortController();

	readonly signal: Pick<AbortSignal, 'aborted'>;

	/**
	 * @param continues whether the node continues when an item fails
	 * @param cancelled by the user
	 */
	constructor(
		private readonly continues: boolean,
		cancelled?: AbortSignal,
	) {
		const { signal } = this.controller;
		this.signal = cancelled ? AbortSignal.any([signal, cancelled]) : signal;
	}

	/** An item failed. */
	fail(): void {
		if (!this.continues) this.controller.abort();
	}
}
