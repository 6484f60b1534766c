import { isAnswered, resultKey, toRecord } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { expiryOf } from '../callbacks/signedUrl';
import type { WaitStatus } from './protocol';

/**
 * What is known of a wait.
 *
 * - `running`: this process runs its execution, and the node has not returned yet
 * - `unknown`: another process runs it, or n8n has restarted since
 * - `waiting`: its `status` tells what is missing
 *
 * A wait of this process goes from `running` to `waiting` when the node returns, any other from
 * `unknown` to `waiting` once it has answered a delivery so.
 */
export type Phase = 'running' | 'unknown' | 'waiting';

/** The results of one wait, and what the relay knows of it. */
export interface Aggregate {
	/** The signed resume address; of several, the one that expires last. */
	address: string;
	/** When that is, in milliseconds since 1970. */
	expiresAt: number;
	/** By their keys; the first report of a call counts. */
	results: Map<string, CallResult>;
	/** Size of the results as they are stored. */
	bytes: number;
	phase: Phase;
	/** When the phase began, in milliseconds since 1970. */
	since: number;
	/** In the phase `waiting`. */
	status?: WaitStatus;
	/** Whether this process runs the execution. */
	isLocal: boolean;
	/** When the latest result came, or was read from the database. */
	changedAt: number;
	/** How many of the results the wait has been given. */
	given: number;
	/** When the last attempt of this phase ended. */
	attemptedAt?: number;
	/** Whether nothing new has come since an attempt met no n8n, or since n8n restarted. */
	isStale: boolean;
	/** Attempts in a row that n8n did not answer. */
	unanswered: number;
	isInFlight: boolean;
	/** What n8n's log was told last about this wait. */
	logged?: string;
}

/** An aggregate without a result yet. */
export function newAggregate(address: string, isLocal: boolean, now: number): Aggregate {
	return {
		address,
		expiresAt: expiryOf(address),
		results: new Map(),
		bytes: 0,
		phase: isLocal ? 'running' : 'unknown',
		since: now,
		isLocal,
		changedAt: now,
		given: 0,
		isStale: false,
		unanswered: 0,
		isInFlight: false,
	};
}

/** Adds one result. @returns whether it is the first report of its call */
export function add(aggregate: Aggregate, result: CallResult, now: number): boolean {
	const key = resultKey(result.callEvent);
	if (aggregate.results.has(key)) return false;
	aggregate.results.set(key, result);
	aggregate.bytes += JSON.stringify(toRecord(result)).length;
	aggregate.changedAt = now;
	aggregate.isStale = false;
	aggregate.unanswered = 0;
	return true;
}

/** Notes how the wait stands. Attempts start anew where that was not known. */
export function setStatus(aggregate: Aggregate, status: WaitStatus, now: number): void {
	aggregate.status = status;
	if (aggregate.phase === 'waiting') return;
	Object.assign(aggregate, { phase: 'waiting', since: now, attemptedAt: undefined });
}

/** Pauses between attempts, in milliseconds: this part of the time since the first, within bounds. */
interface BackOff {
	share: number;
	min: number;
	max: number;
}

/** n8n parks an execution within milliseconds, but in a burst it takes half a minute. */
const UNTIL_PARKED: BackOff = { share: 1 / 20, min: 300, max: 30_000 };

/** Results that do not complete a wait as far as is known: another relay may have the rest. */
const PARTIAL: BackOff = { share: 1, min: 2000, max: 60_000 };

/** The node may throw, so that its execution never parks. */
const WHILE_RUNNING_MS = 30_000;

/** News may complete the wait, and n8n may have parked the execution by now. */
const MAX_AFTER_NEWS_MS = 2000;

/** What each wait of this process adds to the shortest pause, in milliseconds. */
const MS_PER_WAIT = 20;

/** How long a relay in another process has to deliver first when the limit passes. */
const OTHERS_FIRST_MS = 2000;

/**
 * When the results of a wait are to be delivered next, in milliseconds since 1970. n8n loads the
 * whole execution for each attempt, so there are few:
 *
 * - when the results complete the wait, and when its limit passes, with none as well;
 * - before it is known what the wait needs, with pauses that grow;
 * - of a wait that another process has begun, whatever has come, now and then.
 *
 * @param waits how many waits the process knows
 */
export function nextAttempt(aggregate: Aggregate, waits: number): number {
	const { phase, since, status, results, given, changedAt, attemptedAt, isLocal } = aggregate;
	const after = (start: number, { share, min, max }: BackOff) => {
		if (attemptedAt === undefined) return start;
		const pause = Math.max(min, waits * MS_PER_WAIT, Math.min((attemptedAt - start) * share, max));
		return Math.max(start, attemptedAt + pause);
	};
	const hasNews = results.size > given;
	if (phase === 'running') return Math.max(since, attemptedAt ?? 0) + WHILE_RUNNING_MS;
	if (phase === 'unknown') {
		const isNews = attemptedAt !== undefined && changedAt > attemptedAt;
		return after(since, isNews ? { ...UNTIL_PARKED, max: MAX_AFTER_NEWS_MS } : UNTIL_PARKED);
	}
	if (hasNews && isComplete(aggregate)) return after(Math.max(changedAt, since), UNTIL_PARKED);
	const limit = (status?.until ?? Infinity) + (results.size === 0 ? OTHERS_FIRST_MS : 0);
	const partial = hasNews && !isLocal ? after(since, PARTIAL) : Infinity;
	return Math.min(partial, after(limit, UNTIL_PARKED));
}

/**
 * Who comes first, the lowest number: what ends a wait, then news, then what was tried in vain, and
 * last what no n8n answered.
 */
export function rankOf(aggregate: Aggregate, now: number): number {
	const { status, changedAt, attemptedAt = 0, isStale } = aggregate;
	if (isStale) return 3;
	const isOverdue = now >= (status?.until ?? Infinity);
	const dueSince = isOverdue ? Math.max(changedAt, status?.until ?? 0) : changedAt;
	if (attemptedAt > dueSince) return 2;
	return isOverdue || isComplete(aggregate) ? 0 : 1;
}

/** Whether nothing is missing, or the first answered call is enough and has come. */
export function isComplete({ results, status }: Aggregate): boolean {
	const isFirstAnswered =
		status?.firstAnswered === true &&
		[...results.values()].some(({ callEvent }) => isAnswered(callEvent));
	return isFirstAnswered || (status?.missing?.every((key) => results.has(key)) ?? false);
}
