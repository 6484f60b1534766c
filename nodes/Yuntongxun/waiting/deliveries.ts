import { sleep } from 'n8n-workflow';

import { toRecord } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { getExecutionId } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { PUBLIC_ADDRESS_VARIABLE } from '../callbacks/resultUrlHints';
import { BoundedMap } from '../util/boundedMap';
import { Aggregate } from './aggregate';
import type { WaitStatus } from './completion';
import type { Sender } from './ownN8n';
import { deliver, buildDeliveryBodies } from './protocol';
import type { DeliveryOutcome } from './protocol';

/** How often a process looks whether something is due, in milliseconds. */
const TICK_MS = 100;

/** Attempts at the same time, and how many of these no retry takes. */
const MAX_IN_FLIGHT = 4;
const SLOTS_FOR_NEWS = 1;

/** n8n that has just started first resumes by itself what is overdue; in milliseconds. */
const START_UP_MS = 5000;

/** Bytes of results; more are refused, for the service to send again. */
const MAX_BYTES = 32 * 1024 * 1024;

/** What n8n's log is told of results, with the ids of their execution and calls. */
const WARNINGS: Partial<Record<DeliveryOutcome | 'givenUp', string>> = {
	refused: "could not be delivered: n8n refused it. Has the account's token changed?",
	unreachable: `cannot be delivered yet: n8n gets no answer at its own public address, ${PUBLIC_ADDRESS_VARIABLE}`,
	timedOut: 'cannot be delivered yet: n8n does not answer in time',
	givenUp: 'could not be delivered: n8n has not taken it in time',
};

/** The waits that this process has results for, or has parked, by correlation id. */
const aggregates = new Map<string, Aggregate>();

/** Recently finished waits; late results for them are dropped. */
const ended = new BoundedMap<string, true>(10_000);

/** Only the latest context that n8n gave is kept: each pins its execution in memory. */
let sender: Sender;

let bytes = 0;
let isTicking = false;

/** Whether one more result can be kept. */
export const hasRoom = (): boolean => bytes < MAX_BYTES;

/** What is kept of a wait, by its correlation id. */
export function findAggregate(waitId: string): Readonly<Aggregate> | undefined {
	return aggregates.get(waitId);
}

/**
 * Notes that n8n now parks an execution of this process. When the limit passes, its wait is ended
 * even if no result has come.
 */
export function noteParked(context: Sender, address: ResumeAddress, status: WaitStatus): void {
	getAggregate(context, address)?.park(status, Date.now());
}

/**
 * Keeps a result until its wait has taken it.
 *
 * @param isStored whether it was read from n8n's database
 * @returns false if the wait is over or expired
 */
export function keep(
	context: Sender,
	address: ResumeAddress,
	result: CallResult,
	isStored = false,
): boolean {
	const aggregate = getAggregate(context, address, isStored ? START_UP_MS : 0);
	if (!aggregate) return false;
	if (aggregate.add(result, isStored, Date.now())) bytes += getSize(result);
	return true;
}

/** The aggregate of a wait, a new one if need be; undefined if the wait is over or expired. */
function getAggregate(context: Sender, address: ResumeAddress, delay = 0): Aggregate | undefined {
	sender = context;
	const now = Date.now();
	if (ended.has(address.waitId) || now >= address.expiresAt) return undefined;
	const aggregate = aggregates.get(address.waitId) ?? new Aggregate(address, now);
	if (address.expiresAt > aggregate.address.expiresAt) aggregate.address = address;
	aggregates.set(address.waitId, aggregate);
	void tick(delay);
	return aggregate;
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
	for (const { aggregate, isRetry } of findDue(all, now)) {
		if (aggregate.isInVain(now)) {
			warn(aggregate, 'givenUp');
			forget(aggregate);
		} else if (free > (isRetry ? SLOTS_FOR_NEWS : 0)) {
			free -= 1;
			void attempt(aggregate);
		}
	}
}

function findDue(all: readonly Aggregate[], now: number) {
	const due: Array<{ aggregate: Aggregate; isRetry: boolean; dueAt: number }> = [];
	for (const aggregate of all) {
		const { phase, isInFlight } = aggregate;
		if (isInFlight || phase.kind === 'ended' || now < phase.dueAt) continue;
		due.push({ aggregate, isRetry: phase.isRetry, dueAt: phase.dueAt });
	}
	return due.sort(
		(one, other) => Number(one.isRetry) - Number(other.isRetry) || one.dueAt - other.dueAt,
	);
}

/** Delivers all results of a wait. Never rejects. */
async function attempt(aggregate: Aggregate): Promise<void> {
	const { address, results } = aggregate;
	const { size } = results;
	aggregate.isInFlight = true;
	for (const body of buildDeliveryBodies(results.values())) {
		const { outcome, detail, status } = await deliver(sender, address.url, body);
		warn(aggregate, outcome, detail);
		aggregate.afterAttempt(outcome, status, Date.now());
		if (status === undefined) break;
	}
	aggregate.isInFlight = false;

	if (aggregate.phase.kind === 'ended') forget(aggregate);
	else if (results.size > size) aggregate.update(Date.now());
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
	for (const result of results.values()) bytes -= getSize(result);
}

/** The size of a result as it is stored. */
const getSize = (result: CallResult) => JSON.stringify(toRecord(result)).length;
