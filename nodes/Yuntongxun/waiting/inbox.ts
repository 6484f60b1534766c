import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { parseResumeAddress } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { isUnsaved, persist, readStored } from '../callbacks/staticData';
import { waitForResponse } from '../callbacks/webhook';
import { identifyNode } from '../util/identifyNode';
import { findAggregate, keep } from './deliveries';
import type { Sender } from './ownN8n';
import { getResultsKey, sealResults, unsealResults } from './sealedResults';

/*
 * The way of a result, from the call to the item; docs/architecture.md has a picture of it
 *
 * 1. `resultRoute.ts` asks the trigger (`triggerQuestion.ts`) and signs two addresses: the outer one
 *    is the trigger's, the inner one resumes this execution, for this wait only.
 * 2. `waitingRun.ts` notes the calls that the service accepted, and then parks the execution with the
 *    calls as its input: what n8n continues with if no result comes.
 * 3. The result reaches the trigger (`trigger/receive.ts`). This file has n8n save it with its
 *    answer, so that a crash loses nothing that was acknowledged.
 * 4. `deliveries.ts` delivers the results of a wait once they complete it, or its limit passes;
 *    `aggregate.ts` says when. n8n takes them only for an execution that it has parked;
 *    `protocol.ts` says what it answers.
 * 5. `resumeWebhook.ts` takes them, and `completion.ts` decides: the execution resumes, or the answer
 *    tells what is missing and until when.
 * 6. Where no result came, the process that placed the calls delivers none at the limit, which ends
 *    the wait too. n8n's own timer, three minutes later, is for waits that nobody ends.
 *
 * Without a relay, one call can wait: its `respUrl` is the resume address, without steps 3 and 4.
 */

/** Where the static data of a workflow keeps the results that its triggers have taken. */
const STORE = 'yuntongxunResults';

/** The stored results of a wait. */
interface StoredWait {
	/** When they can be dropped, in milliseconds since 1970. */
	expiresAt: number;
	/** Its address and results, encrypted. */
	sealed: string;
}

/** A wait whose results this inbox has taken. */
interface TakenWait {
	/** Encrypts what is stored of it. */
	key: Buffer;
	/** What was encrypted last, and how many results it has. */
	stored?: StoredWait;
	storedResults: number;
}

/** A save in progress. */
class PendingSave {
	/** Whether results that come now will be in it. */
	accepts = true;

	/** @param isSaved whether n8n saved the results, known when it has answered */
	constructor(readonly isSaved: Promise<boolean>) {}
}

/** Stores results for the waiting executions of a workflow in n8n's database. */
export class Inbox {
	private static readonly all = new Map<string, Inbox>();

	/** The waits whose results this inbox has taken, by correlation id. */
	private readonly waits = new Map<string, TakenWait>();

	/** Triggers whose key was tried on sealed results. */
	private readonly openedBy = new Set<string>();

	private pending?: PendingSave;

	/** @param sealed what was stored before n8n started, and nobody could read yet */
	private constructor(private sealed: StoredWait[] = []) {}

	/** The inbox of a trigger's workflow, with what it had stored before n8n started. */
	static async open(context: IWebhookFunctions | IHookFunctions): Promise<Inbox> {
		// Test events in the editor have empty static data, which n8n does not save.
		if (context.getMode() === 'manual') return new Inbox();
		const id = String(context.getWorkflow().id);
		const inbox = Inbox.all.get(id) ?? new Inbox(findStoredWaits(context));
		Inbox.all.set(id, inbox);
		await inbox.unseal(context);
		return inbox;
	}

	/**
	 * Takes a result. It is in n8n's database once this has resolved and n8n has answered the delivery.
	 *
	 * @returns whether this delivery makes n8n save static data
	 */
	async take(
		context: IWebhookFunctions,
		address: ResumeAddress,
		result: CallResult,
	): Promise<boolean> {
		const key = await getResultsKey(context);
		if (key === undefined) return false;
		this.addWait(address.waitId, key);
		return keep(context as Sender, address, result) && (await this.save(context));
	}

	private addWait(waitId: string, key: Buffer): void {
		const wait = this.waits.get(waitId) ?? { key, storedResults: 0 };
		this.waits.set(waitId, wait);
	}

	/** Opens what the account of a trigger had stored. Triggers of a workflow may have different accounts. */
	private async unseal(context: IWebhookFunctions | IHookFunctions): Promise<void> {
		const trigger = identifyNode(context);
		if (this.sealed.length === 0 || this.openedBy.has(trigger)) return;
		const key = await getResultsKey(context);
		if (key === undefined) return;

		this.openedBy.add(trigger);
		const unreadable: StoredWait[] = [];
		for (const stored of this.sealed) {
			const wait = unsealResults(stored.sealed, key);
			if (!wait) {
				unreadable.push(stored);
				continue;
			}
			const address = parseResumeAddress(wait.address);
			this.addWait(address.waitId, key);
			for (const result of wait.results) keep(context as Sender, address, result, true);
		}
		this.sealed = unreadable;
		if (unreadable.length > 0) {
			context.logger.warn(
				"Yuntongxun: stored call results could not be read. Has the account's token changed?",
			);
		}
	}

	/**
	 * Waits until what was taken so far is saved, or lets this delivery save it: n8n saves static data
	 * when it answers. One delivery saves for all that come meanwhile.
	 */
	private async save(context: IWebhookFunctions): Promise<boolean> {
		while (this.pending) {
			const { accepts, isSaved } = this.pending;
			if ((await isSaved) && accepts) return false;
		}
		const pending = new PendingSave(this.finishSave(context));
		this.pending = pending;
		persist(context, STORE, () => {
			pending.accepts = false;
			return this.getStoredWaits();
		});
		return true;
	}

	/** Waits for n8n's answer. @returns whether n8n saved static data before it answered */
	private async finishSave(context: IWebhookFunctions): Promise<boolean> {
		const status = await waitForResponse(context);
		const isWritten = this.pending?.accepts === false;
		this.pending = undefined;
		if (isWritten && isUnsaved(context)) {
			context.logger.warn(
				'Yuntongxun: n8n could not save call results. They are written with the next one; a crash before it loses them.',
			);
			return false;
		}
		return status === 200 && isWritten;
	}

	private getStoredWaits(): StoredWait[] {
		const now = Date.now();
		const own = [...this.waits].flatMap(([id, wait]) => this.findStored(id, wait) ?? []);
		return [...this.sealed.filter(({ expiresAt }) => now < expiresAt), ...own];
	}

	/** What to store of a wait; undefined if it is over. */
	private findStored(id: string, wait: TakenWait): StoredWait | undefined {
		const aggregate = findAggregate(id);
		if (!aggregate) {
			this.waits.delete(id);
			return undefined;
		}
		const { url, expiresAt } = aggregate.address;
		const results = [...aggregate.results.values()];
		const isSame = wait.storedResults === results.length && wait.stored?.expiresAt === expiresAt;
		if (wait.stored && isSame) return wait.stored;
		wait.stored = {
			expiresAt,
			sealed: sealResults({ address: url, results }, wait.key),
		};
		wait.storedResults = results.length;
		return wait.stored;
	}
}

function findStoredWaits(context: IWebhookFunctions | IHookFunctions): StoredWait[] {
	const stored = readStored(context, STORE);
	return Array.isArray(stored) ? stored.filter(isStoredWait) : [];
}

function isStoredWait(entry: unknown): entry is StoredWait {
	const { expiresAt, sealed } = Object(entry) as Partial<StoredWait>;
	return typeof expiresAt === 'number' && typeof sealed === 'string';
}
