import { randomUUID } from 'node:crypto';
import { fetchAlone, untilListening } from './http';
import { Execution, type RawExecution } from './storedExecution';
import { until } from './until';

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	webhookId?: string;
	/** Below its name on the canvas. */
	notes?: string;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
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

export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	active: boolean;
	versionId: string;
	/** What its nodes remember, as n8n has saved it. */
	staticData?: Record<string, unknown> | null;
}

/** What n8n tells its editor about a node or a credential type, as far as we read it. */
export interface TypeDescription {
	name: string;
	displayName: string;
	iconUrl?: string | { light: string; dark: string };
	/** Of a node type: the versions that this description is for. */
	version?: number | number[];
	properties: Array<{ name: string }>;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
}

interface MigrationReport {
	workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }>;
}

interface MigrationRule {
	affectedWorkflows: Array<{ name: string; issues: Array<{ nodeName?: string }> }>;
}

/** The login of a fresh n8n's owner. */
export interface Login {
	email: string;
	password: string;
}

/** n8n shows no more than this many executions at once. */
const EXECUTIONS_PAGE = 100;

/** Drives n8n through the REST interface that its own editor uses, in both generations. */
export class N8nRest {
	private cookie = '';
	private readonly browserId = randomUUID();

	/**
	 * @param url the editor's address, without a trailing slash
	 * @param generation major version of n8n
	 * @param webhookBase what production webhooks' addresses begin with, without a trailing slash
	 */
	constructor(
		private readonly url: string,
		private readonly generation: number,
		public webhookBase = `${url}/webhook`,
	) {}

	/** Whether n8n is ready for requests. */
	async isReady(): Promise<boolean> {
		try {
			const response = await fetch(`${this.url}/rest/settings`);
			const body: unknown = response.ok ? JSON.parse(await response.text()) : undefined;
			return body !== undefined;
		} catch {
			return false;
		}
	}

	/** Creates the owner of a fresh n8n and stays logged in as that user. */
	async setUpOwner(login: Login): Promise<void> {
		await this.request('POST', '/rest/owner/setup', {
			...login,
			firstName: 'Yuntongxun',
			lastName: 'Demo',
		});
	}

	/** Logs in as a user of an n8n that has been set up before. */
	async logIn({ email, password }: Login): Promise<void> {
		await this.request('POST', '/rest/login', { email, emailOrLdapLoginId: email, password });
	}

	/** Descriptions of the nodes n8n has loaded. */
	async nodeTypes(): Promise<TypeDescription[]> {
		return await this.plain('GET', '/types/nodes.json');
	}

	/** Descriptions of the credential types n8n has loaded. */
	async credentialTypes(): Promise<TypeDescription[]> {
		return await this.plain('GET', '/types/credentials.json');
	}

	/** The packages that n8n lists under Community nodes. */
	async communityPackages(): Promise<unknown[]> {
		return await this.request('GET', '/rest/community-packages');
	}

	/**
	 * A file that n8n serves to its editor, such as an icon.
	 *
	 * @param path as in `iconUrl`
	 */
	async file(path: string): Promise<string> {
		return await this.text('GET', `/${path}`);
	}

	/**
	 * Stores a credential.
	 *
	 * @returns its id
	 */
	async createCredential(type: string, name: string, data: object): Promise<string> {
		const { id } = await this.request<{ id: string }>('POST', '/rest/credentials', {
			type,
			name,
			data,
		});
		return id;
	}

	/** Stores other values for a credential. */
	async updateCredential(id: string, type: string, name: string, data: object): Promise<void> {
		await this.request('PATCH', `/rest/credentials/${id}`, { type, name, data });
	}

	/** Deletes a stored credential, whoever uses it. */
	async deleteCredential(id: string): Promise<void> {
		await this.request('DELETE', `/rest/credentials/${id}`);
	}

	/** Tests a stored credential, as the editor does on saving, with the values it holds. */
	async testCredential(
		id: string,
		type: string,
		name: string,
		data: object,
	): Promise<CredentialTestResult> {
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Stores a workflow, inactive, as an import does. */
	async createWorkflow(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		return await this.request('POST', '/rest/workflows', {
			...workflow,
			nodes: workflow.nodes.map((node) => ({ id: randomUUID(), ...node })),
			settings: workflow.settings ?? {},
			active: false,
		});
	}

	/**
	 * Copies a workflow as a script does: reads it from n8n's public API and creates another with the same
	 * nodes.
	 */
	async copyOverPublicApi({ id }: StoredWorkflow): Promise<StoredWorkflow> {
		const { rawApiKey } = await this.request<{ rawApiKey: string }>('POST', '/rest/api-keys', {
			label: randomUUID(),
			scopes: ['workflow:read', 'workflow:create'],
			expiresAt: null,
		});
		const key = { 'x-n8n-api-key': rawApiKey };
		const path = '/api/v1/workflows';
		const original = await this.plain<StoredWorkflow>('GET', `${path}/${id}`, undefined, key);
		const { name, nodes, connections } = original;
		const copy = { name, nodes, connections, settings: {} };
		return await this.plain('POST', path, copy, key);
	}

	/** A stored workflow. */
	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/** Saves other nodes for a workflow, without activating them. */
	async updateNodes({ id, versionId }: StoredWorkflow, nodes: WorkflowNode[]): Promise<void> {
		await this.request('PATCH', `/rest/workflows/${id}`, { versionId, nodes });
	}

	/** Activates a workflow and waits until its webhooks answer: 2.x activates in the background. */
	async activate({ id }: { id: string }): Promise<void> {
		const { versionId, nodes } = await this.workflow(id);
		await (this.generation === 1
			? this.request('PATCH', `/rest/workflows/${id}`, { active: true, versionId })
			: this.request('POST', `/rest/workflows/${id}/activate`, { versionId }));
		for (const node of nodes) {
			if (node.type.endsWith('yuntongxunTrigger')) {
				await untilListening(this.triggerUrl(node));
			} else if (node.type === 'n8n-nodes-base.webhook' && node.parameters.httpMethod === 'POST') {
				await untilListening(this.webhookUrl(node));
			}
		}
	}

	/**
	 * Creates a data table in the owner's project.
	 *
	 * @param columns types by name
	 * @returns its id
	 */
	async createDataTable(
		name: string,
		columns: Record<string, 'string' | 'number'>,
	): Promise<string> {
		const { id } = await this.request<{ id: string }>('POST', await this.dataTablesPath(), {
			name,
			columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
		});
		return id;
	}

	/** The rows of a data table, the oldest first, with n8n's own columns. */
	async dataTableRows(id: string): Promise<Array<Record<string, unknown>>> {
		const { data } = await this.request<{ data: Array<Record<string, unknown>> }>(
			'GET',
			`${await this.dataTablesPath()}/${id}/rows`,
		);
		return data;
	}

	/** Puts rows into a data table, by the names of its columns. */
	async insertRows(id: string, rows: Array<Record<string, string | number | null>>): Promise<void> {
		await this.request('POST', `${await this.dataTablesPath()}/${id}/insert`, {
			data: rows,
			returnType: 'count',
		});
	}

	private async dataTablesPath(): Promise<string> {
		const { id } = await this.request<{ id: string }>('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/**
	 * Writes to a hosted chat as the user who is logged in; the workflow has to be active.
	 *
	 * @returns the id of the execution that it starts
	 */
	async chat({ name, webhookId }: WorkflowNode, chatInput: string): Promise<string> {
		if (!webhookId) throw new Error(`The node "${name}" has no webhook id`);
		const { executionId } = await this.plain<{ executionId: string }>(
			'POST',
			`/webhook/${webhookId}/chat`,
			{ action: 'sendMessage', chatInput, sessionId: randomUUID() },
		);
		return executionId;
	}

	/** Deactivates a workflow. */
	async deactivate({ id }: { id: string }): Promise<void> {
		const { versionId } = await this.workflow(id);
		await (this.generation === 1
			? this.request('PATCH', `/rest/workflows/${id}`, { active: false, versionId })
			: this.request('POST', `/rest/workflows/${id}/deactivate`, {}));
	}

	/**
	 * Production address of a Yuntongxun Trigger.
	 *
	 * @throws Error if the node has no webhook id
	 */
	triggerUrl(node: WorkflowNode): string {
		if (!node.webhookId) throw new Error(`The node "${node.name}" has no webhook id`);
		return `${this.webhookBase}/${node.webhookId}/yuntongxun`;
	}

	/** Production address of a Webhook node. */
	webhookUrl({ parameters }: WorkflowNode): string {
		return `${this.webhookBase}/${String(parameters.path)}`;
	}

	/**
	 * Starts a workflow by hand.
	 *
	 * @param triggerName the trigger node to start from
	 * @returns the execution's id
	 */
	async run(workflow: StoredWorkflow, triggerName: string): Promise<string> {
		return await this.runUnsaved(await this.workflow(workflow.id), triggerName);
	}

	/** The same with what the editor shows, which has not been saved. */
	async runUnsaved(workflow: StoredWorkflow, triggerName: string): Promise<string> {
		const answer = await this.request<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			{ workflowData: workflow, triggerToStartFrom: { name: triggerName } },
		);
		if (!answer.executionId) throw new Error(`n8n did not start: ${JSON.stringify(answer)}`);
		return answer.executionId;
	}

	/** Starts a workflow by hand and waits for its end. */
	async runToEnd(
		workflow: StoredWorkflow,
		triggerName: string,
		timeoutMs?: number,
	): Promise<Execution> {
		return await this.ended(await this.run(workflow, triggerName), timeoutMs);
	}

	/** Stops a running execution, like the button in the editor. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/stop`, {});
	}

	/** Retries an execution from the node that it ended at, with the workflow of then or as it is saved now. */
	async retryExecution(id: string, { loadWorkflow = false } = {}): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow });
	}

	/**
	 * The number of executions of a workflow.
	 *
	 * @param status only those of this status
	 */
	async countExecutions({ id }: { id: string }, status?: string): Promise<number> {
		const filter = { workflowId: id, ...(status !== undefined && { status: [status] }) };
		const { count } = await this.request<{ count: number }>(
			'GET',
			`/rest/executions?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`,
		);
		return count;
	}

	/** The executions of a workflow, the newest first; at most 100. */
	async listExecutions({ id }: { id: string }): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.request<{ results: ExecutionSummary[] }>(
			'GET',
			`/rest/executions?limit=${EXECUTIONS_PAGE}&filter=${filter}`,
		);
		return results;
	}

	/** One execution with its data. */
	async execution(id: string): Promise<Execution> {
		return new Execution(await this.request<RawExecution>('GET', `/rest/executions/${id}`));
	}

	/**
	 * What of all stored workflows a coming version of n8n does otherwise, as n8n itself reports it.
	 *
	 * @returns each as `rule: workflow, node`
	 */
	async reportMigration(version: 'v3'): Promise<string[]> {
		const { report } = await this.request<{ report: MigrationReport }>(
			'POST',
			`/rest/breaking-changes/report/refresh?version=${version}`,
		);
		const hit = report.workflowResults.filter((rule) => rule.nbAffectedWorkflows > 0);
		const hits = hit.map(async ({ ruleId }) => {
			const path = `/rest/breaking-changes/report/${ruleId}`;
			const { affectedWorkflows } = await this.request<MigrationRule>('GET', path);
			return affectedWorkflows.flatMap(({ name, issues }) =>
				issues.map(({ nodeName = '' }) => `${ruleId}: ${name}, ${nodeName}`),
			);
		});
		return (await Promise.all(hits)).flat();
	}

	/** Does what starts an execution of a workflow. @returns its id, and what the act gave */
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

	/** The execution, once it waits and more about it is so. */
	async waiting(
		id: string,
		isSo: (execution: Execution) => boolean = () => true,
	): Promise<Execution> {
		return await this.findIn(id, 'the wait', (execution) =>
			execution.status === 'waiting' && isSo(execution) ? execution : undefined,
		);
	}

	/** One execution, once it has ended and its data is stored. @param everyMs the pause between two looks */
	async ended(id: string, timeoutMs = 60_000, everyMs?: number): Promise<Execution> {
		return await until(
			`the end of execution ${id}`,
			async () => {
				const execution = await this.execution(id);
				return execution.isComplete ? execution : undefined;
			},
			{ timeoutMs, everyMs },
		);
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		const { data } = await this.plain<{ data: T }>(method, path, body);
		return data;
	}

	private async plain<T>(
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	): Promise<T> {
		return JSON.parse(await this.text(method, path, body, headers)) as T;
	}

	private async text(
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	): Promise<string> {
		const response = await fetchAlone(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': this.browserId,
				cookie: this.cookie,
				...(body ? { 'content-type': 'application/json' } : {}),
				...headers,
			},
			body: body ? JSON.stringify(body) : undefined,
		});
		const text = await response.text();
		if (!response.ok) {
			const words = text.slice(0, 500);
			throw new Error(`n8n answered ${method} ${path} with HTTP ${response.status}: ${words}`);
		}
		const authCookie = response.headers
			.getSetCookie()
			.find((cookie) => cookie.startsWith('n8n-auth='));
		if (authCookie) this.cookie = authCookie.split(';')[0];
		return text;
	}
}
