import type { CallResult } from '../callbacks/callEvent';
import type { Door } from './knock';
import type { ResumeKey } from './resumeKey';

/** The pauses between knocks at an execution, in milliseconds; they double. */
const FIRST_PAUSE_MS = 300;
const LAST_PAUSE_MS = 5000;

/** How long an execution that waits on is left alone at most, in milliseconds: it may have been stopped. */
const MAX_IDLE_MS = 60 * 60_000;

/** How long knocks are in vain until n8n's log says so, and until they end, in milliseconds. */
const TELL_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 30 * 60_000;

/** What a result takes beside its text, in bytes. */
const RESULT_BYTES = 500;

/** Milliseconds by a clock that nobody sets: a pause must not last until a clock has caught up. */
export function readClock(): number {
	return performance.now();
}

/** Whether a result has a known action or a state. Without both it counts only at the limit. */
export function saysHowItEnded({ callEvent: { event, state } }: CallResult): boolean {
	return event !== 'other' || state !== '';
}

/** The results of one wait, and when to knock for it next. Times are by {@link readClock}. */
export class Box {
	/** By `callSid`, in the order in which they came. */
	readonly results = new Map<string, CallResult>();

	bytes = 0;

	nextAt = readClock();

	/** Before that, news is no reason to knock. */
	private restsUntil = this.nextAt;

	private pauseMs = FIRST_PAUSE_MS;

	/** Whether something came since the last knock began. */
	private hasNews = false;

	/** How many knocks in a row were in vain, and since when. */
	private inVain = 0;

	private inVainSince = 0;

	private isTold = false;

	/** @param doors of the n8n that the latest results have come to */
	constructor(
		readonly key: ResumeKey,
		public doors: readonly Door[],
	) {}

	/** The results that are the first of their call, or the first that say how it ended. */
	findNews(results: readonly CallResult[]): CallResult[] {
		return results.filter((result) => {
			const { callSid } = result.callEvent;
			const known = this.results.get(callSid);
			if (callSid === '') return false;
			return known === undefined || (!saysHowItEnded(known) && saysHowItEnded(result));
		});
	}

	/** Takes news. A knock is due as soon as the box has rested. */
	take(news: readonly CallResult[]): void {
		for (const result of news) {
			const [isNews] = this.findNews([result]);
			if (isNews) this.results.set(result.callEvent.callSid, result);
		}
		this.bytes += measure(news);
		this.hasNews = true;
		const now = readClock();
		if (now >= this.restsUntil) this.pauseMs = FIRST_PAUSE_MS;
		this.nextAt = Math.min(this.nextAt, Math.max(now, this.restsUntil));
	}

	/**
	 * Begins a knock.
	 *
	 * @param favorite the kind of door that has led to n8n last
	 * @returns that door, and after each knock in vain the next one
	 */
	beginKnock(favorite: Door['kind']): Door {
		this.hasNews = false;
		const favorites = this.doors.filter(({ kind }) => kind === favorite);
		const others = this.doors.filter(({ kind }) => kind !== favorite);
		return [...favorites, ...others][this.inVain % this.doors.length];
	}

	/** Rests after a knock that n8n has let through. */
	rest(): void {
		this.inVain = 0;
		this.pause();
	}

	/** The same if the execution waits on. Without news there is nothing to knock for until the limit passes. */
	restUntilLimit(leftMs: number): void {
		this.rest();
		if (this.hasNews) return;
		this.nextAt = Math.max(this.restsUntil, readClock() + Math.min(leftMs, MAX_IDLE_MS));
	}

	/** Rests after a knock in vain. @returns what is due then, a line in n8n's log only once */
	restInVain(): 'nothing' | 'tell' | 'giveUp' {
		const now = readClock();
		if (this.inVain === 0) this.inVainSince = now;
		this.inVain += 1;
		this.pause();
		const lastsMs = now - this.inVainSince;
		if (lastsMs >= GIVE_UP_AFTER_MS) return 'giveUp';
		if (this.isTold || lastsMs < TELL_AFTER_MS) return 'nothing';
		this.isTold = true;
		return 'tell';
	}

	private pause(): void {
		this.restsUntil = readClock() + this.pauseMs;
		this.nextAt = this.restsUntil;
		this.pauseMs = Math.min(2 * this.pauseMs, LAST_PAUSE_MS);
	}
}

/** What results take in memory, in bytes. */
export function measure(results: readonly CallResult[]): number {
	const sizes = results.map((result) => Buffer.byteLength(JSON.stringify(result)) + RESULT_BYTES);
	return sizes.reduce((sum, size) => sum + size, 0);
}
