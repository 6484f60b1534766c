import { sleep } from 'n8n-workflow';

import { toRecord } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { getExecutionId } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import type { Sender } from '../callbacks/ownN8n';
import { PUBLIC_ADDRESS_VARIABLE } from '../callbacks/resultUrlHints';
import { BoundedMap } from '../util/boundedMap';
import { Aggregate } from './aggregate';
import type { WaitStatus } from './completion';
import { deliver, buildDeliveryBodies } from './protocol';
import type { DeliveryOutcome } from './protocol';

/** How often a process checks for due deliveries, in milliseconds. */
const TICK_MS = 100;

/** How many attempts may run at once. */
const MAX_IN_FLIGHT = 4;

/** How many of them are kept free for attempts that are not retries. */
const SLOTS_FOR_NEWS = 1;

/** Right after start-up n8n resumes overdue executions itself; let it go first. In milliseconds. */
const START_UP_MS = 5000;

/**
 * Maximum size of all kept results, in characters. Beyond it results are refused with HTTP 503; the
 * service is not known to send them again.
 */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** What n8n's log is told of results, with the ids of their execution and calls. */
const WARNINGS: Partial<Record<DeliveryOutcome | 'givenUp', string>> = {
	refused: "could not be delivered: n8n refused it. Has the account's token changed?",
	unreachable: `cannot be delivered yet: n8n gets no answer at its own public address, ${PUBLIC_ADDRESS_VARIABLE}`,
	unexpected: `cannot be delivered yet: n8n gets an unexpected answer at its own public address, ${PUBLIC_ADDRESS_VARIABLE}`,
	timedOut: 'cannot be delivered yet: n8n does not answer in time',
	givenUp: 'could not be delivered: n8n has not taken it in time',
};

/** The waits that this process has results for, or has parked, by wait id. */
const aggregates = new Map<string, Aggregate>();

/** Recently finished waits; late results for them are dropped. */
const ended = new BoundedMap<string, true>(10_000);

/** Only the latest context that n8n gave is kept: each pins its execution in memory. */
let sender: Sender;

let keptCharacters = 0;
let isLoopRunning = false;

/** Whether one more result can be kept. */
export function hasRoom(): boolean {
	return keptCharacters < MAX_CHARACTERS;
}

/** What is kept of a wait, by its wait id. */
export function findAggregate(waitId: string): Readonly<Aggregate> | undefined {
	return aggregates.get(waitId);
}

/**
 * Notes that n8n now parks an execution of this process. When the limit passes, its wait is ended
 * even if no result has come.
 */
export function noteParked(context: Sender, address: ResumeAddress, status: WaitStatus): void {
	sender = context;
	const now = Date.now();
	openAggregate(address, now)?.notePark(status, now);
	void runDeliveryLoop();
}

/**
 * Keeps a result until its wait has taken it.
 *
 * @param options.isStored whether it was read from n8n's database
 * @returns false if the wait is over or expired
 */
export function keepResult(
	context: Sender,
	address: ResumeAddress,
	result: CallResult,
	{ isStored = false } = {},
): boolean {
	sender = context;
	const now = Date.now();
	const aggregate = openAggregate(address, now);
	if (!aggregate) return false;

	const isFirst = aggregate.add(result, now, { isStored });
	if (isFirst) keptCharacters += getSize(result);
	void runDeliveryLoop(isStored ? START_UP_MS : 0);
	return true;
}

/**
 * The aggregate of a wait, a new one if need be, with the address that expires last.
 *
 * @returns undefined if the wait is over or expired
 */
function openAggregate(address: ResumeAddress, now: number): Aggregate | undefined {
	if (ended.has(address.waitId) || now >= address.expiresAt) return undefined;

	const aggregate = aggregates.get(address.waitId) ?? new Aggregate(address, now);
	if (address.expiresAt > aggregate.address.expiresAt) aggregate.address = address;
	aggregates.set(address.waitId, aggregate);
	return aggregate;
}

/** Checks for due deliveries as long as there are aggregates, unless that goes on already. */
async function runDeliveryLoop(delayMs = 0): Promise<void> {
	if (isLoopRunning) return;

	isLoopRunning = true;
	try {
		await sleep(delayMs);
		while (aggregates.size > 0) {
			startDueAttempts(Date.now());
			await sleep(TICK_MS);
		}
	} finally {
		isLoopRunning = false;
	}
}

/** Starts what is due, as far as there is room: news first, and then what has been due longest. */
function startDueAttempts(now: number): void {
	const all = [...aggregates.values()];
	let free = MAX_IN_FLIGHT - all.filter(({ isInFlight }) => isInFlight).length;
	for (const { aggregate, isRetry } of findDue(all, now)) {
		if (aggregate.isInVain(now)) {
			forget(aggregate);
			warn(aggregate, 'givenUp');
		} else if (free > (isRetry ? SLOTS_FOR_NEWS : 0)) {
			free -= 1;
			void attempt(aggregate);
		}
	}
}

function findDue(all: readonly Aggregate[], now: number) {
	const due: Array<{ aggregate: Aggregate; isRetry: boolean; since: number }> = [];
	for (const aggregate of all) {
		const { phase, isInFlight } = aggregate;
		if (isInFlight || phase.kind === 'ended' || now < phase.nextAttemptAt) continue;
		due.push({ aggregate, isRetry: phase.isRetry, since: phase.nextAttemptAt });
	}
	return due.sort(
		(one, other) => Number(one.isRetry) - Number(other.isRetry) || one.since - other.since,
	);
}

/** Delivers all results of a wait, and forgets it if that ends it. */
async function attempt(aggregate: Aggregate): Promise<void> {
	aggregate.isInFlight = true;
	try {
		await deliverResults(aggregate);
	} finally {
		aggregate.isInFlight = false;
	}
	if (aggregate.phase.kind === 'ended') forget(aggregate);
}

async function deliverResults(aggregate: Aggregate): Promise<void> {
	const { address, results } = aggregate;
	const sizeBefore = results.size;
	for (const body of buildDeliveryBodies(results.values())) {
		const answer = await deliver(sender, address.url, body);
		aggregate.noteAnswer(answer, Date.now());
		warn(aggregate, answer.outcome, answer.detail);
		if (answer.outcome !== 'waiting') break;
	}
	// The map is live: what came during the attempt is in it, but was not delivered.
	if (results.size > sizeBefore) aggregate.noteNewResults(Date.now());
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
	const execution = getExecutionId(address);
	const facts = [...detail, ...results.keys()].join(', ');
	sender.logger.warn(`Yuntongxun: a call result of execution ${execution} ${warning} (${facts})`);
}

function forget({ address, results }: Aggregate): void {
	aggregates.delete(address.waitId);
	ended.set(address.waitId, true);
	for (const result of results.values()) keptCharacters -= getSize(result);
}

/** How many characters a result has as it is stored. */
function getSize(result: CallResult): number {
	return JSON.stringify(toRecord(result)).length;
}
