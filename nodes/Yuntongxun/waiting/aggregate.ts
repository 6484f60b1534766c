import { getResultId } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { isComplete } from './completion';
import type { WaitStatus } from './completion';
import type { DeliveryOutcome } from './protocol';

/*
 * When the results of one wait are delivered
 *
 *     unknown ──▶ waiting ──▶ due ──▶ ended
 *        └───────────────────▶ due
 *
 * Results often come before n8n has parked their execution, so at first nothing is known of the
 * wait. Each phase says when the next attempt is due; each function here takes a phase and gives
 * the next one. All times are in milliseconds, points in time since 1970.
 */

/** Before a second attempt: n8n parks an execution within milliseconds, in a burst in half a minute. */
const FIRST_PAUSE_MS = 300;
const PAUSE_GROWTH = 1.25;
const MAX_PAUSE_MS = 30_000;

/** The longest pause after a new result. Not shorter: n8n loads the whole execution each time. */
const MAX_PAUSE_WITH_NEWS_MS = 2000;

/** At the limit, where there is no result: another process may have some, and goes first. */
const OTHERS_FIRST_MS = 2000;

/** Attempts in a row without an answer in time, or with HTTP 500: then the results are given up. */
const MAX_TIMEOUTS = 8;
const MAX_FAILURES = 20;

/** Within this time n8n has certainly parked an execution of this process. */
const PARKING_MS = 30_000;

/**
 * How much later than the relay n8n's own timer ends a wait; the relay tries until then. n8n arms
 * its timers up to 70 seconds ahead and never disarms them: a nearer one could end a later wait of
 * the execution.
 */
export const TIMER_AFTER_MS = 180_000;

/** When the next attempt is due. */
interface Timing {
	dueAt: number;
	/** Whether nothing has changed since the attempt before. */
	isRetry: boolean;
	/** Attempts since the phase was known. */
	tries: number;
}

/** Where the delivery of a wait's results stands. */
export type Phase = OpenPhase | { kind: 'ended' };

type OpenPhase = UnknownPhase | WaitingPhase | DuePhase;

/** Nothing is known of the wait: n8n may not have parked the execution yet. */
interface UnknownPhase extends Timing {
	kind: 'unknown';
	/** Attempts in a row without an answer in time. */
	timeouts: number;
	/** Attempts in a row that n8n answered with HTTP 500. */
	failures: number;
}

/** Results are missing: an attempt is due when the limit passes. */
interface WaitingPhase extends Timing {
	kind: 'waiting';
	status: WaitStatus;
}

/** Nothing is missing, or the limit has passed, but n8n has not taken the results yet. */
interface DuePhase extends Timing {
	kind: 'due';
	status: WaitStatus;
}

/** The results of one wait, and how their delivery stands. */
export class Aggregate {
	/** By id; the first result of a call counts. */
	readonly results = new Map<string, CallResult>();

	phase: Phase;

	isInFlight = false;

	/** What n8n's log was told last. */
	warning?: string;

	private parkedAt = -Infinity;

	/** @param address of the wait; of several, the one that expires last */
	constructor(
		public address: ResumeAddress,
		now: number,
	) {
		this.phase = {
			kind: 'unknown',
			dueAt: now,
			isRetry: false,
			tries: 0,
			timeouts: 0,
			failures: 0,
		};
	}

	/** Adds a result. @returns whether it is the first one of its call */
	add(result: CallResult, isStored: boolean, now: number): boolean {
		const id = getResultId(result.callEvent);
		if (this.results.has(id)) return false;

		this.results.set(id, result);
		this.update(now);
		if (isStored && this.phase.kind !== 'ended') this.phase.isRetry = true;
		return true;
	}

	/** n8n parks the execution now. */
	park(status: WaitStatus, now: number): void {
		this.parkedAt = now;
		this.phase = schedule(status, this.results, now);
	}

	/** Something has come. */
	update(now: number): void {
		this.phase = afterNews(this.phase, this.results, now);
	}

	/** An attempt was answered, or was not. @param status where the wait stands, if that was said */
	afterAttempt(outcome: DeliveryOutcome, status: WaitStatus | undefined, now: number): void {
		const isParking = now - this.parkedAt < PARKING_MS;
		this.phase = isOver(outcome, isParking)
			? { kind: 'ended' }
			: afterAttempt(this.phase, { outcome, status }, this.results, now);
	}

	/** Whether n8n will not take the results any more. */
	isInVain(now: number): boolean {
		switch (this.phase.kind) {
			case 'unknown': {
				const { timeouts, failures } = this.phase;
				const isHopeless = timeouts >= MAX_TIMEOUTS || failures >= MAX_FAILURES;
				return isHopeless || now >= this.address.expiresAt;
			}
			case 'waiting':
			case 'due':
				return now >= this.phase.status.until + TIMER_AFTER_MS;
			case 'ended':
				return true;
		}
	}
}

/** Whether an answer ends the deliveries. While n8n parks an execution it may show the wait before. */
function isOver(outcome: DeliveryOutcome, isParking: boolean): boolean {
	return outcome === 'over' || outcome === 'refused' || (outcome === 'otherWait' && !isParking);
}

function afterNews(phase: Phase, results: Aggregate['results'], now: number): Phase {
	switch (phase.kind) {
		case 'unknown': {
			const dueAt = Math.min(phase.dueAt, now + MAX_PAUSE_WITH_NEWS_MS);
			return { ...phase, dueAt, isRetry: false, timeouts: 0 };
		}
		case 'waiting':
		case 'due':
			return schedule(phase.status, results, now);
		case 'ended':
			return phase;
	}
}

/** Now that it is known where the wait stands: due at once if nothing is missing, or at the limit. */
function schedule(status: WaitStatus, results: Aggregate['results'], now: number): OpenPhase {
	if (isComplete(status, results)) {
		return { kind: 'due', status, dueAt: now, isRetry: false, tries: 0 };
	}
	const limit = status.until + (results.size === 0 ? OTHERS_FIRST_MS : 0);
	const dueAt = Math.max(limit, now + FIRST_PAUSE_MS);
	return { kind: 'waiting', status, dueAt, isRetry: false, tries: 0 };
}

function afterAttempt(
	phase: Phase,
	{ outcome, status }: { outcome: DeliveryOutcome; status?: WaitStatus },
	results: Aggregate['results'],
	now: number,
): Phase {
	if (phase.kind === 'ended') return phase;

	const pause = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** phase.tries, MAX_PAUSE_MS);
	const next = { dueAt: now + pause, isRetry: true, tries: phase.tries + 1 };

	if (status !== undefined && !isComplete(status, results)) {
		const dueAt = Math.max(status.until, next.dueAt);
		return { ...next, kind: 'waiting', status, dueAt, isRetry: false };
	}
	if (status !== undefined) return { ...next, kind: 'due', status };
	if (phase.kind !== 'unknown') return { ...next, kind: 'due', status: phase.status };
	return {
		...next,
		kind: 'unknown',
		timeouts: outcome === 'timedOut' ? phase.timeouts + 1 : 0,
		failures: outcome === 'failed' ? phase.failures + 1 : 0,
	};
}
