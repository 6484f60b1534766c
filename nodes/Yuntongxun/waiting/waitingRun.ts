import { randomBytes } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	ITaskDataConnections,
} from 'n8n-workflow';

import { getResultId } from '../callbacks/callEvent';
import { parseResumeAddress, buildWaitAddress } from '../callbacks/callbackUrl';
import type { AwaitedCall } from '../callbacks/wait';
import { getWaitStatus } from './completion';
import type { ParkedWait } from './completion';
import { noteParked } from './deliveries';
import { TIMER_AFTER_MS } from './timeLimits';
import { NO_RESULT, STILL_OPEN, toWaitingJson } from './waitOutput';

/** The wait is stored under this name, beside the node's input, with the parked execution. */
const STORED = 'yuntongxunWait';

/** By item: the call that it waits for, if any. */
type MaybeAwaited = ReadonlyArray<AwaitedCall | undefined>;

const runs = new WeakMap<object, WaitingRun>();

/** The waiting side of one run of a node, over all tries of n8n's Retry On Fail. */
export class WaitingRun {
	private readonly id = randomBytes(9).toString('base64url');

	/** The accepted calls, by `callSid`. */
	private readonly accepted = new Map<string, AwaitedCall>();

	/** When the last one was accepted, in milliseconds since 1970. */
	private acceptedAt = 0;

	private tries = 0;

	private resumeUrl?: string;

	private constructor(private context: IExecuteFunctions) {}

	/** Begins a try. Call it before anything that can throw: n8n counts the try anyway. */
	static begin(context: IExecuteFunctions): WaitingRun {
		const execution = context.getExecuteData();
		const run = runs.get(execution) ?? new WaitingRun(context);
		runs.set(execution, run);
		run.context = context;
		run.tries++;
		return run;
	}

	/** The unsigned address that takes results of this run. Costs an expression the first time. */
	buildAddress(): string {
		this.resumeUrl ??= String(this.context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
		return buildWaitAddress(this.resumeUrl, this.id);
	}

	/** Whether some result comes straight to the execution, which n8n must have parked by then. */
	get hasUnrelayedWait(): boolean {
		return [...this.accepted.values()].some(({ relayedTo }) => relayedTo === undefined);
	}

	/** How many calls wait for their result, over all tries. */
	get acceptedCalls(): number {
		return this.accepted.size;
	}

	/** Notes that the service has accepted a call to wait for. */
	noteAccepted(wait: AwaitedCall, callSid: string): void {
		this.accepted.set(callSid, wait);
		this.acceptedAt = Date.now();
	}

	/**
	 * Parks the execution if a call of one of the items was accepted. n8n continues with the input of
	 * the node when its timer ends the wait, so the calls become the input of the parked execution; the
	 * items that came in, which other nodes may share, stay as they are.
	 *
	 * @param items output of the node, in input order
	 * @returns the output while the execution waits; never the array that is parked, since n8n
	 * empties what a node returns
	 */
	async park(items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
		const calls = items.map(({ json }) => this.accepted.get(String(json.callSid)));
		const longest = findLongest(calls);
		if (longest === undefined || this.isTriedAgain(items)) return items;

		const wait = this.buildParkedWait(items, calls, longest.maxWaitMs);
		const parked = withResults(items, calls, NO_RESULT);
		this.store(wait, parked);

		// The address that outlives the wait.
		const { relayedTo } = longest;
		const timer = wait.until + (relayedTo === undefined ? 0 : TIMER_AFTER_MS);
		await this.context.putExecutionToWait(new Date(timer));
		this.logDoubts(calls);
		if (relayedTo !== undefined) {
			noteParked(this.context, parseResumeAddress(relayedTo), getWaitStatus(wait));
		}
		// Nobody who looks at the waiting execution may read that the limit has passed.
		return withResults(parked, calls, STILL_OPEN);
	}

	private buildParkedWait(
		items: readonly INodeExecutionData[],
		calls: MaybeAwaited,
		maxWaitMs: number,
	): ParkedWait {
		// It can differ by expression: then the wish that loses no result wins.
		const waitsForAll = calls.some((call) => call?.continueWhen === 'allResults');
		return {
			id: this.id,
			continueWhen: waitsForAll ? 'allResults' : 'firstAnswered',
			until: this.acceptedAt + maxWaitMs,
			resultIds: items.map(({ json }, position) => {
				const call = calls[position];
				return call ? getResultId({ event: call.event, callSid: String(json.callSid) }) : null;
			}),
		};
	}

	/** Makes wait and calls the input of the node, which n8n stores with the parked execution. */
	private store(wait: ParkedWait, parked: INodeExecutionData[]): void {
		const executeData = this.context.getExecuteData();
		executeData.data = {
			...executeData.data,
			main: [parked],
			[STORED]: [[{ json: { ...wait } }]],
		};
	}

	/**
	 * Tells n8n's log why a result may not come: n8n drops the hints of a run that has waited, so this
	 * is what explains a time-out afterwards.
	 */
	private logDoubts(calls: MaybeAwaited): void {
		const doubts = new Set(calls.flatMap((call) => call?.doubts ?? []));
		for (const doubt of doubts) {
			this.context.logger.warn(
				`Yuntongxun: execution ${this.context.getExecutionId()} waits for a call result that may not come. ${doubt}`,
			);
		}
	}

	/**
	 * Whether n8n runs the node again: with Retry On Fail it looks at the first item. Parking now
	 * would make the parked items the input of the next try.
	 */
	private isTriedAgain([first]: INodeExecutionData[]): boolean {
		const { retryOnFail, maxTries } = this.context.getNode();
		return (
			retryOnFail === true && first.json.error !== undefined && this.tries < clampTries(maxTries)
		);
	}
}

/** Mirrors n8n's own clamp of Max Tries: 2 to 5, and 3 unless set. */
function clampTries(maxTries: number | undefined): number {
	return Math.min(5, Math.max(2, maxTries || 3));
}

/** The call with the longest wait, the first of several; undefined if none waits. */
function findLongest(calls: MaybeAwaited): AwaitedCall | undefined {
	let longest: AwaitedCall | undefined;
	for (const call of calls) {
		if (call && (longest === undefined || call.maxWaitMs > longest.maxWaitMs)) longest = call;
	}
	return longest;
}

/** Copies of the items; those that wait get what is known of their result. */
function withResults(
	items: readonly INodeExecutionData[],
	calls: MaybeAwaited,
	result: IDataObject,
): INodeExecutionData[] {
	return items.map((item, position) => {
		return calls[position] ? { ...item, json: toWaitingJson(item.json, result) } : { ...item };
	});
}

/** Finds the wait of the execution that a webhook is called for, and its parked items. */
export function findParkedRun(
	context: object,
): { wait: ParkedWait; items: INodeExecutionData[] } | undefined {
	const data = getParkedInput(context);
	const stored = data?.[STORED]?.[0]?.[0].json;
	const items = data?.main?.[0];
	return stored && items ? { wait: stored as unknown as ParkedWait, items } : undefined;
}

/**
 * Removes the wait from the execution, which n8n stores when it resumes: a request that is repeated
 * after a crash then finds nothing to resume.
 */
export function removeWait(context: object): void {
	const data = getParkedInput(context);
	if (data) delete data[STORED];
}

/** The input of the parked node; n8n's own interface does not show it to a webhook. */
function getParkedInput(context: object): ITaskDataConnections | undefined {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	return runExecutionData?.executionData?.nodeExecutionStack[0]?.data;
}
