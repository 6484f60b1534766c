import { randomBytes } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import { getResultId } from '../callbacks/callEvent';
import { parseResumeAddress, buildWaitAddress } from '../callbacks/callbackUrl';
import type { AwaitedCall } from '../callbacks/wait';
import { TIMER_AFTER_MS } from './aggregate';
import { NO_RESULT, getWaitStatus, STILL_OPEN, toWaitingJson } from './completion';
import type { ParkedWait } from './completion';
import { noteParked } from './deliveries';

/** The wait is stored under this name, beside the node's input, with the parked execution. */
const STORED = 'yuntongxunWait';

const runs = new WeakMap<object, WaitingRun>();

/** The waiting side of one run of a node, over all tries of n8n's Retry On Fail. */
export class WaitingRun {
	private readonly id = randomBytes(9).toString('base64url');
	private readonly placed = new Map<string, AwaitedCall>(); // the accepted calls, by `callSid`
	private placedAt = 0; // when the last one was accepted
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
	address(): string {
		this.resumeUrl ??= String(this.context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
		return buildWaitAddress(this.resumeUrl, this.id);
	}

	/** Whether a result comes to the execution itself, which has to be parked by then. */
	get isDirect(): boolean {
		return [...this.placed.values()].some(({ relayedTo }) => relayedTo === undefined);
	}

	/** How many calls wait for their result, over all tries. */
	get placedCalls(): number {
		return this.placed.size;
	}

	/** Notes that the service has accepted a call to wait for. */
	place(wait: AwaitedCall, { callSid }: IDataObject): void {
		this.placed.set(String(callSid), wait);
		this.placedAt = Date.now();
	}

	/**
	 * Parks the execution if one of the items placed a call. n8n continues with the input of the node
	 * when its timer ends the wait, so the calls become the input of the parked execution; the
	 * items that came in, which other nodes may share, stay as they are.
	 *
	 * @param items output of the node, in input order
	 * @returns the output while the execution waits; never the array that is parked, since n8n
	 * empties what a node returns
	 */
	async park(items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
		const waits = items.map(({ json }) => this.placed.get(String(json.callSid)));
		const first = waits.find((wait) => wait !== undefined);
		if (first === undefined || this.isTriedAgain(items)) return items;
		const parked = items.map((item, position) =>
			waits[position] ? { ...item, json: toWaitingJson(item.json, NO_RESULT) } : { ...item },
		);
		const limit = Math.max(...waits.map((wait) => wait?.maxWaitMs ?? 0));
		const stored: ParkedWait = {
			id: this.id,
			continueWhen: first.continueWhen,
			until: this.placedAt + limit,
			resultIds: items.map(({ json: { callSid } }, position) =>
				waits[position] ? getResultId({ event: first.event, callSid: String(callSid) }) : null,
			),
		};
		const executeData = this.context.getExecuteData();
		executeData.data = {
			...executeData.data,
			main: [parked],
			[STORED]: [[{ json: { ...stored } }]],
		};
		// The address that outlives the wait.
		const relayedTo = waits.find((wait) => wait?.maxWaitMs === limit)?.relayedTo;
		const timer = stored.until + (relayedTo === undefined ? 0 : TIMER_AFTER_MS);
		await this.context.putExecutionToWait(new Date(timer));
		this.logDoubts(waits);
		if (relayedTo !== undefined) {
			noteParked(this.context, parseResumeAddress(relayedTo), getWaitStatus(stored));
		}
		// Nobody who looks at the waiting execution may read that the limit has passed.
		return parked.map((item, position) =>
			waits[position] ? { ...item, json: toWaitingJson(item.json, STILL_OPEN) } : { ...item },
		);
	}

	/**
	 * Tells n8n's log why a result may not come: n8n drops the hints of a run that has waited, so this
	 * is what explains a time-out afterwards.
	 */
	private logDoubts(waits: ReadonlyArray<AwaitedCall | undefined>): void {
		const doubts = new Set(waits.flatMap((wait) => wait?.doubts ?? []));
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
		const most = Math.min(5, Math.max(2, maxTries || 3));
		return retryOnFail === true && first.json.error !== undefined && this.tries < most;
	}
}

/** Finds the wait of the execution that a webhook is called for, and its parked items. */
export function findParkedRun(
	context: object,
): { wait: ParkedWait; items: INodeExecutionData[] } | undefined {
	// n8n's own interface does not show it to a webhook.
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const data = runExecutionData?.executionData?.nodeExecutionStack[0]?.data;
	const stored = data?.[STORED]?.[0]?.[0].json;
	const items = data?.main?.[0];
	return stored && items ? { wait: stored as unknown as ParkedWait, items } : undefined;
}

/**
 * Removes the wait from the execution, which n8n stores when it resumes: a delivery that is repeated
 * after a crash then finds nothing to resume.
 */
export function removeWait(context: object): void {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const data = runExecutionData?.executionData?.nodeExecutionStack[0]?.data;
	if (data) delete data[STORED];
}
