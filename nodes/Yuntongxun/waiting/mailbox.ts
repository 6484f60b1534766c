import { sleep } from 'n8n-workflow';

import type { CallResult } from '../callbacks/notification';
import { BoundedMap } from '../util/boundedMap';
import { Box } from './box';
import { knock } from './knock';
import type { KnockOutcome, Sender } from './knock';
import { getExecutionId } from './resumeKey';
import type { ResumeKey } from './resumeKey';

/*
 * The mailbox of a process, and its knocking
 *
 * A result stays here, where the trigger received it, and nothing is kept on disk. The process knocks at
 * the waiting execution until it goes on: n8n runs the waiting node in a process that takes
 * webhooks, the same one or another, and the node looks into the mailbox there. A knock brings nothing.
 */

/** How often a process looks where to knock, in milliseconds. */
const TICK_MS = 100;

/** How many knocks may be under way. n8n 1 can hold one back for long, so a slow one does not count. */
const MAX_KNOCKS = 4;
const SLOW_MS = 5000;

/** How long knocks are in vain until n8n's log says so, and until they end, in milliseconds. */
const TELL_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 30 * 60_000;

/** How much a process keeps, and what a result takes beside its text, in bytes. */
const MAX_MAILBOX_BYTES = 64 * 1024 * 1024;
const RESULT_BYTES = 500;

const MAX_ENDED = 5000;

const NO_RESULTS: ReadonlyMap<string, CallResult> = new Map();

/** What a process keeps of the results of calls whose executions wait. */
export class Mailbox {
	/** By the id of the wait: n8n can answer so late that the execution waits again already. */
	private readonly boxes = new Map<string, Box>();

	/**
	 * Waits that this process has ended, or knows to be over. For each, the calls whose results the execution got,
	 * or n8n's log reported as too late.
	 */
	private readonly ended = new BoundedMap<string, ReadonlySet<string>>(MAX_ENDED);

	/** When the knocks that are under way began. */
	private readonly knocks = new Map<Box, number>();

	/** The latest context that n8n gave, while there is a box: each pins its execution in memory. */
	private sender?: Sender;

	private bytes = 0;

	private isLooping = false;

	/**
	 * Takes results of a wait, and knocks.
	 *
	 * @param doors of the n8n that they came to
	 * @returns whether there is room for all of them
	 */
	put(
		sender: Sender,
		doors: readonly string[],
		key: ResumeKey,
		results: readonly CallResult[],
	): boolean {
		const box = this.boxes.get(key.waitId) ?? new Box(key, doors);
		// n8n's address can change while a wait lasts. The socket has none once its client has hung up.
		if (doors.length >= box.doors.length) box.doors = doors;
		for (const result of results) {
			if (!box.isNews(result)) continue;
			const bytes = Buffer.byteLength(JSON.stringify(result)) + RESULT_BYTES;
			if (this.bytes + bytes > MAX_MAILBOX_BYTES) return false;

			this.bytes += bytes;
			box.take(result, bytes);
			this.boxes.set(key.waitId, box);
			this.sender = sender;
			void this.loop();
		}
		return true;
	}

	/** The results of a wait that have come to this process, by `callSid`. */
	getResults(waitId: string): ReadonlyMap<string, CallResult> {
		return this.boxes.get(waitId)?.results ?? NO_RESULTS;
	}

	/** Whether a wait is over, or this process ends it right now: n8n 1 lets more than one request in. */
	hasEnded(waitId: string): boolean {
		return this.ended.has(waitId);
	}

	/** Notes that this process resumes the execution of a wait. @returns takes that back */
	noteEnded(waitId: string): () => void {
		this.ended.set(waitId, new Set(this.getResults(waitId).keys()));
		return () => this.ended.delete(waitId);
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
		const now = performance.now();
		const quick = [...this.knocks.values()].filter((since) => now - since < SLOW_MS);
		const due = [...this.boxes.values()]
			.filter((box) => box.nextAt <= now && !this.knocks.has(box))
			.sort((one, other) => one.nextAt - other.nextAt);
		for (const box of due.slice(0, MAX_KNOCKS - quick.length)) void this.knockFor(box);
	}

	private async knockFor(box: Box): Promise<void> {
		const { sender } = this;
		if (!sender) return;
		this.knocks.set(box, performance.now());
		const known = box.results.size;
		box.beginKnock();
		const outcome = await knock(sender, box.door, box.key);
		this.knocks.delete(box);
		this.advance(box, outcome, known, sender);
	}

	/** @param known how many results there were when the knock began */
	private advance(box: Box, outcome: KnockOutcome, known: number, sender: Sender): void {
		const hasEnded = this.hasEnded(box.key.waitId);
		switch (outcome.wait) {
			case 'resumed':
			case 'over':
				return this.close(box, sender);
			case 'waiting':
				return outcome.results < known
					? this.noteVain(box, 'another process of n8n answered', sender)
					: box.restUntilLimit(outcome.leftMs);
			case 'running':
				return hasEnded ? this.close(box, sender) : box.rest();
			case 'soon':
				return box.rest();
			case 'other':
				// n8n 1 reports an execution as waiting shortly before it stores the wait.
				return hasEnded
					? this.close(box, sender)
					: this.noteVain(box, 'the execution waits for something else', sender);
			case 'unknown':
				return this.noteVain(box, outcome.reason, sender);
		}
	}

	/** Closes the box of a wait that is over. Results that came too late are logged, once for each call. */
	private close(box: Box, { logger }: Sender): void {
		const { key, results } = box;
		this.remove(box);
		const told = this.ended.get(key.waitId) ?? new Set();
		this.ended.set(key.waitId, new Set([...told, ...results.keys()]));
		const late = [...results.keys()].filter((callSid) => !told.has(callSid));
		if (late.length === 0) return;

		logger.warn(
			`Yuntongxun: ${late.length} call result(s) came too late for execution ${getExecutionId(key)}, which no longer waits for them`,
		);
	}

	/** Notes a knock in vain. After a minute of them n8n's log says so, after half an hour the box is dropped. */
	private noteVain(box: Box, reason: string, { logger }: Sender): void {
		const vainMs = box.restInVain();
		const isDropped = vainMs >= GIVE_UP_AFTER_MS;
		if (isDropped) this.remove(box);
		const isDue = isDropped || (vainMs >= TELL_AFTER_MS && !box.isTold);
		if (!isDue || this.hasEnded(box.key.waitId)) return;

		box.isTold = true;
		const what = isDropped
			? 'were dropped: for half an hour they could not be announced'
			: 'cannot be announced';
		logger.warn(
			`Yuntongxun: ${box.results.size} call result(s) for waiting execution ${getExecutionId(box.key)} ${what} at ${box.doors.join(' and ')} (${reason}). If n8n uses HTTP_PROXY, name the hosts of these addresses in NO_PROXY; if it has SSRF protection, let it allow them; if it has a certificate of its own, let it trust it (NODE_EXTRA_CA_CERTS)`,
		);
	}

	private remove(box: Box): void {
		this.boxes.delete(box.key.waitId);
		this.bytes -= box.bytes;
	}
}

/** The mailbox of this process. */
export const mailbox = new Mailbox();
