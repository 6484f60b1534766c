import type { CallResult } from '../callbacks/notification';
import type { ResumeKey } from './resumeKey';

/** The pauses between knocks at an execution, in milliseconds; they double. */
const FIRST_PAUSE_MS = 300;
const LAST_PAUSE_MS = 5000;

/** How long after a result a knock is due, in milliseconds, if it is not the first: others may come with it. */
const NEWS_PAUSE_MS = 1000;

/** The longest pause while an execution still waits, in milliseconds: somebody may have stopped it. */
const MAX_IDLE_MS = 60 * 60_000;

/** Whether a result has a known action or a state. Without both it counts only at the limit. */
export function saysHowItEnded({ callEvent: { event, state } }: CallResult): boolean {
	return event !== 'other' || state !== '';
}

/**
 * The results of one wait, and when to knock for it next. Times are by `performance.now()`, a clock that nobody
 * sets: a pause must not last until a clock has caught up.
 */
export class Box {
	/** By `callSid`, in the order in which they came. */
	readonly results = new Map<string, CallResult>();

	bytes = 0;

	nextAt = performance.now();

	/** Whether n8n's log was told that knocks are in vain. */
	isTold = false;

	private pauseMs = FIRST_PAUSE_MS;

	/** Since when all knocks were in vain. */
	private inVainSince?: number;

	private doorAt = 0;

	/** @param doors of the n8n that the results have come to, at least one */
	constructor(
		readonly key: ResumeKey,
		public doors: readonly string[],
	) {}

	/** The door to knock at: the one that led to n8n last, or else the next. */
	get door(): string {
		return this.doors[this.doorAt % this.doors.length];
	}

	/** Whether a result is the first of its call, or the first that says how it ended. */
	isNews(result: CallResult): boolean {
		const { callSid } = result.callEvent;
		const known = this.results.get(callSid);
		if (callSid === '') return false;
		return known === undefined || (!saysHowItEnded(known) && saysHowItEnded(result));
	}

	/** Takes a result that is news, and has it knocked for. */
	take(result: CallResult, bytes: number): void {
		this.results.set(result.callEvent.callSid, result);
		this.bytes += bytes;
		this.restAtMost(NEWS_PAUSE_MS);
	}

	/** Begins a knock: what comes meanwhile makes another one due. */
	beginKnock(): void {
		this.nextAt = Infinity;
	}

	/** Rests after a knock that n8n has let through. */
	rest(): void {
		this.inVainSince = undefined;
		this.pause();
	}

	/** Rests if the execution still waits: without news, there is nothing to knock for until its limit passes. */
	restUntilLimit(leftMs: number): void {
		this.inVainSince = undefined;
		this.pauseMs = FIRST_PAUSE_MS;
		this.restAtMost(Math.min(leftMs, MAX_IDLE_MS));
	}

	/** Rests after a knock in vain, and turns to the next door. @returns for how long they have been in vain, in milliseconds */
	restInVain(): number {
		const now = performance.now();
		this.inVainSince ??= now;
		this.doorAt += 1;
		this.pause();
		return now - this.inVainSince;
	}

	private pause(): void {
		this.restAtMost(this.pauseMs);
		this.pauseMs = Math.min(2 * this.pauseMs, LAST_PAUSE_MS);
	}

	private restAtMost(ms: number): void {
		this.nextAt = Math.min(this.nextAt, performance.now() + ms);
	}
}
