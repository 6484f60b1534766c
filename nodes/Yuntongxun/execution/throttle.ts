import { sleep } from 'n8n-workflow';

import { NotBegun, RunStopped } from './notBegun';

/** How fast work may start. */
export interface Pace {
	/** Most work under way at the same time. */
	concurrency: number;
	/** Most starts a second; 0 for no limit. */
	perSecond: number;
}

/** Most starts of one piece of work, and the milliseconds within which they fall. */
export const MOST_TRIES = 4;
export const TRY_WITHIN_MS = 60_000;

/** Before the second try; each further pause is twice as long. Jitter makes it half to one and a half. */
const FIRST_PAUSE_MS = 500;

/** How the throttle asks about work, and reports on it. */
export interface Circumstances {
	/** Whether the work may still start. */
	proceed(): boolean;
	/**
	 * Asked once, right before the first start, for what only then can be told. Work that is not
	 * admitted is dropped and takes nothing of the pace. Never rejects.
	 */
	admit?(): Promise<boolean>;
	/** Whether what the work threw means: certainly not done, because too much came at once. */
	isOverload(thrown: unknown): boolean;
	/** Called on final failure, before the next start. */
	failed?(): void;
}

/**
 * Starts work at a pace, first come, first served. When the other side says that too much comes at
 * once, it halves the number under way and raises it slowly again.
 */
export class Throttle {
	/** How often the other side refused because too much came at once. */
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
	 * Does the work when its turn comes, and again after a pause if it was refused for load.
	 *
	 * @throws what the work throws; RunStopped if the run stopped before its turn; NotBegun if it was
	 * not admitted
	 */
	async run<T>(work: () => Promise<T>, about: Circumstances): Promise<T> {
		const { proceed, admit = async () => true } = about;
		let refused: { thrown: unknown } | undefined;
		let end = Infinity;
		for (let tries = 1; ; tries++) {
			let isAdmitted = true;
			const number = await this.begin(proceed, async () => {
				if (!proceed() || Date.now() > end) return false;
				if (tries === 1) isAdmitted = await admit();
				return isAdmitted && proceed();
			});
			if (number === undefined) {
				if (refused !== undefined) about.failed?.();
				this.leave();
				if (!isAdmitted) throw new NotBegun('This was not admitted');
				throw refused === undefined ? new RunStopped() : refused.thrown;
			}
			end = Math.min(end, Date.now() + TRY_WITHIN_MS);
			const attempt = await tried(work);
			const overloaded = 'thrown' in attempt && about.isOverload(attempt.thrown);
			const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
			const again = overloaded && tries < MOST_TRIES && Date.now() + pause <= end;
			if ('thrown' in attempt && !again) about.failed?.();
			this.adapt(number, overloaded);
			this.leave();
			if ('result' in attempt) return attempt.result;
			if (!again) throw attempt.thrown;
			refused = attempt;
			await sleep(pause);
		}
	}

	/** @returns the number of the start; undefined if the work may not start */
	private async begin(
		proceed: () => boolean,
		mayStart: () => Promise<boolean>,
	): Promise<number | undefined> {
		if (this.underWay >= this.limit || this.waiting.length > 0) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.underWay++;
		}
		let starts: Promise<boolean>;
		if (this.pace.perSecond > 0) {
			// One after the other, so that a stopped run sits out one pause at most.
			starts = this.starts.then(async () => await this.inTime(proceed, mayStart));
			this.starts = starts;
		} else {
			starts = mayStart();
		}
		return (await starts) ? ++this.begun : undefined;
	}

	/** Spreads the starts evenly over time; what does not start takes no time. */
	private async inTime(proceed: () => boolean, mayStart: () => Promise<boolean>): Promise<boolean> {
		if (!proceed()) return false;
		const now = Date.now();
		if (this.nextStart > now) await sleep(this.nextStart - now);
		if (!(await mayStart())) return false;
		this.nextStart = Math.max(now, this.nextStart) + 1000 / this.pace.perSecond;
		return true;
	}

	private leave(): void {
		this.underWay--;
		while (this.underWay < this.limit && this.waiting.length > 0) {
			this.underWay++;
			this.waiting.shift()?.();
		}
	}

	/** Work that started before the last slowdown says nothing about the pace since. */
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

async function tried<T>(work: () => Promise<T>): Promise<{ result: T } | { thrown: unknown }> {
	try {
		return { result: await work() };
	} catch (thrown) {
		return { thrown };
	}
}
