import { parse as parseFlatted } from 'flatted';

export interface OutputItem {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	/** What a chat node says, perhaps with buttons. */
	sendMessage?: string | { text: string; buttons: Array<{ text: string; link: string }> };
}

interface NodeRun {
	/** Milliseconds. */
	executionTime?: number;
	error?: { message: string };
	/** By kind of connection; `ai_tool` for the tools of an agent. */
	data?: Partial<Record<'main' | 'ai_tool', Array<OutputItem[] | null>>>;
}

interface RunData {
	/** The latest end of its wait; absent once it has gone on. */
	waitTill?: string;
	/** What is left to run; absent before it begins. */
	executionData?: { nodeExecutionStack: unknown[] };
	resultData: { error?: { message: string }; runData: Record<string, NodeRun[]> };
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
	private readonly data: RunData | undefined;

	constructor({ id, status, data }: RawExecution) {
		this.id = id;
		this.status = status;
		this.storedText = data;
		this.data = parseFlatted(data) as RunData | undefined;
	}

	/**
	 * Whether it has ended and its data has been written, which on 1.123 is a moment later. Until
	 * then a resumed or retried one has older data, in which nodes are left to run and none failed.
	 */
	get isComplete(): boolean {
		const hasEnded = !['new', 'running', 'waiting'].includes(this.status);
		if (!hasEnded || this.data?.waitTill) return false;
		if (this.error !== undefined) return true;
		const isCutShort = (this.data?.executionData?.nodeExecutionStack ?? []).length > 0;
		const isOlder = isCutShort && ['success', 'error'].includes(this.status);
		return this.nodesRun.length > 0 && !isOlder;
	}

	/** The error that ended the execution, if any. */
	get error(): { message: string } | undefined {
		return this.data?.resultData.error;
	}

	/** Names of the nodes that have run. */
	get nodesRun(): string[] {
		return Object.keys(this.data?.resultData.runData ?? {});
	}

	/** All runs of a node; empty if it has not run. */
	getRuns(nodeName: string): NodeRun[] {
		return this.data?.resultData.runData[nodeName] ?? [];
	}

	/** The items that a node's last run gave through its first output. */
	getItems(nodeName: string): OutputItem[] {
		return this.getRuns(nodeName).at(-1)?.data?.main?.[0] ?? [];
	}
}
