import { sleep } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { BoundedMap } from '../util/boundedMap';
import { Box, measure, readClock } from './box';
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

/** How much a process keeps, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** How many waits that are over a process remembers. */
const MAX_REMEMBERED = 5000;

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
		const box = this.boxes.get(key.waitId) ?? new Box(key, doors);
		const news = box.findNews(results);
		const bytes = measure(news);
		if (news.length === 0) return true;
		if (this.bytes + bytes > MAX_BYTES) return false;

		this.sender = sender;
		this.boxes.set(key.waitId, box);
		this.bytes += bytes;
		box.doors = doors;
		box.take(news);
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
		const known = box.results.size;
		const door = box.beginKnock(this.favorite);
		const outcome = await knock(sender, door, box.key);
		this.knocks.delete(box);

		const isSeen = outcome.wait !== 'waiting' || outcome.results >= known;
		const judged = isSeen ? outcome : OTHER_PROCESS;
		if (judged.wait !== 'unknown') this.favorite = door.kind;
		this.advance(box, judged, sender);
	}

	private advance(box: Box, outcome: KnockOutcome, sender: Sender): void {
		const isResumed = this.hasResumed(box.key.waitId);
		switch (outcome.wait) {
			case 'resumed':
			case 'over':
				return this.close(box, sender);
			case 'waiting':
				return box.restUntilLimit(outcome.leftMs);
			case 'running':
				return isResumed ? this.close(box, sender) : box.rest();
			case 'soon':
				return box.rest();
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

	/** Notes a knock in vain. After a minute of them n8n's log says so, after half an hour the box is dropped. */
	private noteVain(box: Box, reason: string, { logger }: Sender): void {
		const due = box.restInVain();
		if (due === 'nothing') return;
		if (due === 'giveUp') this.remove(box);
		if (this.hasResumed(box.key.waitId)) return;

		const bases = box.doors.map(({ base }) => base).join(' and ');
		const what =
			due === 'tell'
				? 'cannot be announced'
				: 'were dropped: for half an hour they could not be announced';
		logger.warn(
			`Yuntongxun: ${box.results.size} call result(s) for waiting execution ${getExecutionId(box.key)} ${what} at ${bases} (${reason}). If n8n uses HTTP_PROXY, name the hosts of these addresses in NO_PROXY; if it has SSRF protection, let it allow them`,
		);
	}

	private remove(box: Box): void {
		this.boxes.delete(box.key.waitId);
		this.bytes -= box.bytes;
	}
}

/** The mailbox of this process. */
export const mailbox = new Mailbox();
