import { sleep } from 'n8n-workflow';

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
 * Gives out slots at a rate, first come, first served. When the service says that too much comes
 * at once, it halves the number in flight and raises it slowly again.
 */
export class RateLimiter {
	/** How often the service refused because too much came at once. */
	refusals = 0;

	private limit: number;

	private inFlight = 0;

	private started = 0;

	private successes = 0;

	private lastSlowdown = 0;

	private nextStart = 0;

	private lastTurn: Promise<void> = Promise.resolve();

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly rate: Rate) {
		this.limit = rate.concurrency;
	}

	/** Waits for a slot. @returns undefined if the run stops first */
	async acquire(signal: Pick<AbortSignal, 'aborted'>): Promise<Slot | undefined> {
		if (this.inFlight >= this.limit || this.waiting.length > 0) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.inFlight++;
		}
		const passOn = this.rate.perSecond > 0 ? await this.turn(signal) : () => {};
		if (signal.aborted) {
			passOn();
			this.leave();
			return undefined;
		}
		let number = 0;
		return {
			start: () => {
				number = ++this.started;
				this.noteStart();
				passOn();
			},
			release: (overloaded) => {
				passOn();
				if (number > 0) this.adapt(number, overloaded);
				this.leave();
			},
		};
	}

	/**
	 * Waits until the rate permits a start. One after the other, so that a stopped run sits out one
	 * pause at most.
	 *
	 * @returns lets the next one wait
	 */
	private async turn(signal: Pick<AbortSignal, 'aborted'>): Promise<() => void> {
		const ahead = this.lastTurn;
		let passOn = () => {};
		this.lastTurn = new Promise((resolve) => {
			passOn = resolve;
		});
		await ahead;
		const pause = this.nextStart - Date.now();
		if (pause > 0 && !signal.aborted) await sleep(pause);
		return passOn;
	}

	/** Spreads the starts evenly over time. */
	private noteStart(): void {
		if (this.rate.perSecond === 0) return;
		const now = Date.now();
		const isInTime = now - this.nextStart <= TIMER_LATENESS_MS;
		this.nextStart = (isInTime ? this.nextStart : now) + 1000 / this.rate.perSecond;
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
		if (overloaded) this.slowDown();
		else this.speedUp();
	}

	private slowDown(): void {
		this.limit = Math.max(1, Math.floor(this.limit / 2));
		this.lastSlowdown = this.started;
		this.successes = 0;
	}

	private speedUp(): void {
		this.successes++;
		if (this.successes < this.limit || this.limit >= this.rate.concurrency) return;
		this.limit++;
		this.successes = 0;
	}
}
