import { randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallEventName } from '../callbacks/callEvent';
import { waitAddress } from '../callbacks/callbackUrl';
import { noteParked, noteRunning } from '../relay/deliveries';
import { missingOf, NO_RESULT, waitStatus } from './completion';
import type { ContinueWhen, ParkedWait } from './completion';

/** How a call waits for its result. */
export interface Wait {
	/** The kind of event that is its result. */
	event: CallEventName;
	continueWhen: ContinueWhen;
	/** How long to wait, in milliseconds, once the last call of the run was placed. */
	limit: number;
	/** Signed resume address, if results come through a relay, which ends the wait at its limit. */
	relayedTo?: string;
}

/** Maximum number of calls that one run of a node can wait for. */
export const MAX_CALLS = 500;

/**
 * How much later than the relay n8n's own timer ends the wait, in milliseconds. n8n arms its timers
 * up to 70 seconds ahead and never disarms them: a nearer one could end a later wait of the
 * execution.
 */
const TIMER_AFTER_MS = 180_000;

/** Where the parked execution keeps its wait: beside the input of the node, which n8n stores. */
const STORED = 'yuntongxunWait';

const runs = new WeakMap<object, WaitingRun>();

/** The waiting side of one run of a node, over all tries of n8n's Retry On Fail. */
export class WaitingRun {
	private readonly id = randomBytes(9).toString('base64url');

	private readonly placed = new Map<string, { wait: Wait; at: number }>();

	/** How many calls each item is to make. */
	private readonly counts = new Map<number, number>();

	private tries = 0;

	private own?: string;

	private constructor(private context: IExecuteFunctions) {}

	/** Begins one try. Call it before anything that can throw: n8n counts the try anyway. */
	static begin(context: IExecuteFunctions): WaitingRun {
		const execution = context.getExecuteData();
		const run = runs.get(execution) ?? new WaitingRun(context);
		runs.set(execution, run);
		run.context = context;
		run.tries++;
		return run;
	}

	/** The address at which this run takes results; not signed. Costs an expression the first time. */
	address(): string {
		if (this.own === undefined) {
			const resumeUrl = this.context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
			this.own = waitAddress(String(resumeUrl), this.id);
			noteRunning(this.id);
		}
		return this.own;
	}

	/** Notes how many calls an item is to make. @returns how many those of all items noted are */
	countCalls(item: number, calls: number): number {
		this.counts.set(item, calls);
		return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
	}

	/** Notes that the service has accepted a call that is to be waited for. */
	place(wait: Wait, { callSid }: IDataObject): void {
		this.placed.set(String(callSid), { wait, at: Date.now() });
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
		const calls = [...items.keys()].filter((position) => this.callOf(items[position]));
		if (calls.length === 0 || this.isTriedAgain(items)) return items;
		const placed = calls.flatMap((position) => this.callOf(items[position]) ?? []);
		const [{ wait }] = placed;
		const stored: ParkedWait = {
			id: this.id,
			event: wait.event,
			continueWhen: wait.continueWhen,
			until:
				Math.max(...placed.map(({ at }) => at)) +
				Math.max(...placed.map((call) => call.wait.limit)),
			calls,
		};
		const parked = items.map((item) =>
			this.callOf(item) ? { ...item, json: { ...item.json, ...NO_RESULT } } : { ...item },
		);
		const executeData = this.context.getExecuteData();
		executeData.data = {
			...executeData.data,
			main: [parked],
			[STORED]: [[{ json: { ...stored } }]],
		};
		const timer = stored.until + (wait.relayedTo === undefined ? 0 : TIMER_AFTER_MS);
		await this.context.putExecutionToWait(new Date(timer));
		if (wait.relayedTo !== undefined) {
			noteParked(this.context, wait.relayedTo, waitStatus(stored, missingOf(stored, parked)));
		}
		return parked.map((item) => ({ ...item }));
	}

	private callOf({ json }: INodeExecutionData) {
		return this.placed.get(String(json.callSid));
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

/** What a parked execution holds; n8n's own interface does not show it to a webhook. */
interface ParkedExecution {
	runExecutionData?: {
		executionData?: {
			nodeExecutionStack?: Array<{ data?: Record<string, INodeExecutionData[][] | undefined> }>;
		};
	};
}

/** The wait of the execution that a webhook is called for, and its parked items, in input order. */
export function parkedRun(
	context: object,
): { wait: ParkedWait; items: INodeExecutionData[] } | undefined {
	const { runExecutionData } = context as ParkedExecution;
	const data = runExecutionData?.executionData?.nodeExecutionStack?.[0]?.data;
	const stored = data?.[STORED]?.[0]?.[0]?.json;
	const items = data?.main?.[0];
	return stored && items ? { wait: stored as unknown as ParkedWait, items } : undefined;
}
