import { sleep } from 'n8n-workflow';

import { BoundedMap } from '../util/boundedMap';
import { KeyedMutex } from '../util/concurrency';
import type { StopSignal } from './stopSignal';

/** Timer drift that we make up for, in milliseconds; beyond it the schedule shifts. */
const TIMER_DRIFT_MS = 10;

/** How many nodes this process keeps a schedule for. */
const MAX_NODES = 1000;

/** When the requests of one node may start, over all its runs in this process. */
class Schedule {
	/** The requests that wait for the next start: one of each run, so that runs take turns. */
	readonly turns = new KeyedMutex();

	/** Starts per second that each run allows; 0 for no limit. */
	readonly rates = new Map<object, number>();

	private lastStart = -Infinity;

	/** Milliseconds from one start to the next: the lowest rate counts. */
	get spacing(): number {
		const limits = [...this.rates.values()].filter((perSecond) => perSecond > 0);
		return limits.length === 0 ? 0 : 1000 / Math.min(...limits);
	}

	/** Waits for the next start. Never longer than the spacing, even if the clock was set back. */
	async pause(stop: StopSignal): Promise<void> {
		const { spacing } = this;
		const ms = Math.min(this.lastStart + spacing - Date.now(), spacing);
		if (ms > 0) await stop.waitUnlessStopped(sleep(ms));
	}

	noteStart(): void {
		const { spacing } = this;
		const now = Date.now();
		const due = this.lastStart + spacing;
		const isOnTime = spacing > 0 && Math.abs(now - due) <= TIMER_DRIFT_MS;
		this.lastStart = isOnTime ? due : now;
	}
}

const schedules = new BoundedMap<string, Schedule>(MAX_NODES);

/** Lets the requests of one run start at the pace of its node. */
export class RateLimiter {
	private readonly schedule: Schedule;

	private readonly turns = new KeyedMutex();

	/**
	 * Ends when the last request that the service refused because of load has started again. They pause one
	 * after the other: what was refused together would be refused together again.
	 */
	private startsAgain: Promise<unknown> = Promise.resolve();

	/**
	 * @param node names the node: its runs share the pace
	 * @param perSecond maximum number of starts a second; 0 for no limit
	 */
	constructor(
		node: string,
		perSecond: number,
		private readonly stop: StopSignal,
	) {
		this.schedule = schedules.get(node) ?? new Schedule();
		schedules.set(node, this.schedule);
		this.schedule.rates.set(this, perSecond);
	}

	/**
	 * Waits for the turn of a request.
	 *
	 * @param prepare runs while the pace pauses, so at most one request of a run is prepared and waits
	 * @returns whether the request starts now: it does not if the run stops first, or if `prepare` says
	 * that there is nothing to send, which leaves the pace as it was
	 */
	async start(prepare: () => Promise<boolean>): Promise<boolean> {
		let last: Promise<unknown> | undefined;
		while (last !== this.startsAgain) {
			last = this.startsAgain;
			await last;
		}
		return await this.startInTurn(prepare);
	}

	/**
	 * Waits for a further try of a request that the service refused because of load. No other request
	 * of the run starts before this pause is over: otherwise it would take what the service can bear.
	 *
	 * @param pauseMs how long to wait, once those that were refused before have waited
	 * @returns whether it starts now
	 */
	async startAgain(pauseMs: number): Promise<boolean> {
		const starting = this.startsAgain.then(async () => {
			await this.stop.waitUnlessStopped(sleep(pauseMs));
			return await this.startInTurn(async () => await Promise.resolve(true));
		});
		this.startsAgain = starting;
		return await starting;
	}

	/** The run is over: its rate counts no longer. */
	close(): void {
		this.schedule.rates.delete(this);
	}

	private async startInTurn(prepare: () => Promise<boolean>): Promise<boolean> {
		const isPaced = this.schedule.spacing > 0;
		const passOnOwn = isPaced ? await this.takeTurn(this.turns) : () => {};
		const passOn = isPaced ? await this.takeTurn(this.schedule.turns) : () => {};
		try {
			if (this.stop.isStopped) return false;
			const [isReady] = await Promise.all([prepare(), this.schedule.pause(this.stop)]);
			if (!isReady || this.stop.isStopped) return false;
			this.schedule.noteStart();
			return true;
		} finally {
			passOn();
			passOnOwn();
		}
	}

	/** @returns passes the turn on; there is none to pass on if the run stops first */
	private async takeTurn(turns: KeyedMutex): Promise<() => void> {
		const passOn = await this.stop.waitUnlessStopped(turns.lock(['']), (late) => late());
		return passOn ?? (() => {});
	}
}
