import { parse as parseFlatted } from 'flatted';

export interface OutputItem {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
	/** What a chat node says. */
	sendMessage?: string | ChatQuestion;
}

/** A chat message with buttons. */
export interface ChatQuestion {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

export interface NodeRun {
	/** Milliseconds. */
	executionTime?: number;
	error?: RunError;
	/** By kind of connection; `ai_tool` for the tools of an agent. */
	data?: Partial<Record<'main' | 'ai_tool', Array<OutputItem[] | null>>>;
}

export interface RunError {
	name?: string;
	message: string;
	description?: string | null;
	context?: Record<string, unknown>;
}

interface RunData {
	/** The latest end of its wait; absent once it has gone on. */
	waitTill?: string;
	/** What is left to run; absent before it begins. */
	executionData?: { nodeExecutionStack: unknown[] };
	resultData: { error?: RunError; runData: Record<string, NodeRun[]> };
}

/** What `GET /rest/executions/:id` answers, as far as we read it. */
export interface RawExecution {
	id: string;
	status: string;
	data: string;
}

/** One run of a workflow, as n8n has stored it. */
export class Execution {
	readonly id: string;
	readonly status: string;
	/** Everything n8n stored about it, as text, to search for secrets. */
	readonly storedText: string;
	private readonly result: RunData['resultData'] | undefined;
	private readonly isParked: boolean;
	private readonly isCutShort: boolean;

	constructor(raw: RawExecution) {
		this.id = raw.id;
		this.status = raw.status;
		this.storedText = raw.data;
		const data = parseFlatted(raw.data) as RunData | undefined;
		this.result = data?.resultData;
		this.isParked = Boolean(data?.waitTill);
		this.isCutShort = (data?.executionData?.nodeExecutionStack ?? []).length > 0;
	}

	/**
	 * Whether it has ended and its data has been written, which on 1.123 is a moment later. What was
	 * resumed or retried has older data until then, in which nodes are left to run and none failed.
	 */
	get isComplete(): boolean {
		const ended = !['new', 'running', 'waiting'].includes(this.status);
		if (!ended || this.isParked) return false;
		if (this.error !== undefined) return true;
		const isOlder = this.isCutShort && ['success', 'error'].includes(this.status);
		return this.nodesRun.length > 0 && !isOlder;
	}

	/** The error that ended the execution, if any. */
	get error(): RunError | undefined {
		return this.result?.error;
	}

	/** Names of the nodes that have run. */
	get nodesRun(): string[] {
		return Object.keys(this.result?.runData ?? {});
	}

	/** All runs of a node; empty if it has not run. */
	getRuns(nodeName: string): NodeRun[] {
		return this.result?.runData[nodeName] ?? [];
	}

	/**
	 * The items of a node's last run.
	 *
	 * @param output index of the output, 0 the first
	 */
	getItems(nodeName: string, output = 0): OutputItem[] {
		return this.getRuns(nodeName).at(-1)?.data?.main?.[output] ?? [];
	}
}
