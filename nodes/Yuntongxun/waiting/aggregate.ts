import { getResultId } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import type { WaitStatus } from './completion';
import {
	advanceAfterAnswer,
	advanceAfterNews,
	buildFirstPhase,
	getKnownPhase,
	isInVain,
} from './deliverySchedule';
import type { Phase, Results } from './deliverySchedule';
import type { DeliveryAnswer } from './protocol';

/** The results of one wait, and how their delivery stands. */
export class Aggregate {
	private readonly byId = new Map<string, CallResult>();

	private currentPhase: Phase;

	private parkedAt = -Infinity;

	isInFlight = false;

	/** What n8n's log was told last. */
	warning?: string;

	/** @param address of the wait; of several, the one that expires last */
	constructor(
		public address: ResumeAddress,
		now: number,
	) {
		this.currentPhase = buildFirstPhase(now);
	}

	/** By id; the first result of a call counts. */
	get results(): Results {
		return this.byId;
	}

	get phase(): Phase {
		return this.currentPhase;
	}

	/**
	 * Adds a result.
	 *
	 * @param options.isStored whether it was read from n8n's database: it queues with the retries,
	 * behind what comes now
	 * @returns whether it is the first one of its call
	 */
	add(result: CallResult, now: number, { isStored }: { isStored: boolean }): boolean {
		const id = getResultId(result.callEvent);
		if (this.byId.has(id)) return false;

		this.byId.set(id, result);
		this.currentPhase = advanceAfterNews(this.phase, this.results, now, { isRetry: isStored });
		return true;
	}

	/** n8n parks the execution now. */
	notePark(status: WaitStatus, now: number): void {
		this.parkedAt = now;
		this.currentPhase = getKnownPhase(status, this.results, now);
	}

	/** Results have come while an attempt without them was in flight. */
	noteNewResults(now: number): void {
		this.currentPhase = advanceAfterNews(this.phase, this.results, now);
	}

	/** An attempt was answered, or was not. */
	noteAnswer(answer: DeliveryAnswer, now: number): void {
		this.currentPhase = advanceAfterAnswer(this.phase, answer, this.results, this.parkedAt, now);
	}

	/** Whether n8n will not take the results any more. */
	isInVain(now: number): boolean {
		return isInVain(this.phase, this.address.expiresAt, now);
	}
}
