import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { fromRecord, toRecord } from '../callbacks/callEvent';
import type { CallResult, ResultRecord } from '../callbacks/callEvent';
import { correlationIdOf } from '../callbacks/callbackUrl';
import { responseFinished } from '../callbacks/webhook';
import { aggregateOf, keep } from './deliveries';
import type { Sender } from './ownN8n';

/*
 * The way of a result, from the call to the item; docs/architecture.md has a picture of it
 *
 * 1. `resultRoute.ts` asks the trigger (`triggerQuestion.ts`) and signs two addresses: the outer one
 *    is the trigger's, the inner one resumes this execution, for this wait only.
 * 2. `wait/waitingRun.ts` notes the calls that the service accepted, and then parks the execution
 *    with the calls as its input: what n8n continues with if no result comes.
 * 3. The result reaches the trigger (`trigger/receive.ts`). This file has n8n save it with its
 *    answer, so that a crash loses nothing that was acknowledged.
 * 4. `deliveries.ts` delivers the results of a wait once they complete it, or its limit passes. n8n
 *    takes them only for an execution that it has parked; `protocol.ts` says what it answers.
 * 5. `wait/resumeWebhook.ts` takes them, and `wait/completion.ts` decides: the execution resumes,
 *    or the answer tells what is missing and until when.
 * 6. Where no result came, the process that placed the calls delivers none at the limit, which ends
 *    the wait too. n8n's own timer, three minutes later, is for waits that nobody ends.
 *
 * Without a relay, one call can wait: its `respUrl` is the resume address, without steps 3 and 4.
 */

/** Where the static data of a workflow keeps the results that its triggers have taken. */
const STORE = 'yuntongxunResults';

/** The results of one wait, as they are stored. */
type StoredWait = [address: string, results: ResultRecord[]];

/** What n8n gives to whoever writes static data. */
export type StaticContext = Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** Takes results for waiting executions into n8n's database. One for each workflow. */
export class Inbox {
	private static readonly all = new Map<string, Inbox>();

	/** Correlation ids of the waits whose results this inbox has taken. */
	private readonly waits = new Set<string>();

	/** The write under way: whether it takes results in still, and whether n8n did save it. */
	private batch?: { isOpen: () => boolean; isSaved: Promise<boolean> };

	/** The inbox of a trigger's workflow, with what it had taken before n8n started. */
	static of(context: IWebhookFunctions | IHookFunctions): Inbox {
		// A test event of the editor has empty static data, which n8n does not save.
		if (context.getMode() === 'manual') return new Inbox();
		const id = String(context.getWorkflow().id);
		const inbox = Inbox.all.get(id) ?? new Inbox();
		if (!Inbox.all.has(id)) inbox.restore(context);
		Inbox.all.set(id, inbox);
		return inbox;
	}

	/** Has n8n write what the inbox of a workflow keeps. @returns whether this process has one */
	static write(context: StaticContext): boolean {
		const inbox = Inbox.all.get(String(context.getWorkflow().id));
		inbox?.write(context);
		return inbox !== undefined;
	}

	/**
	 * Takes a result. Once this resolves, and n8n has answered the delivery, it is in n8n's
	 * database.
	 *
	 * @param address signed resume address of the wait
	 * @returns whether this delivery has n8n write static data
	 */
	async take(context: IWebhookFunctions, address: string, result: CallResult): Promise<boolean> {
		this.waits.add(correlationIdOf(address));
		return keep(context as Sender, address, result) && (await this.save(context));
	}

	/** Takes up what was stored before the last start, or by another process. */
	restore(context: IWebhookFunctions | IHookFunctions): void {
		try {
			// A copy: n8n watches every object of its static data.
			const copy = JSON.stringify(context.getWorkflowStaticData('global')[STORE] ?? []);
			for (const [address, records] of JSON.parse(copy) as StoredWait[]) {
				this.waits.add(correlationIdOf(address));
				for (const record of records) keep(context as Sender, address, fromRecord(record), true);
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
		while (this.batch) {
			const isIn = this.batch.isOpen();
			if ((await this.batch.isSaved) && isIn) return false;
		}
		let isOpen = true;
		this.write(context, () => (isOpen = false));
		const isSaved = responseFinished(context).then((status) => {
			this.batch = undefined;
			return status === 200 && !isOpen;
		});
		this.batch = { isOpen: () => isOpen, isSaved };
		return true;
	}

	/** Has n8n write what is kept by then: a copy made now would undo what comes until then. */
	private write(context: StaticContext, onWrite = () => {}): void {
		const toJSON = () => {
			onWrite();
			return this.stored();
		};
		context.getWorkflowStaticData('global')[STORE] = { toJSON };
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
