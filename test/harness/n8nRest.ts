import { randomUUID } from 'node:crypto';
import { fetchAlone } from './http';
import { Execution, type RawExecution } from './storedExecution';
import { until } from './until';

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	webhookId?: string;
}

export interface WorkflowDefinition {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: string; index: number }> | null> }
	>;
	settings?: Record<string, unknown>;
	/** Items that replace a node's output in a manual run. */
	pinData?: Record<string, Array<{ json: Record<string, unknown> }>>;
}

type StoredStatus = { id: string; status: string };

export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	versionId: string;
}

/** Drives n8n through the REST interface that its own editor uses, in both generations. */
export class N8nRest {
	private cookie = '';
	private readonly browserId = randomUUID();

	/**
	 * @param url the editor's address, without a trailing slash
	 * @param webhookBase what production webhooks' addresses begin with, without a trailing slash
	 */
	constructor(
		private readonly url: string,
		private readonly isFirstGeneration: boolean,
		public webhookBase: string,
	) {}

	/** Creates the owner of a fresh n8n and stays logged in as that user. */
	async setUpOwner(login: { email: string; password: string }): Promise<void> {
		await this.post('/rest/owner/setup', { ...login, firstName: 'Yuntongxun', lastName: 'Demo' });
	}

	/** Stores a credential. @returns its id */
	async createCredential(type: string, name: string, data: object): Promise<string> {
		return (await this.post<{ id: string }>('/rest/credentials', { type, name, data })).id;
	}

	/** Tests a stored credential, as the editor does on saving, with the values it holds. */
	async testCredential(
		id: string,
		type: string,
		name: string,
		data: object,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.post('/rest/credentials/test', { credentials: { id, name, type, data } });
	}

	/** Stores a workflow, inactive, as an import does. */
	async createWorkflow(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		const nodes = workflow.nodes.map((node) => ({ id: randomUUID(), ...node }));
		return await this.post('/rest/workflows', { settings: {}, ...workflow, nodes, active: false });
	}

	/** Activates a workflow and waits until its webhooks answer: 2.x activates in the background. */
	async activate({ id, versionId, nodes }: StoredWorkflow): Promise<void> {
		const path = `/rest/workflows/${id}`;
		if (this.isFirstGeneration) await this.request('PATCH', path, { active: true, versionId });
		else await this.post(`${path}/activate`, { versionId });
		for (const { type, parameters, webhookId } of nodes) {
			const isOurs = type.endsWith('yuntongxunTrigger');
			const isHook = type === 'n8n-nodes-base.webhook' && parameters.httpMethod === 'POST';
			if (!isOurs && !isHook) continue;
			const end = isOurs ? `${webhookId}/yuntongxun` : String(parameters.path);
			// n8n answers a GET with the hint that the path takes only POST.
			await until(`n8n to listen at ${end}`, async () => {
				const words = await (await fetch(`${this.webhookBase}/${end}`)).text();
				return words.includes('make a POST request') || undefined;
			});
		}
	}

	/** Production address of a Yuntongxun Trigger. */
	triggerUrl({ webhookId }: WorkflowNode): string {
		return `${this.webhookBase}/${webhookId}/yuntongxun`;
	}

	/**
	 * Starts a workflow by hand.
	 *
	 * @param triggerName the trigger node to start from
	 * @returns the execution's id
	 */
	async run({ id }: StoredWorkflow, triggerName: string): Promise<string> {
		const workflowData = await this.get<StoredWorkflow>(`/rest/workflows/${id}`);
		const { executionId } = await this.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
			workflowData,
			triggerToStartFrom: { name: triggerName },
		});
		return executionId;
	}

	/** Starts a workflow by hand and waits for its end. */
	async runToEnd(
		workflow: StoredWorkflow,
		triggerName: string,
		timeoutMs?: number,
	): Promise<Execution> {
		return await this.ended(await this.run(workflow, triggerName), timeoutMs);
	}

	/** Retries an execution from the node that it ended at, with the workflow of then or as it is saved now. */
	async retryExecution(id: string, { loadWorkflow = false } = {}): Promise<void> {
		await this.post(`/rest/executions/${id}/retry`, { loadWorkflow });
	}

	/** The number of executions of a workflow, perhaps only of those of a status. */
	async countExecutions({ id }: { id: string }, status?: string): Promise<number> {
		return (await this.findExecutions(id, 1, status)).count;
	}

	/** The executions of a workflow, the newest first; at most 100. */
	async listExecutions({ id }: { id: string }): Promise<StoredStatus[]> {
		return (await this.findExecutions(id, 100)).results;
	}

	private async findExecutions(workflowId: string, limit: number, status?: string) {
		const filter = { workflowId, ...(status !== undefined && { status: [status] }) };
		const query = `limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
		return await this.get<{ count: number; results: StoredStatus[] }>(`/rest/executions?${query}`);
	}

	/** Waits until so many executions of a workflow have ended, in whatever way. */
	async allEnded(workflow: { id: string }, wanted: number, timeoutMs: number): Promise<void> {
		const statuses = ['success', 'error', 'crashed', 'canceled'];
		await until(
			`the end of ${wanted} executions`,
			async () => {
				const all = statuses.map(async (each) => await this.countExecutions(workflow, each));
				const counts = await Promise.all(all);
				return counts.reduce((one, other) => one + other) >= wanted || undefined;
			},
			{ timeoutMs, everyMs: 500 },
		);
	}

	/** One execution with its data. */
	async execution(id: string): Promise<Execution> {
		return new Execution(await this.get<RawExecution>(`/rest/executions/${id}`));
	}

	/** Does something that starts an execution. @returns the execution's id, and what the act returned */
	async startBy<T>(
		workflow: StoredWorkflow,
		act: () => Promise<T>,
	): Promise<{ id: string; given: T }> {
		const before = new Set((await this.listExecutions(workflow)).map(({ id }) => id));
		const given = await act();
		const id = await until('what that starts', async () => {
			const started = (await this.listExecutions(workflow)).find((each) => !before.has(each.id));
			return started?.id;
		});
		return { id, given };
	}

	/**
	 * Waits until something is to be found in an execution.
	 *
	 * @throws Error in the execution's own words if it fails meanwhile
	 */
	async findIn<T>(
		id: string,
		what: string,
		find: (execution: Execution) => T | undefined,
	): Promise<T> {
		return await until(`${what} in execution ${id}`, async () => {
			const execution = await this.execution(id);
			if (execution.error) throw new Error(execution.error.message);
			return find(execution);
		});
	}

	/** The execution, once it waits and `isSo` holds. */
	async waiting(
		id: string,
		isSo: (execution: Execution) => boolean = () => true,
	): Promise<Execution> {
		return await this.findIn(id, 'the wait', (execution) =>
			execution.status === 'waiting' && isSo(execution) ? execution : undefined,
		);
	}

	/** One execution, once it has ended and its data is stored. */
	async ended(id: string, timeoutMs = 60_000): Promise<Execution> {
		const readEnded = async () => {
			const execution = await this.execution(id);
			return execution.isComplete ? execution : undefined;
		};
		return await until(`the end of execution ${id}`, readEnded, { timeoutMs });
	}

	/** Reads something, as the editor does. */
	async get<T>(path: string): Promise<T> {
		return await this.request('GET', path);
	}

	/** Does something, as a click in the editor does. */
	async post<T>(path: string, body: object): Promise<T> {
		return await this.request('POST', path, body);
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		return (JSON.parse(await this.send(method, path, body)) as { data: T }).data;
	}

	/**
	 * Sends a request as the user who is logged in.
	 *
	 * @returns the text of the answer
	 * @throws Error where n8n refuses it
	 */
	async send(method: string, path: string, body?: object): Promise<string> {
		const response = await fetchAlone(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': this.browserId,
				cookie: this.cookie,
				...(body ? { 'content-type': 'application/json' } : {}),
			},
			body: body ? JSON.stringify(body) : undefined,
		});
		const text = await response.text();
		if (!response.ok) {
			const words = text.slice(0, 500);
			throw new Error(`n8n answered ${method} ${path} with HTTP ${response.status}: ${words}`);
		}
		const cookie = response.headers.getSetCookie().find((each) => each.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0];
		return text;
	}
}
