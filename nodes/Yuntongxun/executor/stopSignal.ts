import { sleep } from 'n8n-workflow';

/** How many unclear requests in a row show that the service hangs. */
const MAX_UNCLEAR = 10;

/** Tells everything that pauses within a run when the run stops. */
export class StopSignal {
	private hasStopped = false;

	private unclearInARow = 0;

	private tellPauses = () => {};

	private readonly stopped = new Promise<void>((resolve) => {
		this.tellPauses = resolve;
	});

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
		this.tellPauses();
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

	/** Waits for so many milliseconds, but no longer than the run lasts. @returns whether it goes on */
	async pause(ms: number): Promise<boolean> {
		if (!this.isStopped && ms > 0) await Promise.race([sleep(ms), this.stopped]);
		return !this.isStopped;
	}
}
