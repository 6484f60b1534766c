import { randomBytes } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buildResumeUrl, hashSecret, SECRET_BYTES, toResumeKey } from '../../callbacks/callbackUrl';
import type { ResumeKey } from '../../callbacks/callbackUrl';
import type { AwaitedCall } from '../../callbacks/wait';
import { getMaxTries } from '../../util/n8nInternals';
import { storeParkedRun } from './parkedWait';
import type { ParkedWait } from './parkedWait';
import { describeCalls, toOpenJson, toResultJson } from './waitItems';

/**
 * How long after the limit n8n's own timer ends a wait that a trigger passes results on to, in
 * milliseconds: only where nobody else could.
 */
const TIMER_AFTER_MS = 5 * 60_000;

/**
 * How long before its own timer n8n may have armed it, in milliseconds: 70 seconds, and never disarms
 * it. An execution that is resumed then could be started twice, or its next wait be ended.
 */
const ARMED_MS = 80_000;

/** By what all tries of a run share. */
const waitingRuns = new WeakMap<object, WaitingRun>();

/** What the caller of {@link WaitingRun.park} gives to n8n, and who ends the wait. */
export interface Parking {
	/** The output while the execution waits. */
	items: INodeExecutionData[];
	/** Where the wait has to be ended when its limit passes; undefined if n8n's own timer does. */
	ending?: {
		url: string;
		/** Milliseconds since 1970. */
		limitAt: number;
	};
}

/** The waiting side of one run of a node, over all tries of n8n's Retry On Fail. */
export class WaitingRun {
	/** Whoever has it can give results to the wait. */
	private readonly secret = randomBytes(SECRET_BYTES);

	/** The calls to wait for, by `callSid`. */
	private readonly awaited = new Map<string, AwaitedCall>();

	/** When the last call of the run was placed, in milliseconds since 1970. */
	private placedAt = 0;

	private tries = 0;

	private resumeUrl?: string;

	private constructor(private context: IExecuteFunctions) {}

	/** Begins a try. Call it before anything that can throw: n8n counts the try anyway. */
	static begin(context: IExecuteFunctions): WaitingRun {
		const execution = context.getExecuteData();
		const run = waitingRuns.get(execution) ?? new WaitingRun(context);
		waitingRuns.set(execution, run);
		run.context = context;
		run.tries++;
		return run;
	}

	/** What it takes to resume this run. Costs an expression the first time. */
	getResumeKey(): ResumeKey {
		return toResumeKey(this.getResumeUrl(), this.secret);
	}

	/** The address that takes results of this run. */
	buildAddress(): string {
		const url = this.getResumeUrl();
		return buildResumeUrl(url.slice(0, url.lastIndexOf('/')), this.getResumeKey());
	}

	private getResumeUrl(): string {
		this.resumeUrl ??= String(this.context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
		return this.resumeUrl;
	}

	/** How many calls wait for their result, over all tries. */
	get acceptedCalls(): number {
		return this.awaited.size;
	}

	/** Records that the service has accepted a call. @param wait how it waits, if it does */
	recordPlacedCall(callSid: string, wait: AwaitedCall | undefined): void {
		this.placedAt = Date.now();
		if (wait) this.awaited.set(callSid, wait);
	}

	/**
	 * Parks the execution if a call of one of the items is waited for. n8n continues with the input of
	 * the node when its timer ends the wait, so the calls become the input of the parked execution; the
	 * items that came in, which other nodes may share, stay as they are.
	 *
	 * @param items output of the node, in input order
	 * @returns the output to give to n8n; never the array that is parked, since n8n empties what a node
	 * returns
	 */
	async park(items: INodeExecutionData[]): Promise<Parking> {
		const callSids = items.map(({ json }) => this.findAwaited(json.callSid));
		const calls = callSids.flatMap((callSid) => this.awaited.get(callSid ?? '') ?? []);
		if (calls.length === 0 || this.isTriedAgain(items)) return { items };

		const until = this.placedAt + Math.max(...calls.map(({ maxWaitMs }) => maxWaitMs));
		const isRelayed = calls.some((call) => call.isRelayed);
		const timer = until + (isRelayed ? TIMER_AFTER_MS : 0);
		const resumableUntil = isRelayed ? timer - ARMED_MS : until;
		const secretHash = hashSecret(this.secret);
		const wait: ParkedWait = { secretHash, until, resumableUntil, callSids };
		const parked = describeCalls(items, callSids, (call) => toResultJson(call));
		storeParkedRun(this.context, { wait, items: parked });
		await this.context.putExecutionToWait(new Date(timer));
		this.logHints(calls);

		const shown = describeCalls(items, callSids, toOpenJson);
		if (!isRelayed) return { items: shown };
		return { items: shown, ending: { url: this.buildAddress(), limitAt: until } };
	}

	private findAwaited(callSid: unknown): string | null {
		return typeof callSid === 'string' && this.awaited.has(callSid) ? callSid : null;
	}

	/**
	 * Tells n8n's log why a result may not come: n8n drops the hints of a run that has waited, so this
	 * is what explains a time-out afterwards.
	 */
	private logHints(calls: readonly AwaitedCall[]): void {
		const hints = new Set(calls.flatMap((call) => call.hints));
		for (const hint of hints) {
			this.context.logger.warn(
				`Yuntongxun: execution ${this.context.getExecutionId()} waits for a call result that may not come. ${hint}`,
			);
		}
	}

	/**
	 * Whether n8n runs the node again: with Retry On Fail it looks at the first item. Parking now
	 * would make the parked items the input of the next try.
	 */
	private isTriedAgain([first]: INodeExecutionData[]): boolean {
		const node = this.context.getNode();
		return (
			node.retryOnFail === true && first.json.error !== undefined && this.tries < getMaxTries(node)
		);
	}
}
