import { sleep } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import type { StopSignal } from './stopSignal';

/** How fast requests may start. */
export interface Rate {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Maximum number of starts a second; 0 for no limit. */
	perSecond: number;
}

/** Permission to have a request in flight. Its holder is also the next to start. */
export interface RequestSlot {
	/** Waits until the pace lets the request start, or the run stops. */
	pause(): Promise<void>;
	/**
	 * Marks the request as started: the pace counts from now. A slot that is released without this
	 * leaves the pace as it was.
	 */
	start(): void;
	/**
	 * Gives the slot to the next request.
	 *
	 * @param isOverloaded whether the service rejected the request because of load
	 */
	release(isOverloaded: boolean): void;
}

/** Timer drift that we make up for, in milliseconds; beyond it the schedule shifts. */
const TIMER_DRIFT_MS = 10;

/**
 * Gives out slots at a rate, first come, first served, until the run stops. When the service reports
 * overload, it halves the number in flight and slowly raises it again.
 */
export class RateLimiter {
	/** How often the service reported overload. */
	overloads = 0;

	/** How many may be in flight now. */
	private allowed: number;

	private inFlight = 0;

	private readonly waiting: Array<() => void> = [];

	/** Milliseconds from one start to the next. */
	private readonly spacing: number;

	private nextStart = 0;

	private readonly turns = new KeyedMutex();

	private started = 0;

	private startedAtSlowdown = 0;

	private notOverloaded = 0;

	constructor(
		private readonly rate: Rate,
		private readonly stop: StopSignal,
	) {
		this.allowed = rate.concurrency;
		this.spacing = rate.perSecond > 0 ? 1000 / rate.perSecond : 0;
	}

	/** Waits for a free slot, then for its turn to start. @returns undefined if the run stops first */
	async acquire(): Promise<RequestSlot | undefined> {
		await this.enter();
		// Without a pace nobody waits for a turn.
		const turn = this.spacing > 0 ? ['start'] : [];
		const passTurn = await this.turns.lock(turn);
		if (this.stop.isStopped) {
			passTurn();
			this.leave();
			return undefined;
		}
		return this.createSlot(passTurn);
	}

	private createSlot(passTurn: () => void): RequestSlot {
		let startNumber: number | undefined;
		return {
			pause: async () => await this.pause(),
			start: () => {
				this.started += 1;
				startNumber = this.started;
				this.schedule();
				passTurn();
			},
			release: (isOverloaded) => {
				passTurn();
				if (startNumber !== undefined) this.adapt(startNumber, isOverloaded);
				this.leave();
			},
		};
	}

	private async enter(): Promise<void> {
		if (this.inFlight < this.allowed) {
			this.inFlight += 1;
			return;
		}
		await new Promise<void>((resolve) => this.waiting.push(resolve));
		// Let the releasing caller stop the run first.
		await sleep(0);
	}

	private leave(): void {
		this.inFlight -= 1;
		while (this.inFlight < this.allowed && this.waiting.length > 0) {
			this.inFlight += 1;
			this.waiting.shift()?.();
		}
	}

	/** Never longer than the spacing, even if the clock was set back. */
	private async pause(): Promise<void> {
		const ms = Math.min(this.nextStart - Date.now(), this.spacing);
		if (ms > 0) await this.stop.waitUnlessStopped(sleep(ms));
	}

	private schedule(): void {
		const now = Date.now();
		const isOnTime = Math.abs(now - this.nextStart) <= TIMER_DRIFT_MS;
		this.nextStart = (isOnTime ? this.nextStart : now) + this.spacing;
	}

	/**
	 * Counts every overload, but changes the limit only for requests that started after the last
	 * slowdown.
	 */
	private adapt(startNumber: number, isOverloaded: boolean): void {
		if (isOverloaded) this.overloads += 1;
		if (startNumber <= this.startedAtSlowdown) return;

		if (isOverloaded) {
			this.notOverloaded = 0;
			this.allowed = Math.max(1, Math.floor(this.allowed / 2));
			this.startedAtSlowdown = this.started;
			return;
		}
		this.notOverloaded += 1;
		if (this.notOverloaded >= this.allowed && this.allowed < this.rate.concurrency) {
			this.allowed += 1;
			this.notOverloaded = 0;
		}
	}
}
