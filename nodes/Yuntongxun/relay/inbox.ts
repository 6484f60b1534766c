import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { correlationIdOf } from '../callbacks/callbackUrl';
import { responseFinished } from '../callbacks/webhook';
import { aggregateOf, keep } from './deliveries';
import type { Sender } from './protocol';

/*
 * The way of a result, from the call to the item
 *
 *   call placed ─ respUrl: address of a trigger, carrying the signed resume address ─▶ service
 *   service ─ result ─▶ trigger: kept in n8n's database, then acknowledged through n8n
 *   relay ─ all results of one wait ─▶ resume address ─▶ waiting node
 *   waiting node ─ completion condition ─▶ parked still (and says what is missing), or on, once
 *
 * 1. `resultDelivery.ts` asks `trigger/activeTriggers.ts` for the trigger of the workflow and signs
 *    two addresses (`callbacks/`): the outer one is the trigger's, the inner one resumes this
 *    execution, at a path of ours and for this wait only.
 * 2. `wait/waitingRun.ts` notes the calls that the service accepted. When all items have run it
 *    parks the execution, with the calls as its input: what n8n continues with if no result comes.
 * 3. The result reaches the trigger (`trigger/receive.ts`). This file has n8n save it with its
 *    answer, so that a crash loses nothing that was acknowledged.
 * 4. `aggregate.ts` collects the results of each wait and says when to deliver them. n8n takes a
 *    result only for an execution that it has parked, which takes up to half a minute in a burst.
 *    `deliveries.ts` delivers, and `protocol.ts` says what follows from each answer.
 * 5. `wait/resumeWebhook.ts` takes what is delivered, and `wait/completion.ts` decides. If the wait
 *    is over, the execution resumes. If not, the answer tells what is missing and until when.
 * 6. When the limit passes, what has come is delivered. Where nothing came, the process that placed
 *    the calls delivers nothing, which ends the wait too. n8n's own timer, three minutes later, is
 *    for waits that nobody ends.
 *
 * Without a relay, one call can wait: its `respUrl` is the resume address, and steps 3 and 4 are
 * left out.
 */

/** Where the static data of a workflow keeps the results that its triggers have taken. */
const STORE = 'yuntongxunResults';

/** n8n that has just started first resumes executions whose limit has passed by itself. */
const START_UP_MS = 5000;

/** The results of one wait, as they are stored. */
type StoredWait = [address: string, results: ResultRecord[]];

type AnyContext = IWebhookFunctions | IHookFunctions | IExecuteFunctions;

/** Takes results for waiting executions into n8n's database. One for each workflow. */
export class Inbox {
	private static readonly all = new Map<string, Inbox>();

	/** Correlation ids of the waits whose results this inbox has taken. */
	private readonly waits = new Set<string>();

	/** Counts the results, and those of them that are in the database. */
	private taken = 0;

	private saved = 0;

	private saving?: Promise<void>;

	/** The inbox of a trigger's workflow, with what it had taken before n8n started. */
	static of(context: IWebhookFunctions | IHookFunctions): Inbox {
		// A test event of the editor has empty static data, which n8n does not save.
		if (context.getMode() === 'manual') return new Inbox();
		const id = String(context.getWorkflow().id);
		const known = Inbox.all.get(id);
		if (known) return known;
		const inbox = new Inbox();
		Inbox.all.set(id, inbox);
		inbox.restore(context);
		return inbox;
	}

	/** Has n8n write what the inbox of a workflow keeps; does nothing without one in this process. */
	static write(context: AnyContext): void {
		Inbox.all.get(String(context.getWorkflow().id))?.write(context);
	}

	/**
	 * Takes a result. Once this resolves, and n8n has answered the delivery, it is in n8n's
	 * database.
	 *
	 * @param address signed resume address of the wait
	 * @returns whether this delivery has n8n write static data
	 */
	async take(context: IWebhookFunctions, address: string, result: CallResult): Promise<boolean> {
		if (keep(context as Sender, address, result)) this.taken++;
		if (aggregateOf(correlationIdOf(address)) === undefined) return false;
		this.waits.add(correlationIdOf(address));
		return await this.save(context);
	}

	/** Reads what was stored before the last start. Others may have written there. */
	private restore(context: IWebhookFunctions | IHookFunctions): void {
		const stored = context.getWorkflowStaticData('global')[STORE];
		const readAt = Date.now() + START_UP_MS;
		try {
			// A copy: n8n watches every object of its static data.
			for (const [address, records] of JSON.parse(JSON.stringify(stored ?? [])) as StoredWait[]) {
				for (const record of records) {
					if (!keep(context as Sender, address, fromRecord(record), readAt)) continue;
					this.waits.add(correlationIdOf(address));
				}
			}
		} catch {
			context.logger.warn('Yuntongxun: stored call results could not be read');
		}
	}

	/**
	 * Waits until what was taken so far is written, or lets this delivery write it: n8n saves static
	 * data with its answer to a delivery. One delivery writes for all that come meanwhile.
	 */
	private async save(context: IWebhookFunctions): Promise<boolean> {
		const own = this.taken;
		while (this.saving !== undefined && this.saved < own) await this.saving;
		if (this.saved >= own) return false;
		const writtenBy = this.write(context);
		this.saving = responseFinished(context).then((status) => {
			if (status === 200) this.saved = Math.max(this.saved, writtenBy());
			this.saving = undefined;
		});
		return true;
	}

	/** Has n8n write all that is kept by then. @returns tells how many were taken, afterwards */
	private write(context: AnyContext): () => number {
		let written = 0;
		// Read when n8n writes it: a copy made now would undo what has come since.
		const toJSON = () => {
			written = this.taken;
			return this.stored();
		};
		context.getWorkflowStaticData('global')[STORE] = { toJSON };
		return () => written;
	}

	private stored(): StoredWait[] {
		return [...this.waits].flatMap((id): StoredWait[] => {
			const aggregate = aggregateOf(id);
			if (aggregate) return [[aggregate.address, [...aggregate.results.values()].map(toRecord)]];
			this.waits.delete(id);
			return [];
		});
	}
}
