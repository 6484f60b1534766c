import { sleep } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { correlationIdOf } from '../callbacks/callbackUrl';
import { expiryOf } from '../callbacks/signedUrl';
import { BoundedMap } from '../util/boundedMap';
import { add, newAggregate, nextAttempt, rankOf, setStatus } from './aggregate';
import type { Aggregate } from './aggregate';
import { deliver, deliveryBodies, EXPIRED, GIVEN_UP } from './protocol';
import type { Meaning, Sender, WaitStatus } from './protocol';

/** How often the process looks whether something is due, in milliseconds. */
const TICK_MS = 100;

/** Attempts in flight at the same time, in one process, and how many of them may be stale. */
const MAX_IN_FLIGHT = 4;
const MAX_STALE = 2;

/** Bytes of results that one process keeps; more are refused, for the service to send again. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long an empty delivery is tried after the limit, in milliseconds; n8n's timer ends the wait then. */
const EMPTY_FOR_MS = 180_000;

/** The waits that this process has results for, or has begun, by correlation id. */
const aggregates = new Map<string, Aggregate>();

/** Waits whose node still runs in this process. */
const running = new BoundedMap<string, true>(10_000);

/** Recently finished waits; late results for them are dropped. */
const ended = new BoundedMap<string, true>(10_000);

/** The latest context that n8n gave: any will do, and each holds its whole execution in memory. */
let sender: Sender;

let bytes = 0;

let isTicking = false;

/** Whether one more result can be kept. */
export function hasRoom(): boolean {
	return bytes < MAX_BYTES;
}

/** What is kept of a wait. */
export function aggregateOf(correlationId: string): Readonly<Aggregate> | undefined {
	return aggregates.get(correlationId);
}

/** Notes that calls of a wait are about to be placed by this process. */
export function noteRunning(correlationId: string): void {
	running.set(correlationId, true);
}

/**
 * Notes that n8n now parks an execution of this process. When the limit passes, its wait is ended
 * even if no result has come.
 *
 * @param address signed resume address
 */
export function noteParked(context: Sender, address: string, status: WaitStatus): void {
	const aggregate = aggregateFor(context, address, true);
	if (aggregate) setStatus(aggregate, status, Date.now());
	running.delete(correlationIdOf(address));
	void tick();
}

/**
 * Keeps a result until its wait has taken it.
 *
 * @param address signed resume address
 * @param readAt when to begin to deliver, for results that were read from the database, in
 * milliseconds since 1970
 * @returns whether it is new: false for a repeated report, and for a wait that is over or expired
 */
export function keep(
	context: Sender,
	address: string,
	result: CallResult,
	readAt?: number,
): boolean {
	const aggregate = aggregateFor(context, address, false, readAt);
	if (!aggregate) return false;
	const before = aggregate.bytes;
	const isNew = add(aggregate, result, Date.now());
	bytes += aggregate.bytes - before;
	if (readAt !== undefined) aggregate.isStale = true;
	void tick();
	return isNew;
}

function aggregateFor(
	context: Sender,
	address: string,
	isLocal: boolean,
	since = Date.now(),
): Aggregate | undefined {
	sender = context;
	const id = correlationIdOf(address);
	if (ended.has(id) || Date.now() >= expiryOf(address)) return undefined;
	const aggregate = aggregates.get(id) ?? newAggregate(address, isLocal || running.has(id), since);
	const expiresAt = expiryOf(address);
	if (expiresAt > aggregate.expiresAt) Object.assign(aggregate, { address, expiresAt });
	aggregates.set(id, aggregate);
	return aggregate;
}

/** Looks what is due, as long as there is something to deliver. */
async function tick(): Promise<void> {
	if (isTicking) return;
	isTicking = true;
	while (aggregates.size > 0) {
		deliverDue(Date.now());
		await sleep(TICK_MS);
	}
	isTicking = false;
}

/** Starts what is due, as far as there is room: by rank, and of those the one that waits longest. */
function deliverDue(now: number): void {
	const due: Array<{ id: string; aggregate: Aggregate; rank: number; at: number }> = [];
	let inFlight = 0;
	let stale = 0;
	for (const [id, aggregate] of aggregates) {
		if (aggregate.isInFlight) {
			inFlight++;
			if (aggregate.isStale) stale++;
		} else if (isGivenUp(aggregate, now)) {
			follow(id, aggregate, now >= aggregate.expiresAt ? EXPIRED : GIVEN_UP);
		} else {
			const at = nextAttempt(aggregate, aggregates.size);
			if (now >= at) due.push({ id, aggregate, rank: rankOf(aggregate, now), at });
		}
	}
	due.sort((one, other) => one.rank - other.rank || one.at - other.at);
	for (const { id, aggregate } of due) {
		if (inFlight >= MAX_IN_FLIGHT) return;
		if (aggregate.isStale && stale >= MAX_STALE) continue;
		inFlight++;
		if (aggregate.isStale) stale++;
		void attempt(id, aggregate);
	}
}

function isGivenUp({ expiresAt, results, status }: Aggregate, now: number): boolean {
	const isPointless = results.size === 0 && now >= (status?.until ?? Infinity) + EMPTY_FOR_MS;
	return isPointless || now >= expiresAt;
}

/** Delivers all results of a wait. Never rejects. */
async function attempt(id: string, aggregate: Aggregate): Promise<void> {
	aggregate.isInFlight = true;
	const { size } = aggregate.results;
	for (const body of deliveryBodies(aggregate.results.values())) {
		const { meaning, status, detail } = await deliver(sender, aggregate.address, body);
		const now = Date.now();
		aggregate.attemptedAt = now;
		aggregate.isInFlight = meaning.then === 'wait';
		aggregate.unanswered = meaning.maxTries === undefined ? 0 : aggregate.unanswered + 1;
		// Something new may have come meanwhile.
		if (meaning.isBroken && aggregate.results.size === size) aggregate.isStale = true;
		const isLate = now >= (aggregate.status?.until ?? 0);
		const isLast = isLate && aggregate.unanswered >= (meaning.maxTries ?? Infinity);
		follow(id, aggregate, isLast ? GIVEN_UP : meaning, detail);
		if (status === undefined) return;
		setStatus(aggregate, status, now);
	}
	aggregate.isInFlight = false;
	aggregate.given = size;
}

/** Tells n8n's log, and forgets a wait that is done with. */
function follow(id: string, aggregate: Aggregate, { then, log }: Meaning, detail = ''): void {
	if (log && aggregate.logged !== log[1] && aggregate.results.size > 0) {
		aggregate.logged = log[1];
		const facts = [detail, ...aggregate.results.keys()].filter((fact) => fact !== '');
		sender.logger[log[0]](
			`Yuntongxun: a call result of execution ${executionIn(aggregate.address)} ${log[1]} (${facts.join(', ')})`,
		);
	}
	if (then !== 'done') return;
	aggregates.delete(id);
	bytes -= aggregate.bytes;
	ended.set(id, true);
}

/** The number of the execution that a resume address belongs to. */
function executionIn(address: string): string {
	return /([^/]+)\/[^/?]*(?:\?|$)/.exec(address)?.[1] ?? '';
}
