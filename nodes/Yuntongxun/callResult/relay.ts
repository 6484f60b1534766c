import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { dropOldest } from './dropOldest';
import { CONSEQUENCES, EXPIRED, gather, newGathering, nextHandOver } from './gathering';
import type { Consequence, Gathering } from './gathering';
import { handOver, handOverBodies } from './handOver';
import type { KeptResult } from './handOver';
import { localWait } from './localWaits';
import { parseNotification } from './notification';
import type { Notification } from './notification';
import { waitKeyOf } from './resultAddress';
import { expiryOf } from './signedUrl';
import { keepLive, storedText } from './staticText';

/*
 * The way of a result, from the call to the item
 *
 *   call placed ─ respUrl: address of a trigger, carrying the signed resume address ─▶ service
 *   service ─ result ─▶ trigger: kept in n8n's database, then acknowledged through n8n
 *   relay ─ all results of one wait so far ─▶ resume address ─▶ waiting node
 *   waiting node ─ decides ─▶ parked still (and says what is missing), or on, once
 *
 * 1. `resultDelivery.ts` asks `triggerUrls.ts` for the trigger of the workflow and signs two
 *    addresses (`resultAddress.ts`, `signedUrl.ts`): the outer one is the trigger's, the inner one
 *    resumes this execution, at a path of ours and for this wait only.
 * 2. `waitingRun.ts` notes the calls that the service accepted. When all items have run it parks
 *    the execution, with the calls as its input: what n8n goes on with if no result comes.
 * 3. The result reaches the trigger (`triggerWebhook.ts`). This file gathers the results of each
 *    wait. n8n saves them with its answer, so that a crash loses nothing that was acknowledged.
 * 4. `gathering.ts` says when to hand over, and what follows from each answer. n8n takes a result
 *    only for an execution that it has parked, which takes up to half a minute in a burst.
 * 5. `waitingWebhook.ts` adds up what it is given, from one relay or from those of several
 *    processes, and `waitDecision.ts` decides. If the wait is over, the execution goes on. If not,
 *    the answer tells the relay what is missing and when the limit passes.
 * 6. When the limit passes, the relay hands over what it has. n8n's own timer ends a wait that no
 *    relay ends, a minute later.
 *
 * Without a relay, one call can wait: its `respUrl` is the resume address, and steps 3 and 4 are
 * left out.
 */

/** Where the static data of a workflow keeps what a trigger has gathered; its id follows. */
const STORE = 'yuntongxunRelay:';

/** How often the relay looks whether something is due, in milliseconds. */
const TICK_MS = 100;

/** Attempts under way at the same time, in one process; slow ones have a place of their own. */
const MOST_UNDER_WAY = 4;
const MOST_SLOW = 2;

/** Bytes of results that one trigger keeps; more are refused, for the service to send again. */
const MOST_BYTES = 32 * 1024 * 1024;

/** n8n that has just started first goes on by itself with executions whose limit has passed. */
const START_UP_MS = 5000;

/** Waits that are over and still remembered, so that late results end here. */
const MOST_ENDED = 10_000;

type AnyContext = IWebhookFunctions | IHookFunctions | IExecuteFunctions;

/** What is needed to hand over, after the webhook that brought a result has ended. */
type Sender = Pick<IWebhookFunctions, 'helpers' | 'logger'>;

const underWay = { quick: 0, slow: 0 };

/** Gathers results for waiting executions, and hands them over. One for each trigger. */
export class Relay {
	private static readonly all = new Map<string, Relay>();

	private readonly gatherings = new Map<string, Gathering>();

	private readonly ended = new Set<string>();

	private bytes = 0;

	/** Counts the results, and those of them that are in the database. */
	private gathered = 0;

	private saved = 0;

	/** The text that was read from or written to the database last. */
	private text = '';

	private saving?: Promise<void>;

	private isTicking = false;

	private constructor(private sender: Sender) {}

	/** The relay of a trigger, with what it had gathered before n8n started. */
	static of(context: IWebhookFunctions | IHookFunctions): Relay {
		const name = nameOf(context);
		const known = Relay.all.get(name);
		const relay = known ?? new Relay(context as Sender);
		Relay.all.set(name, relay);
		relay.sender = context as Sender;
		const text = storedText(context.getWorkflowStaticData('global'), storeOf(context));
		relay.learn(text, Date.now() + (known ? 0 : START_UP_MS));
		return relay;
	}

	/** Has n8n write what the relay of a trigger keeps; does nothing without one in this process. */
	static keep(context: AnyContext): void {
		Relay.all.get(nameOf(context))?.write(context);
	}

	/** Whether one more result can be kept. */
	hasRoom(): boolean {
		return this.bytes < MOST_BYTES;
	}

	/**
	 * Takes a result. Once this resolves, and n8n has answered the delivery, it is in n8n's
	 * database.
	 *
	 * @param address signed resume address of the wait
	 */
	async take(
		context: IWebhookFunctions,
		address: string,
		notification: Notification,
		body: string,
	): Promise<void> {
		const now = Date.now();
		if (this.ended.has(waitKeyOf(address))) return;
		this.add(this.gatheringFor(address, now), notification, [now, body]);
		await this.save(context);
	}

	private gatheringFor(address: string, since: number): Gathering {
		const key = waitKeyOf(address);
		const gathering = this.gatherings.get(key) ?? newGathering(address, since);
		if (expiryOf(address) > expiryOf(gathering.address)) gathering.address = address;
		this.gatherings.set(key, gathering);
		return gathering;
	}

	private add(gathering: Gathering, notification: Notification, result: KeptResult): void {
		if (!gather(gathering, notification, result)) return;
		this.bytes += result[1].length;
		this.gathered++;
		void this.tick();
	}

	/** Adds what is in the database: gathered before the last start, or by another process. */
	private learn(text: string, since: number): void {
		if (text === this.text || text === '') return;
		this.text = text;
		const now = Date.now();
		for (const [address, results] of gatheringsIn(text)) {
			if (this.ended.has(waitKeyOf(address)) || now >= expiryOf(address)) continue;
			const gathering = this.gatheringFor(address, since);
			for (const [key, result] of results) {
				if (gathering.results.has(key)) continue;
				const notification = parseNotification(Buffer.from(result[1]));
				if (notification) this.add(gathering, notification, result);
			}
		}
	}

	/**
	 * Waits until what was gathered so far is written, or lets this delivery write it: n8n saves
	 * static data with its answer to a delivery. One delivery writes for all that come meanwhile.
	 */
	private async save(context: IWebhookFunctions): Promise<void> {
		const own = this.gathered;
		while (this.saving !== undefined && this.saved < own) await this.saving;
		if (this.saved >= own) return;
		const writtenBy = this.write(context);
		const saving = answered(context).then((isAnswered) => {
			if (isAnswered) this.saved = Math.max(this.saved, writtenBy());
			this.saving = undefined;
		});
		this.saving = saving;
	}

	/** Has n8n write all that is gathered by then. @returns tells how much that was, afterwards */
	private write(context: AnyContext): () => number {
		let written = 0;
		keepLive(context.getWorkflowStaticData('global'), storeOf(context), () => {
			written = this.gathered;
			this.text = JSON.stringify(
				[...this.gatherings.values()].map(({ address, results }) => [address, [...results]]),
			);
			return this.text;
		});
		return () => written;
	}

	/** Looks what is due, as long as there is something to hand over. */
	private async tick(): Promise<void> {
		if (this.isTicking) return;
		this.isTicking = true;
		try {
			while (this.gatherings.size > 0) {
				for (const [key, gathering] of this.gatherings) this.handOverIfDue(key, gathering);
				await sleep(TICK_MS);
			}
		} finally {
			this.isTicking = false;
		}
	}

	private handOverIfDue(key: string, gathering: Gathering): void {
		const { isUnderWay, isSlow, address } = gathering;
		if (isUnderWay) return;
		const now = Date.now();
		if (now >= expiryOf(address)) {
			this.follow(key, gathering, EXPIRED);
			return;
		}
		const lane = isSlow ? 'slow' : 'quick';
		if (underWay[lane] >= (isSlow ? MOST_SLOW : MOST_UNDER_WAY)) return;
		const around = { local: localWait(key), gatherings: this.gatherings.size };
		if (now < nextHandOver(gathering, around)) return;
		gathering.isUnderWay = true;
		underWay[lane]++;
		void this.handOver(key, gathering).finally(() => {
			gathering.isUnderWay = false;
			underWay[lane]--;
		});
	}

	/** Hands over all results of a wait. Never rejects. */
	private async handOver(key: string, gathering: Gathering): Promise<void> {
		const begun = Date.now();
		const bodies = handOverBodies([...gathering.results.values()]);
		gathering.news = { any: false, answered: false };
		for (const body of bodies) {
			const { end, standing, detail } = await handOver(this.sender, gathering.address, body);
			const at = Date.now();
			gathering.attempts++;
			gathering.last = { at, took: at - begun };
			gathering.isSlow = end === 'noAnswer';
			if (standing !== undefined && gathering.standing === undefined) gathering.attempts = 0;
			if (standing === undefined && gathering.standing !== undefined) gathering.since = at;
			gathering.standing = standing;
			this.follow(key, gathering, CONSEQUENCES[end], detail);
			if (standing === undefined) return;
		}
	}

	private follow(key: string, gathering: Gathering, { isOver, log }: Consequence, detail = '') {
		if (log && gathering.complaint !== log[1]) {
			gathering.complaint = log[1];
			const calls = [detail, ...gathering.results.keys()].filter((part) => part !== '');
			this.sender.logger[log[0]](
				`Yuntongxun: a call result of execution ${executionIn(key)} ${log[1]} (${calls.join(', ')})`,
			);
		}
		if (!isOver) return;
		this.gatherings.delete(key);
		for (const [, body] of gathering.results.values()) this.bytes -= body.length;
		this.ended.add(key);
		dropOldest(this.ended, MOST_ENDED);
	}
}

/** Resolves when n8n has answered a delivery, and so has saved; false if the caller left before. */
async function answered(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	// While others saved the caller may have lost patience, and no event would come any more.
	if (response.closed) return false;
	return await new Promise((resolve) => {
		response.once('finish', () => resolve(true));
		response.once('close', () => resolve(false));
	});
}

/** The waits and results in a text that a relay wrote. */
function gatheringsIn(
	text: string,
): Array<[address: string, results: Array<[string, KeptResult]>]> {
	try {
		return JSON.parse(text) as ReturnType<typeof gatheringsIn>;
	} catch {
		return [];
	}
}

/** The number of the execution that a resume address belongs to. */
function executionIn(address: string): string {
	return /([^/]+)\/[^/?]*(?:\?|$)/.exec(address)?.[1] ?? '';
}

const nameOf = (context: AnyContext) => `${context.getWorkflow().id}/${context.getNode().id}`;
const storeOf = (context: AnyContext) => `${STORE}${context.getNode().id}`;
