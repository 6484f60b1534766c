import { sleep } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { BoundedMap } from '../util/boundedMap';
import { knock } from './knock';
import type { Door, KnockOutcome } from './knock';
import type { Sender } from './ownN8n';
import { getExecutionId } from './resumeKey';
import type { ResumeKey } from './resumeKey';

/*
 * The mailbox of a process, and its knocking
 *
 * A result stays here, where the trigger received it, and nothing is kept on disk. The process knocks at
 * the waiting execution until that has gone on: n8n runs the waiting node in a process that takes
 * webhooks, the same one or another, and the node looks into the mailbox there. A knock brings nothing.
 */

/** How often a process looks where to knock, in milliseconds. */
const TICK_MS = 100;

/** How many knocks may be under way. n8n 1 can hold one back for long, so a slow one does not count. */
const MAX_KNOCKS = 4;
const SLOW_MS = 5000;

/** The pauses between knocks at an execution, in milliseconds; they double. */
const FIRST_PAUSE_MS = 300;
const LAST_PAUSE_MS = 5000;

/** How long an execution that waits on is left alone at most, in milliseconds: it may have been stopped. */
const MAX_IDLE_MS = 60 * 60_000;

/** How long knocks in vain go on, in milliseconds. */
const GIVE_UP_AFTER_MS = 30 * 60_000;

/** How much a process keeps, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What a result takes beside its text, in bytes. */
const RESULT_BYTES = 500;

/** How many waits that are over a process remembers. */
const MAX_REMEMBERED = 5000;

/** The results of a wait, and the knocking for it. Times are by {@link readClock}. */
interface Box {
	readonly key: ResumeKey;
	doors: readonly Door[];
	/** By `callSid`, in the order in which they came. */
	readonly results: Map<string, CallResult>;
	bytes: number;
	/** Whether something came since the last knock began. */
	hasNews: boolean;
	nextAt: number;
	/** Before that, news is no reason to knock. */
	restsUntil: number;
	pauseMs: number;
	/** How many knocks in a row were in vain, and since when. */
	inVain: number;
	inVainSince: number;
}

/** Milliseconds by a clock that nobody sets: a pause must not last until a clock has caught up. */
function readClock(): number {
	return performance.now();
}

/** As if the node of another process had answered, at the limit, too. */
const OTHER_PROCESS: KnockOutcome = { wait: 'unknown', reason: 'another process of n8n answered' };

const NO_RESULTS: ReadonlyMap<string, CallResult> = new Map();

/** What a process keeps of the results of calls whose executions wait. */
export class Mailbox {
	/** By the id of the wait: n8n can answer so late that the execution waits again already. */
	private readonly boxes = new Map<string, Box>();

	/** Waits that are over, and whether n8n's log says that a result came too late. */
	private readonly over = new BoundedMap<string, boolean>(MAX_REMEMBERED);

	/** The calls whose results the waits had that this process has resumed. */
	private readonly resumed = new BoundedMap<string, ReadonlySet<string>>(MAX_REMEMBERED);

	/** When the knocks that are under way began. */
	private readonly knocks = new Map<Box, number>();

	/** The latest context that n8n gave, while there is a box: each pins its execution in memory. */
	private sender?: Sender;

	/** The kind of door that has led to n8n last. */
	private favorite: Door['kind'] = 'own';

	private bytes = 0;

	private isLooping = false;

	/**
	 * Takes results of a wait, and knocks.
	 *
	 * @param doors of the n8n that they came to
	 * @returns whether there is room for them
	 */
	put(
		sender: Sender,
		doors: readonly Door[],
		key: ResumeKey,
		results: readonly CallResult[],
	): boolean {
		if (this.over.has(key.waitId)) {
			this.tellLate(sender, key, results);
			return true;
		}
		const box = this.boxes.get(key.waitId) ?? buildBox(key, doors);
		const news = results.filter((result) => isNews(box, result));
		const bytes = news.reduce((sum, result) => sum + measure(result), 0);
		if (news.length === 0) return true;
		if (this.bytes + bytes > MAX_BYTES) return false;

		this.sender = sender;
		this.boxes.set(key.waitId, box);
		this.bytes += bytes;
		takeNews(box, doors, news, bytes);
		void this.loop();
		return true;
	}

	/** The results of a wait that have come to this process, by `callSid`. */
	getResults(waitId: string): ReadonlyMap<string, CallResult> {
		return this.boxes.get(waitId)?.results ?? NO_RESULTS;
	}

	/** Whether this process resumes the execution of a wait, or has: n8n 1 lets more than one request in. */
	hasResumed(waitId: string): boolean {
		return this.resumed.has(waitId);
	}

	/** Notes that this process resumes the execution of a wait. @returns takes that back */
	noteResumed(waitId: string): () => void {
		this.resumed.set(waitId, new Set(this.getResults(waitId).keys()));
		return () => this.resumed.delete(waitId);
	}

	/** Knocks where it is due, now and as long as there is a box. */
	private async loop(): Promise<void> {
		if (this.isLooping) return;
		this.isLooping = true;
		while (this.boxes.size > 0) {
			this.knockWhereDue();
			await sleep(TICK_MS);
		}
		this.isLooping = false;
		this.sender = undefined;
	}

	private knockWhereDue(): void {
		const now = readClock();
		const quick = [...this.knocks.values()].filter((since) => now - since < SLOW_MS);
		const due = [...this.boxes.values()]
			.filter((box) => box.nextAt <= now && !this.knocks.has(box))
			.sort((one, other) => one.nextAt - other.nextAt);
		for (const box of due.slice(0, MAX_KNOCKS - quick.length)) void this.knockFor(box);
	}

	private async knockFor(box: Box): Promise<void> {
		const { sender } = this;
		if (!sender) return;
		this.knocks.set(box, readClock());
		box.hasNews = false;
		const known = box.results.size;
		const door = this.chooseDoor(box);
		const outcome = await knock(sender, door, box.key);
		this.knocks.delete(box);

		const isSeen = outcome.wait !== 'waiting' || outcome.results >= known;
		const judged = isSeen ? outcome : OTHER_PROCESS;
		if (judged.wait !== 'unknown') this.favorite = door.kind;
		this.advance(box, judged, sender);
	}

	/** The door that has led to n8n last, and after each knock in vain the next one. */
	private chooseDoor({ doors, inVain }: Box): Door {
		const favorites = doors.filter(({ kind }) => kind === this.favorite);
		const others = doors.filter(({ kind }) => kind !== this.favorite);
		return [...favorites, ...others][inVain % doors.length];
	}

	private advance(box: Box, outcome: KnockOutcome, sender: Sender): void {
		const isResumed = this.hasResumed(box.key.waitId);
		switch (outcome.wait) {
			case 'resumed':
			case 'over':
				return this.close(box, sender);
			case 'waiting':
				return noteWaiting(box, outcome.leftMs);
			case 'running':
				return isResumed ? this.close(box, sender) : rest(box);
			case 'soon':
				return rest(box);
			case 'other':
				// n8n 1 says that an execution waits a moment before it stores for what.
				return isResumed
					? this.close(box, sender)
					: this.noteVain(box, 'the execution waits for something else', sender);
			case 'unknown':
				return this.noteVain(box, outcome.reason, sender);
		}
	}

	/** Closes the box of a wait that is over. What the execution has gone on without is told. */
	private close(box: Box, sender: Sender): void {
		this.remove(box);
		this.over.set(box.key.waitId, false);
		this.tellLate(sender, box.key, [...box.results.values()]);
	}

	/** Tells n8n's log that results came too late, once a wait. Copies of what was in time are not. */
	private tellLate({ logger }: Sender, key: ResumeKey, results: readonly CallResult[]): void {
		const taken = this.resumed.get(key.waitId) ?? new Set();
		const late = results.filter(({ callEvent }) => !taken.has(callEvent.callSid));
		if (late.length === 0 || this.over.get(key.waitId) === true) return;

		this.over.set(key.waitId, true);
		logger.warn(
			`Yuntongxun: ${late.length} call result(s) came too late for execution ${getExecutionId(key)}, which no longer waits for them`,
		);
	}

	/** Notes a knock in vain. After half an hour of them the box is dropped. */
	private noteVain(box: Box, reason: string, { logger }: Sender): void {
		const now = readClock();
		if (box.inVain === 0) box.inVainSince = now;
		box.inVain += 1;
		if (now - box.inVainSince < GIVE_UP_AFTER_MS) return scheduleNext(box);

		this.remove(box);
		if (this.hasResumed(box.key.waitId)) return;
		const bases = box.doors.map(({ base }) => base).join(' and ');
		logger.warn(
			`Yuntongxun: ${box.results.size} call result(s) for waiting execution ${getExecutionId(box.key)} were dropped: for half an hour they could not be announced at ${bases} (${reason}). If n8n uses HTTP_PROXY, name the hosts of these addresses in NO_PROXY`,
		);
	}

	private remove(box: Box): void {
		this.boxes.delete(box.key.waitId);
		this.bytes -= box.bytes;
	}
}

function buildBox(key: ResumeKey, doors: readonly Door[]): Box {
	const now = readClock();
	return {
		key,
		doors,
		results: new Map(),
		bytes: 0,
		hasNews: false,
		nextAt: now,
		restsUntil: now,
		pauseMs: FIRST_PAUSE_MS,
		inVain: 0,
		inVainSince: now,
	};
}

/** Whether a result is the first of its call, or the first that says how it ended. */
function isNews({ results }: Box, result: CallResult): boolean {
	const { callSid } = result.callEvent;
	const known = results.get(callSid);
	if (callSid === '') return false;
	return known === undefined || (!saysHowItEnded(known) && saysHowItEnded(result));
}

/** Whether a result has a known action or a state. Without both it counts only at the limit. */
export function saysHowItEnded({ callEvent: { event, state } }: CallResult): boolean {
	return event !== 'other' || state !== '';
}

function measure(result: CallResult): number {
	return Buffer.byteLength(JSON.stringify(result)) + RESULT_BYTES;
}

function takeNews(
	box: Box,
	doors: readonly Door[],
	news: readonly CallResult[],
	bytes: number,
): void {
	for (const result of news) {
		if (isNews(box, result)) box.results.set(result.callEvent.callSid, result);
	}
	box.doors = doors;
	box.bytes += bytes;
	box.hasNews = true;
	const now = readClock();
	if (now >= box.restsUntil) box.pauseMs = FIRST_PAUSE_MS;
	box.nextAt = Math.min(box.nextAt, Math.max(now, box.restsUntil));
}

/** Schedules the next knock after a pause. */
function scheduleNext(box: Box): void {
	box.restsUntil = readClock() + box.pauseMs;
	box.nextAt = box.restsUntil;
	box.pauseMs = Math.min(2 * box.pauseMs, LAST_PAUSE_MS);
}

/** The same after a knock that n8n has let through. */
function rest(box: Box): void {
	box.inVain = 0;
	scheduleNext(box);
}

/** Without news there is nothing to knock for until the limit passes. */
function noteWaiting(box: Box, leftMs: number): void {
	rest(box);
	if (box.hasNews) return;
	const idleUntil = readClock() + Math.min(leftMs, MAX_IDLE_MS);
	box.nextAt = Math.max(box.restsUntil, idleUntil);
}

/** The mailbox of this process. */
export const mailbox = new Mailbox();
