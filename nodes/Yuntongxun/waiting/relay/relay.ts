import { sleep } from 'n8n-workflow';

import { getExecutionId } from '../../callbacks/callbackUrl';
import type { ResumeAddress } from '../../callbacks/callbackUrl';
import { writeEnvelope } from '../../callbacks/envelope';
import type { DeliveredResult } from '../../callbacks/envelope';
import { postToOwnN8n } from '../../callbacks/ownN8n';
import type { Sender } from '../../callbacks/ownN8n';
import { PUBLIC_ADDRESS_VARIABLE } from '../../callbacks/resultUrlHints';
import { toDeliveryOutcome } from './deliveryOutcome';
import type { DeliveryOutcome } from './deliveryOutcome';

/*
 * Passes results on to the executions that wait for them
 *
 * n8n takes a result only for an execution that it has parked, and refuses one that comes earlier, so
 * each is posted again until it is taken. Nothing is kept on disk, and nothing is known of a wait but
 * its address and, from an answer or from the run that parked it, when its limit passes.
 */

const MINUTE_MS = 60_000;

/** How often a process looks for what is due, in milliseconds. */
const TICK_MS = 100;

/** How many requests may be under way. One place stays for first attempts. */
const MAX_IN_FLIGHT = 4;
const MAX_REPEATED = MAX_IN_FLIGHT - 1;

/** The pauses after attempts in a row, in milliseconds; the last one stays. */
const PAUSES_MS = [300, 600, 1200, 2400, 4800, 9600, 19_200, 30_000];

/** The pause after an answer that the wait goes on, in milliseconds: n8n loads the whole execution. */
const GATHER_PAUSE_MS = 1000;

/** How long another wait of the execution may be in the way, in milliseconds. */
const MAX_BLOCKED_MS = 2 * MINUTE_MS;

/**
 * How long a result is tried where no limit is known and n8n never says that the execution is running,
 * in milliseconds.
 */
const MAX_UNSEEN_MS = 30 * MINUTE_MS;

/** How long after its limit a wait is ended at the latest, in milliseconds. */
const END_WITHIN_MS = 3.5 * MINUTE_MS;

/** After how long n8n's log is told that results are stuck, in milliseconds. */
const LOG_AFTER_MS = MINUTE_MS;

/** Maximum size of the results in a request, in bytes: proxies often stop at 1 MB. */
const MAX_BATCH_BYTES = 256 * 1024;

/** Maximum size of what is on its way, in bytes: of one wait, and of the process. */
const MAX_WAIT_BYTES = 2 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/** What a result takes beside its text, in bytes. */
const ENTRY_BYTES = 200;

/** A result that is on its way. */
interface PendingResult extends DeliveredResult {
	readonly bytes: number;
	/** Resolves when it is taken or dropped. */
	readonly settled: Promise<void>;
	settle(): void;
}

/** A wait that results are passed on to. All times are in milliseconds since 1970. */
interface RelayedWait {
	/** Of several addresses, the one that expires last. */
	address: ResumeAddress;
	/** By body, in the order in which they came: equal ones are one. */
	readonly pending: Map<string, PendingResult>;
	bytes: number;
	/** How many attempts were made in a row, since when, and when the next one is due. */
	attempts: number;
	begunAt: number;
	nextAt: number;
	isInFlight: boolean;
	/** When n8n last said that the execution is running, or this process parked it. */
	runningAt: number;
	/** Since when another wait of the execution is in the way. */
	blockedSince?: number;
	/** When its limit passes, by the clock of this process; Infinity while that is not known. */
	limitAt: number;
	hasWarned: boolean;
}

/** Passes the results of this process on. */
export class Relay {
	/** By the id of the wait. */
	private readonly waits = new Map<string, RelayedWait>();

	/** The latest context that n8n gave, and no other: each pins its execution in memory. */
	private sender!: Sender;

	private isLooping = false;

	/** What is on its way, in bytes. */
	private bytes = 0;

	/** How many requests are under way, and how many of them are repeated attempts. */
	private inFlight = 0;
	private repeatedInFlight = 0;

	/**
	 * Passes a result on, at once and again until it is taken or nobody will ever take it.
	 *
	 * @param address signed resume address of the wait
	 * @returns resolves when it is taken or dropped; undefined if there is no room for it
	 */
	passOn(
		sender: Sender,
		address: ResumeAddress,
		delivered: DeliveredResult,
	): Promise<void> | undefined {
		const result = toPending(delivered);
		const known = this.waits.get(address.waitId);
		const same = known?.pending.get(result.body);
		if (same) return same.settled;
		if (!this.hasRoom(known, result.bytes)) return undefined;

		const wait = this.open(sender, address);
		wait.pending.set(result.body, result);
		wait.bytes += result.bytes;
		this.bytes += result.bytes;
		void this.loop();
		return result.settled;
	}

	/**
	 * Notes that n8n parks an execution of this process now: what was refused before is passed on at
	 * once, and the wait is ended when its limit passes.
	 *
	 * @param limitAt when the limit passes, in milliseconds since 1970
	 */
	noteParked(sender: Sender, address: ResumeAddress, limitAt: number): void {
		const wait = this.open(sender, address);
		const now = Date.now();
		wait.limitAt = limitAt;
		wait.runningAt = now;
		wait.blockedSince = undefined;
		scheduleFirst(wait, now);
		void this.loop();
	}

	private hasRoom(wait: RelayedWait | undefined, bytes: number): boolean {
		return this.bytes + bytes <= MAX_BYTES && bytes + (wait?.bytes ?? 0) <= MAX_WAIT_BYTES;
	}

	private open(sender: Sender, address: ResumeAddress): RelayedWait {
		this.sender = sender;
		const wait = this.waits.get(address.waitId) ?? buildWait(address);
		if (address.expiresAt > wait.address.expiresAt) wait.address = address;
		this.waits.set(address.waitId, wait);
		return wait;
	}

	/** Starts what is due, now and as long as there is a wait. */
	private async loop(): Promise<void> {
		this.startDue(Date.now());
		if (this.isLooping) return;

		this.isLooping = true;
		while (this.waits.size > 0) {
			await sleep(TICK_MS);
			this.startDue(Date.now());
		}
		this.isLooping = false;
	}

	/** Starts the requests that are due as far as there are places: first attempts, and then by time. */
	private startDue(now: number): void {
		while (this.inFlight < MAX_IN_FLIGHT) {
			const wait = this.findMostUrgent(now);
			if (!wait) return;
			void this.attempt(wait);
		}
	}

	private findMostUrgent(now: number): RelayedWait | undefined {
		const mayRepeat = this.repeatedInFlight < MAX_REPEATED;
		let found: RelayedWait | undefined;
		for (const wait of this.waits.values()) {
			const mayStart = isDue(wait, now) && (mayRepeat || isFirst(wait));
			if (mayStart && (!found || compareUrgency(wait, found) < 0)) found = wait;
		}
		return found;
	}

	/** Posts what is there for a wait; without results, to end it. */
	private async attempt(wait: RelayedWait): Promise<void> {
		const repeated = isFirst(wait) ? 0 : 1;
		this.inFlight += 1;
		this.repeatedInFlight += repeated;
		wait.isInFlight = true;
		if (isFirst(wait)) wait.begunAt = Date.now();
		const batch = getBatch(wait);
		const result = await postToOwnN8n(this.sender, wait.address.url, writeEnvelope(batch));
		wait.isInFlight = false;
		this.inFlight -= 1;
		this.repeatedInFlight -= repeated;
		this.advance(wait, batch, toDeliveryOutcome(result), Date.now());
		this.startDue(Date.now());
	}

	private advance(
		wait: RelayedWait,
		batch: readonly PendingResult[],
		outcome: DeliveryOutcome,
		now: number,
	): void {
		switch (outcome.kind) {
			case 'waiting':
				this.settle(wait, batch);
				noteAnswer(wait, 'running', now);
				wait.limitAt = now + outcome.leftMs;
				scheduleFirst(wait, now + GATHER_PAUSE_MS);
				break;
			case 'taken':
				this.settle(wait, batch);
				this.end(wait, 'the execution has gone on');
				break;
			case 'refused':
				this.end(wait, outcome.reason);
				break;
			case 'running':
			case 'blocked':
			case 'failed':
				noteAnswer(wait, outcome.kind, now);
				this.scheduleNext(wait, outcome.reason, now);
		}
	}

	/**
	 * Schedules the next attempt after one that was in vain. Drops what was tried for too long, but
	 * forgets no wait whose limit is known before that has passed.
	 */
	private scheduleNext(wait: RelayedWait, reason: string, now: number): void {
		const surrender = SURRENDERS.find(({ applies }) => applies(wait, now));
		if (surrender) this.drop(wait, surrender.select(wait, now), surrender.words ?? reason);
		// What comes later has two minutes of its own.
		if (wait.pending.size === 0) wait.blockedSince = undefined;
		const isEndable = wait.limitAt !== Infinity && now < wait.limitAt + END_WITHIN_MS;
		if (wait.pending.size === 0 && !isEndable) return this.end(wait, reason);

		if (!wait.hasWarned && now - wait.begunAt >= LOG_AFTER_MS) {
			wait.hasWarned = true;
			const where = `n8n's own public address, ${PUBLIC_ADDRESS_VARIABLE}`;
			this.warn(wait, wait.pending.size, `cannot be passed on yet to ${where} (${reason})`);
		}
		scheduleRepeated(wait, now);
	}

	/** Forgets a wait that is over; what is left of it is dropped. */
	private end(wait: RelayedWait, reason: string): void {
		this.waits.delete(wait.address.waitId);
		this.drop(wait, getPending(wait), reason);
	}

	private drop(wait: RelayedWait, results: readonly PendingResult[], reason: string): void {
		this.warn(wait, results.length, `were dropped: ${reason}`);
		this.settle(wait, results);
	}

	/** Results are taken or dropped. */
	private settle(wait: RelayedWait, results: readonly PendingResult[]): void {
		for (const result of results) {
			wait.pending.delete(result.body);
			wait.bytes -= result.bytes;
			this.bytes -= result.bytes;
			result.settle();
		}
	}

	/** Tells n8n's log what becomes of results, but never a number. */
	private warn({ address }: RelayedWait, count: number, words: string): void {
		if (count === 0) return;
		this.sender.logger.warn(
			`Yuntongxun: ${count} call result(s) for waiting execution ${getExecutionId(address)} ${words}`,
		);
	}
}

function toPending({ body, receivedAt }: DeliveredResult): PendingResult {
	let settle = () => {};
	const settled = new Promise<void>((resolve) => {
		settle = resolve;
	});
	const bytes = Buffer.byteLength(JSON.stringify(body)) + ENTRY_BYTES;
	return { body, receivedAt, bytes, settled, settle };
}

function buildWait(address: ResumeAddress): RelayedWait {
	return {
		address,
		pending: new Map(),
		bytes: 0,
		attempts: 0,
		begunAt: 0,
		nextAt: 0,
		isInFlight: false,
		runningAt: 0,
		limitAt: Infinity,
		hasWarned: false,
	};
}

/** Whether there is something to post: a result, or the end of the wait. */
function isDue({ isInFlight, limitAt, nextAt, pending }: RelayedWait, now: number): boolean {
	const isWanted = pending.size > 0 || now >= limitAt;
	return isWanted && !isInFlight && now >= nextAt;
}

/** Whether the next attempt is the first one, or the first after a good answer. */
function isFirst({ attempts }: RelayedWait): boolean {
	return attempts === 0;
}

function compareUrgency(one: RelayedWait, other: RelayedWait): number {
	const [oneRank, otherRank] = [one, other].map((wait) => (isFirst(wait) ? 0 : 1));
	return oneRank - otherRank || one.nextAt - other.nextAt;
}

/** The results for one request: the oldest, as many as fit, and at least one if there are any. */
function getBatch({ pending }: RelayedWait): PendingResult[] {
	let bytes = 0;
	const batch: PendingResult[] = [];
	for (const result of pending.values()) {
		bytes += result.bytes;
		if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
		batch.push(result);
	}
	return batch;
}

/** Notes what an answer says about the execution. */
function noteAnswer(wait: RelayedWait, says: 'running' | 'blocked' | 'failed', now: number): void {
	wait.blockedSince = says === 'blocked' ? (wait.blockedSince ?? now) : undefined;
	if (says === 'running') wait.runningAt = now;
}

/** When to give results up, which of them, and what to say unless it is what was answered last. */
interface Surrender {
	applies(wait: RelayedWait, now: number): boolean;
	select(wait: RelayedWait, now: number): PendingResult[];
	words?: string;
}

/** The first row that applies decides. */
const SURRENDERS: readonly Surrender[] = [
	{
		applies: ({ address }, now) => now >= address.expiresAt,
		select: getPending,
		words: 'the address has expired',
	},
	{
		applies: ({ blockedSince = Infinity }, now) => now - blockedSince >= MAX_BLOCKED_MS,
		select: getPending,
	},
	{
		applies: ({ limitAt }, now) => now >= limitAt + END_WITHIN_MS,
		select: getPending,
	},
	{
		applies: ({ limitAt }) => limitAt === Infinity,
		select: findUnseen,
	},
];

function getPending({ pending }: RelayedWait): PendingResult[] {
	return [...pending.values()];
}

function findUnseen(wait: RelayedWait, now: number): PendingResult[] {
	return getPending(wait).filter(
		({ receivedAt }) => now - Math.max(receivedAt, wait.runningAt) >= MAX_UNSEEN_MS,
	);
}

function scheduleFirst(wait: RelayedWait, at: number): void {
	wait.attempts = 0;
	wait.nextAt = at;
}

function scheduleRepeated(wait: RelayedWait, now: number): void {
	wait.nextAt = now + PAUSES_MS[Math.min(wait.attempts, PAUSES_MS.length - 1)];
	wait.attempts += 1;
	// At the limit the wait is ended, whatever was answered before.
	if (now < wait.limitAt && wait.limitAt <= wait.nextAt) scheduleFirst(wait, wait.limitAt);
}

/** The relay of this process. */
export const relay = new Relay();
