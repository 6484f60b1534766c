import { sleep } from 'n8n-workflow';

import { NotBegun } from './items';

/** How much may be under way. */
export interface Pace {
	/** At the same time, at most. */
	concurrency: number;
	/** Begun within a second, at most; 0 for no limit. */
	perSecond: number;
}

/** How often one piece of work is begun, at most, and within how many milliseconds. */
export const MOST_TRIES = 4;
export const TRY_WITHIN_MS = 60_000;

/** Before the second try; each further pause is twice as long. Jitter makes it half to one and a half. */
const FIRST_PAUSE_MS = 500;

/** What to ask about work that is waiting for its turn, or that did not succeed. */
export interface Circumstances {
	/** Whether it may still be begun. */
	proceed(): boolean;
	/** Whether what the work threw says: certainly not done, for too much at once. */
	isOverload(thrown: unknown): boolean;
	/** Told that the work failed and is not done again, before anything else is begun. */
	failed?(): void;
}

/**
 * Lets work through at a pace, in the order in which it comes, and slows down where the other side
 * says that it is too much: half as much at the same time, and slowly more again.
 */
export class Throttle {
	/** How often the other side said that it was too much. */
	refusals = 0;

	private limit: number;

	private underWay = 0;

	private begun = 0;

	private successes = 0;

	private lastSlowdown = 0;

	private nextStart = 0;

	private starts: Promise<unknown> = Promise.resolve();

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly pace: Pace) {
		this.limit = pace.concurrency;
	}

	/**
	 * Does the work when its turn has come. Where it was refused for load it is done again, after
	 * a pause.
	 *
	 * @throws what the work throws; NotBegun where it must not be begun any more
	 */
	async run<T>(work: () => Promise<T>, about: Circumstances): Promise<T> {
		let refused: { thrown: unknown } | undefined;
		let end = Infinity;
		for (let tries = 1; ; tries++) {
			const number = await this.begin(about.proceed);
			if (!about.proceed() || Date.now() > end) {
				if (refused !== undefined) about.failed?.();
				this.leave();
				throw refused === undefined ? new NotBegun() : refused.thrown;
			}
			end = Math.min(end, Date.now() + TRY_WITHIN_MS);
			const outcome = await settle(work);
			const overloaded = 'thrown' in outcome && about.isOverload(outcome.thrown);
			const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
			const again = overloaded && tries < MOST_TRIES && Date.now() + pause <= end;
			if ('thrown' in outcome && !again) about.failed?.();
			this.adapt(number, overloaded);
			this.leave();
			if ('result' in outcome) return outcome.result;
			if (!again) throw outcome.thrown;
			refused = outcome;
			await sleep(pause);
		}
	}

	private async begin(proceed: () => boolean): Promise<number> {
		if (this.underWay >= this.limit || this.waiting.length > 0) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.underWay++;
		}
		if (this.pace.perSecond > 0) {
			// One after the other, so that a run that stops has at most one pause to sit out.
			const start = this.starts.then(async () => await this.inTime(proceed));
			this.starts = start;
			await start;
		}
		return ++this.begun;
	}

	/** Spreads the starts evenly over time. */
	private async inTime(proceed: () => boolean): Promise<void> {
		if (!proceed()) return;
		const now = Date.now();
		if (this.nextStart > now) await sleep(this.nextStart - now);
		this.nextStart = Math.max(now, this.nextStart) + 1000 / this.pace.perSecond;
	}

	private leave(): void {
		this.underWay--;
		while (this.underWay < this.limit && this.waiting.length > 0) {
			this.underWay++;
			this.waiting.shift()?.();
		}
	}

	/** What was begun before the last slowdown tells nothing of the pace since. */
	private adapt(number: number, overloaded: boolean): void {
		if (overloaded) this.refusals++;
		if (number <= this.lastSlowdown) return;
		if (overloaded) this.slowDown();
		else this.speedUp();
	}

	private slowDown(): void {
		this.limit = Math.max(1, Math.floor(this.limit / 2));
		this.lastSlowdown = this.begun;
		this.successes = 0;
	}

	private speedUp(): void {
		this.successes++;
		if (this.successes < this.limit || this.limit >= this.pace.concurrency) return;
		this.limit++;
		this.successes = 0;
	}
}

async function settle<T>(work: () => Promise<T>): Promise<{ result: T } | { thrown: unknown }> {
	try {
		return { result: await work() };
	} catch (thrown) {
		return { thrown };
	}
}
