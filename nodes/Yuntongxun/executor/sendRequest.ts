import { sleep } from 'n8n-workflow';

import type { WaitingRun } from '../wait/waitingRun';
import type { Answer, Send } from '../client/client';
import { ServiceFailure } from '../client/serviceFailure';
import type { TokenAttempts } from '../idempotency/attempts';
import type { Refusal, Reservation, Reservations } from '../idempotency/reservations';
import { settle } from '../util/settle';
import type { Settled } from '../util/settle';
import { isLost, reachedNobody } from './item';
import type { Item } from './item';
import type { PlannedRequest, Recipient } from './planRequests';
import type { RateLimiter } from './rateLimiter';
import type { ReadyItem } from './validateItem';

/** Most starts of one request, and the milliseconds within which they fall. */
export const MAX_TRIES = 4;
export const RETRY_WITHIN_MS = 60_000;

/** Before the second try; each further pause is twice as long. Jitter makes it half to one and a half. */
const FIRST_PAUSE_MS = 500;

/** Tells the requests of a run to stop: a user stopped the execution, or an item failed. */
export class RunSignal {
	private readonly controller = new AbortController();

	readonly signal: Pick<AbortSignal, 'aborted'>;

	/**
	 * @param continues whether the node continues when an item fails
	 * @param cancelled by the user
	 */
	constructor(
		private readonly continues: boolean,
		cancelled?: AbortSignal,
	) {
		const { signal } = this.controller;
		this.signal = cancelled ? AbortSignal.any([signal, cancelled]) : signal;
	}

	/** An item failed. */
	fail(): void {
		if (!this.continues) this.controller.abort();
	}
}

/** What all requests of a run share. */
export interface SendTools {
	limiter: RateLimiter;
	run: RunSignal;
	clientFor(item: ReadyItem): Send;
	/** Undefined where no number has a key or a limit. */
	reservations?: Reservations;
	waiting: Pick<WaitingRun, 'place'>;
}

/**
 * Sends one request: locks what its numbers must not share with others, waits for a slot, reserves,
 * sends, and sends again only what was certainly refused for load. What certainly reached nobody is
 * released before the lock is. The results of its numbers go into their items. Never rejects.
 */
export async function sendRequest(recipients: PlannedRequest, tools: SendTools): Promise<void> {
	const { run, waiting } = tools;
	const reservation = await tools.reservations?.lock(recipients);
	let refusals: Refusals = [];
	const isServed = (_each: unknown, at: number) => isAnyServed(refusals[at]);
	const outcome = await transmit(tools, {
		async prepare() {
			refusals = await reserve(recipients, reservation, run);
			return recipients.some(isServed);
		},
		async send() {
			const served = recipients.filter(isServed);
			const first = recipients.findIndex(isServed);
			const { ready } = recipients[first].owners[firstServed(refusals[first])];
			const request = ready.task.requestFor(served.map(({ to }) => to));
			const answer = await tools.clientFor(ready)(request);
			if (ready.task.wait) waiting.place(ready.task.wait, { callSid: answer.text('callSid') });
			return answer;
		},
		failed: async () => run.fail(),
	});
	if (outcome) noteOutcome(recipients, refusals, outcome);
	if (!outcome || reachedNobody(outcome)) await reservation?.release();
	reservation?.unlock();
}

/** Does an item's own work, each of its requests in a slot of its own. Never rejects. */
export async function completeOwnWork(
	item: Item,
	attempts: TokenAttempts,
	tools: SendTools,
): Promise<void> {
	const { ready } = item;
	if (ready === undefined || ready.task.recipients !== undefined) return;
	let isStopped = false;
	const send: Send = async (request) => {
		const outcome = await transmit(tools, {
			prepare: async () => true,
			send: async () => await tools.clientFor(ready)(request),
			// The work may go on with another request; if not, the run hears of it meanwhile.
			failed: async () => await sleep(0),
		});
		isStopped = outcome === undefined;
		if (outcome === undefined) throw new Error('The run stopped before this request');
		if ('thrown' in outcome) throw outcome.thrown;
		return outcome.value;
	};
	const outcome = await settle(ready.task.complete(send, attempts));
	if ('thrown' in outcome && isStopped) return;
	item.outcome = { ...outcome, isSent: true };
	if ('thrown' in outcome) tools.run.fail();
}

/** Why numbers are left out, for each recipient and each of its owners; empty if none has terms. */
type Refusals = Array<Array<Refusal | undefined>>;

const isAnyServed = (refusals?: Array<Refusal | undefined>) =>
	refusals === undefined || refusals.includes(undefined);
const firstServed = (refusals?: Array<Refusal | undefined>) => refusals?.indexOf(undefined) ?? 0;

interface Transmission {
	/** Called once, right before the first start. @returns whether there is something to send */
	prepare(): Promise<boolean>;
	send(): Promise<Answer>;
	/** Called on final failure, before the next slot is given. */
	failed(): Promise<void>;
}

/** @returns what became of it; undefined if it never started */
async function transmit(
	{ limiter, run }: SendTools,
	{ prepare, send, failed }: Transmission,
): Promise<Settled<Answer> | undefined> {
	let outcome: Settled<Answer> | undefined;
	let deadline = Infinity;
	for (let tries = 1; ; tries++) {
		const slot = await limiter.acquire(run.signal);
		if (slot === undefined) return outcome;
		const pause = FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random());
		const isReady = tries === 1 ? await prepare() : Date.now() <= deadline;
		if (!isReady || run.signal.aborted) {
			if (outcome) await failed();
			slot.release(false);
			return outcome;
		}
		slot.start();
		deadline = Math.min(deadline, Date.now() + RETRY_WITHIN_MS);
		outcome = await settle(send());
		const overloaded = isOverload(outcome);
		const isOver = !overloaded || tries === MAX_TRIES || Date.now() + pause > deadline;
		if (isOver && 'thrown' in outcome) await failed();
		slot.release(overloaded);
		if (isOver) return outcome;
		await sleep(pause);
	}
}

/** Whether it was certainly refused because too much came at once. */
const isOverload = (outcome: Settled<Answer>): boolean =>
	'thrown' in outcome &&
	outcome.thrown instanceof ServiceFailure &&
	outcome.thrown.facts.overload === true;

/** Reserves what the numbers need. Those that are left out learn it at once. */
async function reserve(
	recipients: PlannedRequest,
	reservation: Reservation | undefined,
	run: RunSignal,
): Promise<Refusals> {
	if (reservation === undefined) return [];
	const reserved = await settle(reservation.reserve());
	recipients.forEach(({ owners, spellings }, at) => {
		owners.forEach((item, position) => {
			const to = spellings[position];
			const refusal = 'value' in reserved ? reserved.value[at][position] : undefined;
			if ('thrown' in reserved) item.results.set(to, { kind: 'notSent', thrown: reserved.thrown });
			else if (refusal && !refusal.isRepeated) item.results.set(to, { kind: 'leftOut', refusal });
			if ('thrown' in reserved || (refusal && isLost(item))) run.fail();
		});
	});
	return 'value' in reserved ? reserved.value : recipients.map(() => []);
}

/** An item whose key has served another item of the same request shares a failure of it. */
function noteOutcome(
	recipients: readonly Recipient[],
	refusals: Refusals,
	outcome: Settled<Answer>,
): void {
	const exchange = { outcome };
	recipients.forEach(({ owners, spellings }, at) => {
		owners.forEach((item, position) => {
			const to = spellings[position];
			const refusal = refusals[at]?.[position];
			if (refusal === undefined ? isAnyServed(refusals[at]) : refusal.isRepeated) {
				const isShared = refusal === undefined || reachedNobody(outcome);
				item.results.set(to, isShared ? { kind: 'sent', exchange } : { kind: 'leftOut', refusal });
			}
		});
	});
}
