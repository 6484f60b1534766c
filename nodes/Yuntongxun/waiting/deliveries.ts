import { sleep } from 'n8n-workflow';

import { getResultId, toRecord } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { correlationIdOf } from '../callbacks/callbackUrl';
import { PUBLIC_ADDRESS_VARIABLE } from '../callbacks/resultUrlHints';
import { expiryOf } from '../callbacks/signedUrl';
import { BoundedMap } from '../util/boundedMap';
import { isComplete } from './completion';
import type { WaitStatus } from './completion';
import type { Sender } from './ownN8n';
import { deliver, buildDeliveryBodies } from './protocol';
import type { DeliveryOutcome } from './protocol';

// When a process delivers, and how often it tries; times are in milliseconds.
const TICK_MS = 100; // how often it looks whether something is due
const MAX_IN_FLIGHT = 4; // attempts at the same time
const SLOTS_FOR_NEW_RESULTS = 1; // how many of these no retry takes
const FIRST_PAUSE_MS = 300; // before a retry: n8n parks an execution within milliseconds,
const PAUSE_GROWTH = 1.25; // but in a burst it takes half a minute
const MAX_PAUSE_MS = 30_000;
const MAX_PAUSE_WITH_NEWS_MS = 2000; // not less: n8n loads the whole execution for each attempt
const MAX_TIMEOUTS = 8; // tries in a row without an answer in time, if nothing is known of the wait
const MAX_FAILURES = 20; // HTTP 500 in a row, a minute and a half: longer than parking takes in a burst
const OTHERS_FIRST_MS = 2000; // at the limit, if there is no result: another process may have some
const PARKING_MS = 30_000; // within which n8n has certainly parked an execution of this process
const START_UP_MS = 5000; // n8n that has just started first resumes by itself what is overdue
const MAX_BYTES = 32 * 1024 * 1024; // of results; more are refused, for the service to send again

/**
 * How much later than the relay n8n's own timer ends a wait, in milliseconds; the relay tries until
 * then. n8n arms its timers up to 70 seconds ahead and never disarms them: a nearer one could end a
 * later wait of the execution.
 */
export const TIMER_AFTER_MS = 180_000;

/** What n8n's log is told of results, with the ids of their execution and calls. */
const WARNINGS: Partial<Record<DeliveryOutcome | 'givenUp', string>> = {
	refused: "could not be delivered: n8n refused it. Has the account's token changed?",
	unreachable: `cannot be delivered yet: n8n gets no answer at its own public address, ${PUBLIC_ADDRESS_VARIABLE}`,
	timedOut: 'cannot be delivered yet: n8n does not answer in time',
	givenUp: 'could not be delivered: n8n has not taken it in time',
};

/** The results of one wait, and what the relay knows of it. */
class Aggregate {
	readonly results = new Map<string, CallResult>(); // by id; the first report of a call counts
	status?: WaitStatus; // once this process has parked the execution, or a delivery was answered so
	parkedAt = -Infinity; // when this process parked the execution, in milliseconds since 1970
	dueAt = Date.now(); // when the next attempt is due, in milliseconds since 1970
	hasNewResults = true; // that attempt is no mere retry: something has come, or the limit passes
	tries = 0; // attempts since the status came
	timeouts = 0; // attempts in a row that had no answer in time
	failures = 0; // attempts in a row that n8n answered with HTTP 500
	isInFlight = false;
	warning?: string; // what n8n's log was told last

	/** @param address the signed resume address; of several, the one that expires last */
	constructor(public address: string) {}
}

/** The waits that this process has results for, or has parked, by correlation id. */
const aggregates = new Map<string, Aggregate>();

/** Recently finished waits; late results for them are dropped. */
const ended = new BoundedMap<string, true>(10_000);

/** The latest context that n8n gave: any will do, and each holds its whole execution in memory. */
let sender: Sender;

let bytes = 0;
let isTicking = false;

/** Whether one more result can be kept. */
export const hasRoom = (): boolean => bytes < MAX_BYTES;

/** What is kept of a wait. */
export const aggregateOf = (id: string): Readonly<Aggregate> | undefined => aggregates.get(id);

/**
 * Notes that n8n now parks an execution of this process. When the limit passes, its wait is ended
 * even if no result has come.
 *
 * @param address signed resume address
 */
export function noteParked(context: Sender, address: string, status: WaitStatus): void {
	const aggregate = aggregateFor(context, address);
	if (!aggregate) return;
	aggregate.parkedAt = Date.now();
	schedule(aggregate, status);
}

/**
 * Keeps a result until its wait has taken it.
 *
 * @param address signed resume address
 * @param isStored whether it was read from n8n's database
 * @returns false if the wait is over or expired
 */
export function keep(context: Sender, address: string, result: CallResult, isStored = false) {
	const aggregate = aggregateFor(context, address, isStored ? START_UP_MS : 0);
	if (!aggregate) return false;
	const id = getResultId(result.callEvent);
	if (aggregate.results.has(id)) return true;
	aggregate.results.set(id, result);
	bytes += sizeOf(result);
	schedule(aggregate);
	aggregate.hasNewResults = !isStored;
	return true;
}

function aggregateFor(context: Sender, address: string, delay = 0): Aggregate | undefined {
	sender = context;
	const id = correlationIdOf(address);
	if (ended.has(id) || Date.now() >= expiryOf(address)) return undefined;
	const aggregate = aggregates.get(id) ?? new Aggregate(address);
	if (expiryOf(address) > expiryOf(aggregate.address)) aggregate.address = address;
	aggregates.set(id, aggregate);
	void tick(delay);
	return aggregate;
}

/**
 * Says when an attempt is due, now that there is news. Once it is known how the wait stands: when
 * nothing is missing, or when its limit passes.
 */
function schedule(aggregate: Aggregate, status = aggregate.status): void {
	const { results, dueAt } = aggregate;
	const now = Date.now();
	aggregate.dueAt = Math.min(dueAt, now + MAX_PAUSE_WITH_NEWS_MS);
	Object.assign(aggregate, { hasNewResults: true, timeouts: 0 });
	if (!status) return;
	const limit = status.until + (results.size === 0 ? OTHERS_FIRST_MS : 0);
	aggregate.dueAt = isComplete(status, results) ? now : Math.max(limit, now + FIRST_PAUSE_MS);
	Object.assign(aggregate, { status, tries: 0 });
}

/** The answer has told what is missing: the next attempt is due at the limit, and no sooner than any. */
function waitForLimit(aggregate: Aggregate, { until }: WaitStatus): void {
	aggregate.hasNewResults = true;
	aggregate.dueAt = Math.max(until, aggregate.dueAt);
}

/** Looks what is due, after a delay in milliseconds, as long as there is something to deliver. */
async function tick(delay: number): Promise<void> {
	if (isTicking) return;
	isTicking = true;
	await sleep(delay);
	while (aggregates.size > 0) {
		deliverDue(Date.now());
		await sleep(TICK_MS);
	}
	isTicking = false;
}

/** Starts what is due, as far as there is room: news first, and then what has been due longest. */
function deliverDue(now: number): void {
	const all = [...aggregates.values()];
	let free = MAX_IN_FLIGHT - all.filter(({ isInFlight }) => isInFlight).length;
	const due = all
		.filter(({ isInFlight, dueAt }) => !isInFlight && now >= dueAt)
		.sort(
			(one, other) =>
				Number(other.hasNewResults) - Number(one.hasNewResults) || one.dueAt - other.dueAt,
		);
	for (const aggregate of due) {
		if (isInVain(aggregate, now)) {
			warn(aggregate, 'givenUp');
			forget(aggregate);
		} else if (free > (aggregate.hasNewResults ? 0 : SLOTS_FOR_NEW_RESULTS)) {
			free--;
			void attempt(aggregate);
		}
	}
}

/** Whether n8n takes the results no more. */
function isInVain({ address, failures, status, timeouts }: Aggregate, now: number): boolean {
	if (status) return now >= status.until + TIMER_AFTER_MS;
	const isHopeless = timeouts >= MAX_TIMEOUTS || failures >= MAX_FAILURES;
	return isHopeless || now >= expiryOf(address);
}

/** Delivers all results of a wait. Never rejects. */
async function attempt(aggregate: Aggregate): Promise<void> {
	const { address, results } = aggregate;
	const { size } = results;
	aggregate.isInFlight = true;
	for (const body of buildDeliveryBodies(results.values())) {
		const { outcome, detail, status } = await deliver(sender, address, body);
		warn(aggregate, outcome, detail);
		aggregate.timeouts = outcome === 'timedOut' ? aggregate.timeouts + 1 : 0;
		aggregate.failures = outcome === 'failed' ? aggregate.failures + 1 : 0;
		const isParking = Date.now() - aggregate.parkedAt < PARKING_MS;
		if (outcome === 'over' || outcome === 'refused') return forget(aggregate);
		if (outcome === 'otherWait' && !isParking) return forget(aggregate);
		const pause = FIRST_PAUSE_MS * PAUSE_GROWTH ** aggregate.tries;
		aggregate.tries += 1;
		aggregate.dueAt = Date.now() + Math.min(pause, MAX_PAUSE_MS);
		aggregate.hasNewResults = false;
		if (!status) break;
		aggregate.status = status;
		if (!isComplete(status, results)) waitForLimit(aggregate, status);
	}
	aggregate.isInFlight = false;
	if (results.size > size) schedule(aggregate);
}

/** Tells n8n's log, unless it was told the same last. */
function warn(
	aggregate: Aggregate,
	outcome: DeliveryOutcome | 'givenUp',
	...detail: string[]
): void {
	const { address, results } = aggregate;
	const warning = WARNINGS[outcome];
	if (warning === undefined || warning === aggregate.warning || results.size === 0) return;
	aggregate.warning = warning;
	const [, execution] = /([^/]+)\/[^/?]*(?:\?|$)/.exec(address) ?? [];
	const facts = [...detail, ...results.keys()].join(', ');
	sender.logger.warn(`Yuntongxun: a call result of execution ${execution} ${warning} (${facts})`);
}

function forget({ address, results }: Aggregate): void {
	const id = correlationIdOf(address);
	aggregates.delete(id);
	ended.set(id, true);
	for (const result of results.values()) bytes -= sizeOf(result);
}

/** The size of a result as it is stored. */
const sizeOf = (result: CallResult) => JSON.stringify(toRecord(result)).length;
