import { sleep } from 'n8n-workflow';

import { getExecutionId } from '../../callbacks/callbackUrl';
import { writeEnvelope } from '../../callbacks/envelope';
import type { DeliveredResult } from '../../callbacks/envelope';
import { PUBLIC_ADDRESS_VARIABLE } from '../../callbacks/resultUrlHints';
import { BoundedMap } from '../../util/boundedMap';
import { postToOwnN8n } from '../post/ownN8n';
import type { Sender } from '../post/ownN8n';
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

/** Maximum size of one result, in bytes: of a larger request the waiting node reads nothing. */
const MAX_RESULT_BYTES = 384 * 1024;

/** Maximum size of what is on its way, in bytes: of one wait, and of the process. */
const MAX_WAIT_BYTES = 2 * 1024 * 1024;
const MAX_RELAYED_BYTES = 64 * 1024 * 1024;

/** What a result takes beside its text, in bytes. */
const ENTRY_BYTES = 200;

/** A result that is on its way. */
interface PendingResult extends DeliveredResult {
	readonly bytes: number;
	/** When it came, by {@link readClock}. */
	readonly arrivedAt: number;
	/** Resolves when it is taken or dropped. */
	readonly settled: Promise<void>;
	settle(): void;
}

/** A wait that results are passed on to. All times but the limit's are by {@link readClock}. */
interface RelayedWait {
	/** Its resume address, which makes it that wait and no other. */
	readonly url: string;
	/** By body, in the order in which they came: equal ones are one. */
	readonly pending: Map<string, PendingResult>;
	bytes: number;
	/** How many attempts were made in a row, and when the next one is due. */
	attempts: number;
	nextAt: number;
	/** When n8n last said that the execution is running, or this process parked it. */
	runningAt: number;
	/** Since when another wait of the execution is in the way. */
	blockedSince?: number;
	/** When its limit passes, in milliseconds since 1970; Infinity while that is not known. */
	limitAt: number;
	/** How many results fit into a request. */
	maxBatch: number;
	hasWarned: boolean;
}

/** Milliseconds by a clock that nobody sets: a pause must not last until a clock has caught up. */
function readClock(): number {
	return performance.now();
}

/** How many waits that are over a process remembers, so that copies of their results are not news. */
const MAX_ENDED = 10_000;

/** Passes the results of this process on. */
export class Relay {
	/** By resume address. */
	private readonly waits = new Map<string, RelayedWait>();

	/** Waits that are over. */
	private readonly ended = new BoundedMap<string, true>(MAX_ENDED);

	/** The latest context that n8n gave, while there is a wait: each pins its execution in memory. */
	private sender?: Sender;

	private isLooping = false;

	/** What is on its way, in bytes. */
	private bytes = 0;

	/** Whose requests are under way, and whether that is a first attempt. */
	private readonly inFlight = new Map<RelayedWait, boolean>();

	/**
	 * Passes a result on, at once and again until it is taken or nobody will ever take it.
	 *
	 * @param url resume address of the wait
	 * @returns resolves when it is taken or dropped; undefined if there is no room for it
	 */
	passOn(sender: Sender, url: string, delivered: DeliveredResult): Promise<void> | undefined {
		const result = toPending(delivered);
		const known = this.waits.get(url);
		const same = known?.pending.get(result.body);
		if (same) return same.settled;
		if (!this.hasRoom(known, result.bytes)) return undefined;

		const wait = this.open(sender, url);
		wait.pending.set(result.body, result);
		scheduleSoon(wait);
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
	noteParked(sender: Sender, url: string, limitAt: number): void {
		const wait = this.open(sender, url);
		wait.limitAt = limitAt;
		wait.runningAt = readClock();
		wait.blockedSince = undefined;
		scheduleFirst(wait, wait.runningAt);
		void this.loop();
	}

	private hasRoom(wait: RelayedWait | undefined, bytes: number): boolean {
		const ofWait = bytes + (wait?.bytes ?? 0);
		return (
			bytes <= MAX_RESULT_BYTES &&
			ofWait <= MAX_WAIT_BYTES &&
			this.bytes + bytes <= MAX_RELAYED_BYTES
		);
	}

	private open(sender: Sender, url: string): RelayedWait {
		this.sender = sender;
		const wait = this.waits.get(url) ?? buildWait(url);
		this.waits.set(url, wait);
		return wait;
	}

	/** Starts what is due, now and as long as there is a wait. */
	private async loop(): Promise<void> {
		this.startDue();
		if (this.isLooping) return;

		this.isLooping = true;
		while (this.waits.size > 0) {
			await sleep(TICK_MS);
			this.startDue();
		}
		this.isLooping = false;
	}

	/** Starts the requests that are due as far as there are places: first attempts, and then by time. */
	private startDue(): void {
		while (this.sender && this.inFlight.size < MAX_IN_FLIGHT) {
			const wait = this.findMostUrgent();
			if (!wait) return;
			void this.attempt(this.sender, wait);
		}
	}

	private findMostUrgent(): RelayedWait | undefined {
		const repeated = [...this.inFlight.values()].filter((isFirstAttempt) => !isFirstAttempt);
		const mayRepeat = repeated.length < MAX_REPEATED;
		let found: RelayedWait | undefined;
		for (const wait of this.waits.values()) {
			const mayStart = !this.inFlight.has(wait) && (mayRepeat || isFirst(wait));
			if (!mayStart || !isDue(wait)) continue;
			if (!found || compareUrgency(wait, found) < 0) found = wait;
		}
		return found;
	}

	/** Posts what is there for a wait; without results, to end it. */
	private async attempt(sender: Sender, wait: RelayedWait): Promise<void> {
		this.inFlight.set(wait, isFirst(wait));
		const batch = getBatch(wait);
		const result = await postToOwnN8n(sender, wait.url, writeEnvelope(batch));
		this.inFlight.delete(wait);
		this.advance(wait, batch, toDeliveryOutcome(result));
		this.startDue();
	}

	private advance(
		wait: RelayedWait,
		batch: readonly PendingResult[],
		outcome: DeliveryOutcome,
	): void {
		const now = readClock();
		noteAnswer(wait, outcome, now);
		switch (outcome.kind) {
			case 'waiting':
				this.settle(wait, batch);
				wait.limitAt = Date.now() + outcome.leftMs;
				return scheduleFirst(wait, now + GATHER_PAUSE_MS);
			case 'taken':
				this.settle(wait, batch);
				return this.end(wait, 'the execution has gone on');
			case 'refused':
				return this.end(wait, outcome.reason);
			case 'tooLarge':
				if (batch.length === 1) this.drop(wait, batch, outcome.reason);
				else wait.maxBatch = Math.max(1, Math.floor(batch.length / 2));
				return this.scheduleNext(wait, outcome.reason);
			case 'running':
			case 'blocked':
			case 'failed':
				return this.scheduleNext(wait, outcome.reason);
		}
	}

	/**
	 * Schedules the next attempt after one that was in vain. Drops what was tried for too long, but
	 * forgets no wait whose limit is known before that has passed.
	 */
	private scheduleNext(wait: RelayedWait, reason: string): void {
		const givenUp = getPending(wait).filter((result) => isGivenUp(wait, result));
		this.drop(wait, givenUp, reason);
		// What comes later has two minutes of its own.
		if (wait.pending.size === 0) wait.blockedSince = undefined;
		const isEndable = wait.limitAt !== Infinity && Date.now() < wait.limitAt + END_WITHIN_MS;
		if (wait.pending.size === 0 && !isEndable) return this.end(wait, reason);

		const [oldest] = wait.pending.values();
		if (!wait.hasWarned && oldest && readClock() - oldest.arrivedAt >= LOG_AFTER_MS) {
			wait.hasWarned = true;
			const where = `n8n's own public address, ${PUBLIC_ADDRESS_VARIABLE}`;
			this.log(wait, wait.pending.size, `cannot be passed on yet to ${where} (${reason})`);
		}
		scheduleRepeated(wait);
	}

	/** Forgets a wait that is over; what is left of it is dropped. */
	private end(wait: RelayedWait, reason: string): void {
		this.drop(wait, getPending(wait), reason);
		this.waits.delete(wait.url);
		this.ended.set(wait.url, true);
		if (this.waits.size === 0) this.sender = undefined;
	}

	private drop(wait: RelayedWait, results: readonly PendingResult[], reason: string): void {
		const level = this.ended.has(wait.url) ? 'debug' : 'warn';
		this.log(wait, results.length, `were dropped: ${reason}`, level);
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
	private log(
		{ url }: RelayedWait,
		count: number,
		words: string,
		level: 'warn' | 'debug' = 'warn',
	): void {
		if (count === 0) return;
		this.sender?.logger[level](
			`Yuntongxun: ${count} call result(s) for waiting execution ${getExecutionId(url)} ${words}`,
		);
	}
}

function toPending({ body, receivedAt }: DeliveredResult): PendingResult {
	let settle = () => {};
	const settled = new Promise<void>((resolve) => {
		settle = resolve;
	});
	const bytes = Buffer.byteLength(JSON.stringify(body)) + ENTRY_BYTES;
	const arrivedAt = readClock();
	return { body, receivedAt, bytes, arrivedAt, settled, settle };
}

function buildWait(url: string): RelayedWait {
	return {
		url,
		pending: new Map(),
		bytes: 0,
		attempts: 0,
		nextAt: readClock(),
		runningAt: -Infinity,
		limitAt: Infinity,
		maxBatch: Infinity,
		hasWarned: false,
	};
}

/** Whether there is something to post: a result, or the end of the wait. */
function isDue({ nextAt, pending, limitAt }: RelayedWait): boolean {
	return readClock() >= nextAt && (pending.size > 0 || Date.now() >= limitAt);
}

/** Whether the next attempt is the first one, or the first after a good answer. */
function isFirst({ attempts }: RelayedWait): boolean {
	return attempts === 0;
}

function compareUrgency(one: RelayedWait, other: RelayedWait): number {
	return Number(isFirst(other)) - Number(isFirst(one)) || one.nextAt - other.nextAt;
}

/** Notes what an answer says about the execution. */
function noteAnswer(wait: RelayedWait, { kind }: DeliveryOutcome, now: number): void {
	if (kind === 'waiting' || kind === 'running') wait.runningAt = now;
	wait.blockedSince = kind === 'blocked' ? (wait.blockedSince ?? now) : undefined;
}

/** The results for one request: the oldest, as many as fit, and at least one if there are any. */
function getBatch(wait: RelayedWait): PendingResult[] {
	let bytes = 0;
	return getPending(wait).filter((result, position) => {
		bytes += result.bytes;
		return position === 0 || (position < wait.maxBatch && bytes <= MAX_BATCH_BYTES);
	});
}

/** Whether a result was tried for too long. */
function isGivenUp(wait: RelayedWait, { arrivedAt }: PendingResult): boolean {
	const { limitAt, runningAt, blockedSince = Infinity } = wait;
	const now = readClock();
	if (now - blockedSince >= MAX_BLOCKED_MS) return true;
	return limitAt === Infinity
		? now - Math.max(arrivedAt, runningAt) >= MAX_UNSEEN_MS
		: Date.now() >= limitAt + END_WITHIN_MS;
}

function getPending({ pending }: RelayedWait): PendingResult[] {
	return [...pending.values()];
}

function scheduleFirst(wait: RelayedWait, at: number): void {
	wait.attempts = 0;
	wait.nextAt = at;
}

/** Something is new, so a long pause becomes the first one: another process may have parked by now. */
function scheduleSoon(wait: RelayedWait): void {
	if (isFirst(wait)) return;
	wait.attempts = 1;
	wait.nextAt = Math.min(wait.nextAt, readClock() + PAUSES_MS[0]);
}

function scheduleRepeated(wait: RelayedWait): void {
	const pause = PAUSES_MS[Math.min(wait.attempts, PAUSES_MS.length - 1)];
	const leftMs = wait.limitAt - Date.now();
	wait.attempts += 1;
	wait.nextAt = readClock() + pause;
	// At the limit the wait is ended, whatever was answered before.
	if (leftMs > 0 && leftMs <= pause) scheduleFirst(wait, readClock() + leftMs);
}

/** The relay of this process. */
export const relay = new Relay();
