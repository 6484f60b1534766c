import type { CallResult } from '../callbacks/callEvent';
import { isComplete } from './completion';
import type { WaitStatus } from './completion';
import type { DeliveryAnswer, DeliveryOutcome } from './protocol';
import { TIMER_AFTER_MS } from './timeLimits';

/*
 * When the results of one wait are delivered
 *
 *     unknown ──▶ incomplete ◀──▶ ready
 *        └──────────────────────────▶
 *
 * and from each of them to `ended`. Results often come before n8n has parked their execution, so at
 * first nothing is known of the wait. Each phase says when the next attempt is made. The functions
 * take a phase and return the next one. All times are in milliseconds, points in time since 1970.
 */

/**
 * The pause before the second attempt, how much each later one grows, and the longest. n8n parks an
 * execution within milliseconds, or within 30 s under load.
 */
const FIRST_PAUSE_MS = 300;
const PAUSE_GROWTH = 1.25;
const MAX_PAUSE_MS = 30_000;

/**
 * The longest pause after a new result. Shorter would cost too much: n8n loads the whole execution for
 * each attempt.
 */
const MAX_PAUSE_WITH_NEWS_MS = 2000;

/** At the limit, a process without results lets one that may have some go first. */
const OTHERS_FIRST_MS = 2000;

/** Attempts in a row without an answer in time, or with HTTP 500: then the results are given up. */
const MAX_TIMEOUTS = 8;
const MAX_FAILURES = 20;

/** Within this time n8n has certainly parked an execution of this process. */
const PARKING_MS = 30_000;

/** When the next attempt is made. */
interface Timing {
	nextAttemptAt: number;
	/** Whether it queues behind new results: a repeated attempt, or results read from n8n's database. */
	isRetry: boolean;
	/**
	 * Attempts so far, which lengthen the pause. Reset when the status becomes known, and after that by
	 * each new result.
	 */
	tries: number;
}

/** Where the delivery of a wait's results stands. */
export type Phase = OpenPhase | { kind: 'ended' };

type OpenPhase = UnknownPhase | IncompletePhase | ReadyPhase;

/** Nothing is known of the wait: n8n may not have parked the execution yet. */
interface UnknownPhase extends Timing {
	kind: 'unknown';
	/** Attempts in a row without an answer in time. */
	timeouts: number;
	/** Attempts in a row that n8n answered with HTTP 500. */
	failures: number;
}

/** Results are missing: the next attempt is made when the limit passes. */
interface IncompletePhase extends Timing {
	kind: 'incomplete';
	status: WaitStatus;
}

/** Nothing is missing, or the limit has passed, but n8n has not taken the results yet. */
interface ReadyPhase extends Timing {
	kind: 'ready';
	status: WaitStatus;
}

/** The results of a wait by id, the first one of each call. */
export type Results = ReadonlyMap<string, CallResult>;

/** The phase of a wait that this process has just heard of: ask at once. */
export function buildFirstPhase(now: number): Phase {
	return {
		kind: 'unknown',
		nextAttemptAt: now,
		isRetry: false,
		tries: 0,
		timeouts: 0,
		failures: 0,
	};
}

/** The phase after an attempt was answered, or was not. */
export function advanceAfterAnswer(
	phase: Phase,
	answer: DeliveryAnswer,
	results: Results,
	parkedAt: number,
	now: number,
): Phase {
	const isParking = now - parkedAt < PARKING_MS;
	return endsDeliveries(answer.outcome, isParking)
		? { kind: 'ended' }
		: advanceAfterAttempt(phase, answer, results, now);
}

/** Whether n8n will not take the results any more; `expiresAt` is that of the wait's address. */
export function isInVain(phase: Phase, expiresAt: number, now: number): boolean {
	switch (phase.kind) {
		case 'unknown': {
			const { timeouts, failures } = phase;
			return timeouts >= MAX_TIMEOUTS || failures >= MAX_FAILURES || now >= expiresAt;
		}
		case 'incomplete':
		case 'ready':
			return now >= phase.status.until + TIMER_AFTER_MS;
		case 'ended':
			return true;
	}
}

/** Whether an answer ends the deliveries. While n8n parks an execution it may show the wait before. */
function endsDeliveries(outcome: DeliveryOutcome, isParking: boolean): boolean {
	switch (outcome) {
		case 'finished':
		case 'refused':
			return true;
		case 'otherWait':
			return !isParking;
		default:
			return false;
	}
}

/**
 * The phase after new results. They reset the time-outs, since n8n may just be busy, but not the
 * failures: after a crash n8n answers HTTP 500 forever.
 */
export function advanceAfterNews(
	phase: Phase,
	results: Results,
	now: number,
	{ isRetry = false } = {},
): Phase {
	switch (phase.kind) {
		case 'unknown':
			return {
				kind: 'unknown',
				nextAttemptAt: Math.min(phase.nextAttemptAt, now + MAX_PAUSE_WITH_NEWS_MS),
				isRetry,
				tries: phase.tries,
				timeouts: 0,
				failures: phase.failures,
			};
		case 'incomplete':
		case 'ready':
			return getKnownPhase(phase.status, results, now, { isRetry });
		case 'ended':
			return phase;
	}
}

/** The phase where the status is known: deliver at once if nothing is missing, or at the limit. */
export function getKnownPhase(
	status: WaitStatus,
	results: Results,
	now: number,
	{ isRetry = false } = {},
): OpenPhase {
	if (isComplete(status.missing, status.firstAnswered, results)) {
		return { kind: 'ready', status, nextAttemptAt: now, isRetry, tries: 0 };
	}

	const limit = status.until + (results.size === 0 ? OTHERS_FIRST_MS : 0);
	const nextAttemptAt = Math.max(limit, now + FIRST_PAUSE_MS);
	return { kind: 'incomplete', status, nextAttemptAt, isRetry, tries: 0 };
}

/** The phase after an attempt that does not end the deliveries. */
function advanceAfterAttempt(
	phase: Phase,
	answer: DeliveryAnswer,
	results: Results,
	now: number,
): Phase {
	if (phase.kind === 'ended') return phase;
	if (answer.outcome === 'waiting') return advanceAfterStatus(phase, answer.status, results, now);

	const timing: Timing = {
		nextAttemptAt: now + getPause(phase.tries),
		isRetry: true,
		tries: phase.tries + 1,
	};
	if (phase.kind !== 'unknown') return { kind: 'ready', status: phase.status, ...timing };

	return {
		kind: 'unknown',
		timeouts: answer.outcome === 'timedOut' ? phase.timeouts + 1 : 0,
		failures: answer.outcome === 'failed' ? phase.failures + 1 : 0,
		...timing,
	};
}

/**
 * The phase after an attempt that the waiting node answered. The pauses that grew while nothing was
 * known no longer count; those after the limit go on growing, as the clock of its process may be slow.
 */
function advanceAfterStatus(
	phase: OpenPhase,
	status: WaitStatus,
	results: Results,
	now: number,
): OpenPhase {
	const tries = phase.kind === 'unknown' ? 0 : phase.tries;
	const again = now + getPause(tries);
	if (isComplete(status.missing, status.firstAnswered, results)) {
		return { kind: 'ready', status, nextAttemptAt: again, isRetry: true, tries: tries + 1 };
	}

	const nextAttemptAt = Math.max(status.until, again);
	return { kind: 'incomplete', status, nextAttemptAt, isRetry: false, tries: tries + 1 };
}

/** The pause before the next attempt. */
function getPause(tries: number): number {
	return Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** tries, MAX_PAUSE_MS);
}
