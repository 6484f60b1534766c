import { sleep } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';

/** How fast requests may start. */
export interface Rate {
	/** Most requests in flight. */
	concurrency: number;
	/** Most starts a second; 0 for no limit. */
	perSecond: number;
}

/** A place among the requests in flight. */
export interface Slot {
	/** The request goes out now. What never starts takes nothing of the rate. */
	start(): void;
	/**
	 * Gives the slot to the next request.
	 *
	 * @param overloaded whether the service refused because too much came at once
	 */
	release(overloaded: boolean): void;
}

/** How late a timer may be without the pace falling behind, in milliseconds. */
const TIMER_LATENESS_MS = 10;

/**
 * Gives out slots at a rate, first come, first served, until it is stopped. When the service says
 * that too much comes at once, it halves the number in flight and raises it slowly again.
 */
export class RateLimiter {
	/** How often the service refused because too much came at once. */
	refusals = 0;

	private limit: number;
	private inFlight = 0;
	private readonly waiting: Array<() => void> = [];
	/** Milliseconds from one start to the next. */
	private readonly spacing: number;
	private nextStart = 0;
	private readonly turns = new KeyedMutex();
	private started = 0;
	private lastSlowdown = 0;
	private successes = 0;
	private hasStopped = false;

	/** @param user tells that a user stopped the execution */
	constructor(
		private readonly rate: Rate,
		private readonly user?: Pick<AbortSignal, 'aborted'>,
	) {
		this.limit = rate.concurrency;
		this.spacing = rate.perSecond > 0 ? 1000 / rate.perSecond : 0;
	}

	get isStopped(): boolean {
		return this.hasStopped || this.user?.aborted === true;
	}

	/** Gives out no further slots. */
	stop(): void {
		this.hasStopped = true;
	}

	/** Waits for a slot. @returns undefined if the limiter is stopped first */
	async acquire(): Promise<Slot | undefined> {
		if (this.inFlight < this.limit) this.inFlight++;
		else {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
			// Whoever gave the slot back may be about to stop the run.
			await sleep(0);
		}
		// One after the other, so that a stopped run sits out one pause at most.
		const passOn = await this.turns.lock(this.spacing > 0 ? ['start'] : []);
		const pause = this.nextStart - Date.now();
		if (pause > 0 && !this.isStopped) await sleep(pause);
		if (this.isStopped) {
			passOn();
			this.leave();
			return undefined;
		}
		let number = 0;
		return {
			start: () => {
				number = ++this.started;
				const late = Date.now() - this.nextStart;
				this.nextStart += this.spacing + (late > TIMER_LATENESS_MS ? late : 0);
				passOn();
			},
			release: (overloaded) => {
				passOn();
				if (number > 0) this.adapt(number, overloaded);
				this.leave();
			},
		};
	}

	private leave(): void {
		this.inFlight--;
		while (this.inFlight < this.limit && this.waiting.length > 0) {
			this.inFlight++;
			this.waiting.shift()?.();
		}
	}

	/** Ignores results of requests that started before the last slowdown. */
	private adapt(number: number, overloaded: boolean): void {
		if (overloaded) this.refusals++;
		if (number <= this.lastSlowdown) return;
		this.successes = overloaded ? 0 : this.successes + 1;
		if (overloaded) {
			this.limit = Math.max(1, Math.floor(this.limit / 2));
			this.lastSlowdown = this.started;
		} else if (this.successes >= this.limit && this.limit < this.rate.concurrency) {
			this.limit++;
			this.successes = 0;
		}
	}
}
