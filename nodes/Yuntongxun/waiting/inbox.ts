import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { parseResumeAddress } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { waitForResponse } from '../callbacks/n8nAnswer';
import { isUnsaved, persist, readStored } from '../callbacks/staticData';
import { findAggregate, keepResult } from './deliveries';
import { getResultsKey, sealResults, unsealResults } from './sealedResults';

/*
 * What a trigger takes for waiting executions, kept in n8n's database; "The way of a result" in
 * docs/maintainers/architecture.md tells what comes before and after
 */

/** Where the static data of a workflow keeps the results that its triggers have taken. */
const STORE = 'yuntongxunResults';

/** What became of a result that the inbox was given. */
export type TakeOutcome =
	/** It is in n8n's database once n8n has answered the request. */
	| 'taken'
	/** Its wait is over or expired; nobody needs it. */
	| 'over'
	/** The credential that encrypts it cannot be read: it is not kept. */
	| 'unavailable';

/** The results of a wait, as they are stored. */
interface SealedWait {
	/** When they can be dropped, in milliseconds since 1970. */
	expiresAt: number;
	/** Its address and results, encrypted. */
	sealed: string;
}

/** A wait whose results this inbox has taken. */
interface InboxWait {
	/** Encrypts what is stored of it. */
	key: Buffer;
	/** What was encrypted last. */
	stored?: SealedWait;
	/** How many results are in there. */
	sealedCount: number;
}

/** A save in progress: n8n saves static data when it answers the request that asked for it. */
class PendingSave {
	/** Whether n8n has read what it saves, so that results that come now are not in it. */
	isSerialized = false;

	/** Whether n8n has saved; known when it has answered. */
	readonly saved: Promise<boolean>;

	constructor(context: IWebhookFunctions, collectSealedWaits: () => SealedWait[]) {
		persist(context, STORE, () => {
			this.isSerialized = true;
			return collectSealedWaits();
		});
		this.saved = this.waitUntilSaved(context);
	}

	private async waitUntilSaved(context: IWebhookFunctions): Promise<boolean> {
		const status = await waitForResponse(context);
		if (!this.isSerialized) return false;

		if (isUnsaved(context)) {
			context.logger.warn(
				'Yuntongxun: n8n could not save call results. They are written with the next one; a crash before it loses them.',
			);
			return false;
		}
		return status === 200;
	}
}

/** Stores results for the waiting executions of a workflow in n8n's database. */
export class Inbox {
	/**
	 * By workflow. None is ever removed, not even an empty one: the static data may still hold what it
	 * has delivered, and opening it anew would deliver that again.
	 */
	private static readonly all = new Map<string, Inbox>();

	/** The waits whose results this inbox has taken, by wait id. */
	private readonly waits = new Map<string, InboxWait>();

	/** Keys that were tried on what is sealed. */
	private readonly triedKeys: Buffer[] = [];

	private hasWarned = false;

	private pending?: PendingSave;

	/** @param sealed what was stored before n8n started, and nobody could read yet */
	private constructor(private sealed: SealedWait[] = []) {}

	/** The inbox of a trigger's workflow, with what it had stored before n8n started. */
	static async open(context: IWebhookFunctions | IHookFunctions): Promise<Inbox> {
		// Test events in the editor have empty static data, which n8n does not save.
		if (context.getMode() === 'manual') return new Inbox();

		const id = String(context.getWorkflow().id);
		const inbox = Inbox.all.get(id) ?? new Inbox(findSealedWaits(context));
		Inbox.all.set(id, inbox);
		await inbox.unseal(context);
		return inbox;
	}

	/**
	 * Takes a result. When this resolves to `taken`, n8n has saved it, or will before it answers this
	 * request.
	 */
	async take(
		context: IWebhookFunctions,
		address: ResumeAddress,
		result: CallResult,
	): Promise<TakeOutcome> {
		const key = await getResultsKey(context);
		if (key === undefined) return 'unavailable';

		this.addWait(address.waitId, key);
		if (!keepResult(context, address, result)) return 'over';

		await this.save(context);
		return 'taken';
	}

	private addWait(waitId: string, key: Buffer): void {
		if (!this.waits.has(waitId)) this.waits.set(waitId, { key, sealedCount: 0 });
	}

	/**
	 * Reads what was stored, as far as the account of a trigger can. Triggers of a workflow may have
	 * different accounts, and a token may be corrected, so each key is tried once.
	 */
	private async unseal(context: IWebhookFunctions | IHookFunctions): Promise<void> {
		const now = Date.now();
		this.sealed = this.sealed.filter(({ expiresAt }) => now < expiresAt);
		if (this.sealed.length === 0) return;

		const key = await getResultsKey(context);
		// No await between check and push: of requests at the same moment only one tries a key.
		if (key === undefined || this.triedKeys.some((tried) => tried.equals(key))) return;

		this.triedKeys.push(key);
		this.sealed = this.sealed.filter((entry) => !this.unsealOne(context, entry, key));
		if (this.sealed.length > 0) this.warnOfUnreadable(context);
	}

	/** @returns whether it could be read */
	private unsealOne(
		context: IWebhookFunctions | IHookFunctions,
		{ sealed }: SealedWait,
		key: Buffer,
	): boolean {
		const wait = unsealResults(sealed, key);
		if (!wait) return false;

		const address = parseResumeAddress(wait.address);
		this.addWait(address.waitId, key);
		for (const result of wait.results) {
			keepResult(context, address, result, { isStored: true });
		}
		return true;
	}

	private warnOfUnreadable(context: IWebhookFunctions | IHookFunctions): void {
		if (this.hasWarned) return;

		this.hasWarned = true;
		context.logger.warn(
			`Yuntongxun: stored call results could not be read with the credential of a trigger of workflow ${context.getWorkflow().id}. Another trigger of this workflow may have their account. If none has, the account's token has changed.`,
		);
	}

	/**
	 * Waits until what was taken so far is saved, or has this request save it: n8n saves static data
	 * when it answers. One request saves for all that come meanwhile.
	 */
	private async save(context: IWebhookFunctions): Promise<void> {
		while (this.pending) {
			// Read before the await: if n8n has serialized already, this result is not in that save.
			const { isSerialized, saved } = this.pending;
			const isSaved = await saved;
			if (isSaved && !isSerialized) return;
		}

		const pending = new PendingSave(context, () => this.collectSealedWaits());
		this.pending = pending;
		void pending.saved.then(() => {
			this.pending = undefined;
		});
	}

	/** What to store of all waits; forgets those that are over. */
	private collectSealedWaits(): SealedWait[] {
		const now = Date.now();
		const own = [...this.waits].flatMap(([id, wait]) => this.sealWait(id, wait) ?? []);
		return [...this.sealed.filter(({ expiresAt }) => now < expiresAt), ...own];
	}

	/** What to store of a wait; undefined if it is over, and then forgets it. */
	private sealWait(id: string, wait: InboxWait): SealedWait | undefined {
		const aggregate = findAggregate(id);
		if (!aggregate) {
			this.waits.delete(id);
			return undefined;
		}
		const { url, expiresAt } = aggregate.address;
		const results = [...aggregate.results.values()];
		// Results are only ever added, so an equal count means nothing new to encrypt.
		const isSame = wait.sealedCount === results.length && wait.stored?.expiresAt === expiresAt;
		if (wait.stored && isSame) return wait.stored;
		wait.stored = {
			expiresAt,
			sealed: sealResults({ address: url, results }, wait.key),
		};
		wait.sealedCount = results.length;
		return wait.stored;
	}
}

function findSealedWaits(context: IWebhookFunctions | IHookFunctions): SealedWait[] {
	const stored = readStored(context, STORE);
	return Array.isArray(stored) ? stored.filter(isSealedWait) : [];
}

function isSealedWait(entry: unknown): entry is SealedWait {
	const { expiresAt, sealed } = Object(entry) as Partial<SealedWait>;
	return typeof expiresAt === 'number' && typeof sealed === 'string';
}
