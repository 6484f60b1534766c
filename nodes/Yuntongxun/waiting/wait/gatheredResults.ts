import type { CallResult } from '../../callbacks/callEvent';
import type { ParkedWait } from './parkedWait';

/** How long after its limit, or after the execution has resumed, a wait is forgotten, in milliseconds. */
const FORGOTTEN_AFTER_MS = 6 * 60_000;

/** What this process has gathered for a wait. All times are in milliseconds since 1970. */
export class GatheredResults {
	private readonly results = new Map<string, CallResult>();

	private resumedAt?: number;

	constructor(private readonly wait: ParkedWait) {}

	/** Whether the execution resumes already: n8n 1 lets more than one request in. */
	get isResuming(): boolean {
		return this.resumedAt !== undefined;
	}

	/** Nothing else resumes the execution from now on. */
	startResuming(now: number): void {
		this.resumedAt = now;
	}

	/** n8n could not resume the execution, so another request may. */
	undoResuming(): void {
		this.resumedAt = undefined;
	}

	/** Whether nobody needs it any more. */
	isOutdated(now: number): boolean {
		return now >= (this.resumedAt ?? this.wait.until) + FORGOTTEN_AFTER_MS;
	}

	/**
	 * Takes a result, unless its call is not awaited or has one. One that does not say how the call
	 * ended gives way to one that does.
	 */
	take(result: CallResult): void {
		const { callSid } = result.callEvent;
		if (!this.wait.callSids.includes(callSid)) return;

		const known = this.results.get(callSid);
		if (known === undefined || (!saysHowItEnded(known) && saysHowItEnded(result))) {
			this.results.set(callSid, result);
		}
	}

	/** The result of a call. */
	find(callSid: string): CallResult | undefined {
		return this.results.get(callSid);
	}

	/** Whether every awaited call has a result that says how it ended. */
	get isComplete(): boolean {
		return this.wait.callSids.every((callSid) => {
			const result = callSid === null ? undefined : this.results.get(callSid);
			return callSid === null || (result !== undefined && saysHowItEnded(result));
		});
	}
}

/** Whether a result has a known action or a state. Without both it counts only at the limit. */
function saysHowItEnded({ callEvent }: CallResult): boolean {
	return callEvent.event !== 'other' || callEvent.state !== '';
}

/** What this process has gathered, by the hash of its secret. No wait pushes out another one. */
export class WaitMemory {
	private readonly gathered = new Map<string, GatheredResults>();

	/** What was gathered for a wait so far, at this moment in milliseconds since 1970. */
	open(wait: ParkedWait, now: number): GatheredResults {
		for (const [hash, each] of this.gathered) {
			if (each.isOutdated(now)) this.gathered.delete(hash);
		}

		const gathered = this.gathered.get(wait.secretHash) ?? new GatheredResults(wait);
		this.gathered.set(wait.secretHash, gathered);
		return gathered;
	}
}
