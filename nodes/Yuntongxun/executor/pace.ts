import { sleep } from 'n8n-workflow';

import type { Answer, Send } from '../client/request';
import { ServiceFailure } from '../client/serviceFailure';
import { BoundedMap } from '../util/boundedMap';
import { buildHangingError } from './errors';
import { isPlanned } from './model';
import type { MessageItem, Status, TaskItem } from './model';

/** How many items are worked on at once. */
const CONCURRENCY = 10;

/** How many items to finish before yielding to the event loop. */
const YIELD_AFTER_ITEMS = 10;

/** How many unclear requests in a row show that the service hangs. */
const MAX_UNCLEAR = 10;

/** Base pauses before a request that was refused for load is sent again, in milliseconds; each varies by ±50 %. */
const PAUSES_MS = [500, 1000, 2000];

/** No try starts later than this after the first, in milliseconds. */
const RETRY_WITHIN_MS = 60_000;

/** How many nodes this process keeps a pace for: where an agent uses one, each use can have an id of its own. */
const MAX_NODES = 1000;

/** Tells all that works or pauses within a run when the run stops. */
export class StopSignal {
	/** Whether nothing more may begin. */
	isStopped = false;

	private unclearInARow = 0;

	private endPauses = () => {};

	private readonly stopped = new Promise<void>((resolve) => {
		this.endPauses = resolve;
	});

	/** @param cancelSignal aborted when a user stops the execution */
	constructor(cancelSignal?: AbortSignal) {
		if (cancelSignal?.aborted) this.stop();
		cancelSignal?.addEventListener('abort', () => this.stop(), { once: true });
	}

	/** Whether the run stopped because of too many unclear requests in a row. */
	get isServiceHanging(): boolean {
		return this.unclearInARow >= MAX_UNCLEAR;
	}

	/** Lets nothing else begin. What is in flight ends by itself. */
	stop(): void {
		this.isStopped = true;
		this.endPauses();
	}

	/**
	 * Notes how a request ended. Ten in a row that may or may not have been accepted stop the run: each
	 * more would use up a key, and wait for its whole timeout.
	 */
	noteEnd(isUnclear: boolean): void {
		if (this.isServiceHanging) return;
		this.unclearInARow = isUnclear ? this.unclearInARow + 1 : 0;
		if (this.isServiceHanging) this.stop();
	}

	/** Waits for so many milliseconds, but no longer than the run lasts. @returns whether it goes on */
	async pause(ms: number): Promise<boolean> {
		if (!this.isStopped && ms > 0) await Promise.race([sleep(ms), this.stopped]);
		return !this.isStopped;
	}
}

/** What all items of a run share. */
export interface RunTools {
	/** Whether to carry on with the other items when one fails. */
	readonly continues: boolean;
	readonly stop: StopSignal;
	/** @param timeout milliseconds that a request may take */
	getClient(timeout: number): Send;
}

/** When the next request of a node may start, by a clock that nobody sets. */
const nextStarts = new BoundedMap<string, number>(MAX_NODES);

/** Spaces the starts of a node's requests, over all its runs in this process. */
export class Pace {
	/** Milliseconds from one start to the next. */
	private readonly spacing: number;

	/**
	 * @param node names the node
	 * @param perSecond starts a second; 0 for no limit
	 */
	constructor(
		private readonly node: string,
		perSecond: number,
		private readonly stop: StopSignal,
	) {
		this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
	}

	/**
	 * Books the next start of the node, and waits for it.
	 *
	 * @param pauseMs how long nothing of the node starts from now, because the service is overloaded
	 * @returns whether it starts now: it does not if the run stops first
	 */
	async start(pauseMs = 0): Promise<boolean> {
		const now = performance.now();
		const at = Math.max(nextStarts.get(this.node) ?? 0, now + pauseMs);
		nextStarts.set(this.node, at + this.spacing);
		return await this.stop.pause(at - now);
	}
}

/**
 * Works on the items of a run, until the run stops, and writes what became of them. Never rejects.
 *
 * @param work never rejects
 */
export async function workUntilStopped<Each extends TaskItem | MessageItem>(
	items: readonly Each[],
	{ continues, stop }: Pick<RunTools, 'continues' | 'stop'>,
	work: (item: Each) => Promise<Status>,
): Promise<void> {
	const left = items.values();
	let done = 0;
	const worker = async () => {
		for (const item of left) {
			if (stop.isStopped) return;
			item.status = await work(item);
			if (!continues && item.status.state === 'failed') stop.stop();
			done += 1;
			// Some await no I/O, so yield. After the work, to keep the start order.
			if (done % YIELD_AFTER_ITEMS === 0) await sleep(0);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));

	if (!continues || !stop.isServiceHanging) return;
	for (const item of items.filter(isPlanned)) {
		item.status = { state: 'failed', error: buildHangingError(), accepted: 'no' };
	}
}

/**
 * Sends, and again after a pause, only if the service certainly rejected it because of load.
 *
 * @param startAgain waits for so many milliseconds and for the start of a further try; false if there
 * is none
 * @throws what the last try throws
 */
export async function sendUntilTaken(
	send: () => Promise<Answer>,
	stop: StopSignal,
	startAgain: (pauseMs: number) => Promise<boolean>,
): Promise<Answer> {
	const deadline = Date.now() + RETRY_WITHIN_MS;
	const sendAgain = async (pauses: readonly number[]): Promise<Answer> => {
		const answer = await send().catch(async (error: unknown) => {
			const facts = error instanceof ServiceFailure ? error.facts : undefined;
			stop.noteEnd(facts?.accepted === 'unknown');
			if (!facts?.overload || pauses.length === 0) throw error;

			const [pause, ...later] = pauses;
			const isStarted = await startAgain(pause * (0.5 + Math.random()));
			if (!isStarted || Date.now() > deadline) throw error;
			return await sendAgain(later);
		});
		stop.noteEnd(false);
		return answer;
	};
	return await sendAgain(PAUSES_MS);
}
