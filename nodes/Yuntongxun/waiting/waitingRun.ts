import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { getMaxTries } from '../util/n8nInternals';
import { describeCalls, storeParkedRun, toResultJson } from './parkedWait';
import type { ParkedWait } from './parkedWait';
import type { FoundRoute } from './resultTarget';
import { createWaitId, toResumeKey } from './resumeKey';
import type { ResumeKey } from './resumeKey';

/**
 * How long after the limit n8n's own timer ends a wait, in milliseconds: where no result has come, or
 * the process that has it is gone.
 */
const TIMER_AFTER_MS = 150_000;

/**
 * How long before its own timer n8n may have armed it, in milliseconds: 70 seconds, and never disarms
 * it. An execution that is resumed then could be started twice, or its next wait be ended.
 */
const ARMED_MS = 80_000;

/** What is kept of the route of a call that waits. */
type AwaitedCall = Required<Pick<FoundRoute, 'maxWaitMs' | 'hints'>>;

/** Keyed by n8n's record of the run, which all tries share. */
const waitingRuns = new WeakMap<object, WaitingRun>();

/** The waiting side of one run of a node, over all tries of n8n's Retry On Fail. */
export class WaitingRun {
	private readonly waitId = createWaitId();

	/** The calls to wait for, by `callSid`. */
	private readonly awaited = new Map<string, AwaitedCall>();

	/** When the last call of the run was placed, in milliseconds since 1970. */
	private placedAt = 0;

	private tries = 0;

	private resumeKey?: ResumeKey;

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
		this.resumeKey ??= toResumeKey(
			String(this.context.evaluateExpression('{{ $execution.resumeUrl }}', 0)),
			this.waitId,
		);
		return this.resumeKey;
	}

	/** How many calls wait for their result, over all tries. */
	get awaitedCalls(): number {
		return this.awaited.size;
	}

	/** Records that the service has accepted a call. @param route undefined if nothing wants its result */
	recordPlacedCall(callSid: string, route: FoundRoute | undefined): void {
		this.placedAt = Date.now();
		if (route?.maxWaitMs === undefined) return;
		const { maxWaitMs, hints } = route;
		this.awaited.set(callSid, { maxWaitMs, hints });
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
	async park(items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
		const callSids = items.map(({ json }) => this.findAwaited(json.callSid));
		const calls = callSids.flatMap((callSid) => this.awaited.get(callSid ?? '') ?? []);
		if (calls.length === 0 || this.isTriedAgain(items)) return items;

		const until = this.placedAt + Math.max(...calls.map(({ maxWaitMs }) => maxWaitMs));
		const timer = until + TIMER_AFTER_MS;
		const wait: ParkedWait = {
			id: this.waitId,
			until,
			resumableUntil: timer - ARMED_MS,
			callSids,
		};
		const parked = describeCalls(items, callSids, (call) => toResultJson(call));
		await this.context.putExecutionToWait(new Date(timer));
		storeParkedRun(this.context, { wait, items: parked });
		this.logHints(calls);
		return describeCalls(items, callSids, (call) => ({ ...call, outcome: 'pending' }));
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
