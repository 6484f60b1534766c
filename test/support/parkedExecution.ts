import { WebhookContext, WorkflowExecute } from 'n8n-core';
import type {
	IRun,
	IRunExecutionData,
	IWebhookData,
	IWebhookDescription,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { actionNode, additionalDataFor, buildWorkflow } from './engine';
import type { NodesOfTest, StoredCredential } from './engine';
import { FakeResponse } from './fakeN8n';
import type { Answer } from './fakeN8n';

/**
 * An execution that n8n has parked, as it comes out of n8n's database. Does what n8n does for knocks at
 * its resume address, for its timer, and for a retry.
 */
export class ParkedExecution {
	/** What became of it, each time that it went on. */
	readonly runs: IRun[] = [];

	/** As n8n stores it: parked, and then when it begins to go on. */
	private stored: string;

	constructor(
		run: IRun,
		private readonly definition: NodesOfTest,
		private readonly credential: StoredCredential,
	) {
		if (run.waitTill === undefined || run.waitTill === null) throw new Error('It is not parked');
		this.stored = JSON.stringify(run.data);
	}

	/** Takes one knock. @param path with its query */
	async knock(path: string): Promise<Answer> {
		const { workflow, data, name } = await this.load();
		const node = workflow.getNode(name);
		if (!node) throw new Error('The waiting node is gone');
		const [webhookDescription] = actionNode.description.webhooks as IWebhookDescription[];
		const suffix = path.split(/[/?]/)[3];
		if (suffix !== webhookDescription.path) return { status: 404, count: 1 };
		const response = new FakeResponse();
		const request = { originalUrl: path, headers: {} };
		const webhookData = { node: name, webhookDescription } as unknown as IWebhookData;
		const context = new WebhookContext(
			workflow,
			node,
			additionalDataFor(workflow, this.credential, {
				httpRequest: request as unknown as IWorkflowExecuteAdditionalData['httpRequest'],
				httpResponse: response as unknown as IWorkflowExecuteAdditionalData['httpResponse'],
			}),
			'webhook',
			webhookData,
			[],
			data,
		);
		const { workflowData, webhookResponse } = await actionNode.webhook.call(context);
		response.endLikeN8n(workflowData ? webhookDescription.responseData : webhookResponse);
		if (workflowData) {
			const [entry] = data.executionData?.nodeExecutionStack ?? [];
			entry.data.main = workflowData;
			this.stored = JSON.stringify(data);
			void this.goOn(data);
		}
		return response.answer;
	}

	/** What n8n's timer does when the limit has passed. */
	async timeOut(): Promise<IRun> {
		const { data } = await this.load();
		return await this.goOn(data);
	}

	/** What n8n does when somebody retries it with the workflow as it is saved now. */
	async retry(): Promise<IRun> {
		const data = JSON.parse(this.stored) as IRunExecutionData;
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		entry.node = this.definition.nodes.find(({ name }) => name === entry.node.name) ?? entry.node;
		data.waitTill = undefined;
		return await this.goOn(data);
	}

	private async load() {
		const data = JSON.parse(this.stored) as IRunExecutionData;
		const name = data.resultData.lastNodeExecuted ?? '';
		data.waitTill = undefined;
		data.resultData.runData[name].pop();
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		entry.node.disabled = true;
		const workflow = await buildWorkflow(this.definition.nodes, this.definition.connections);
		return { workflow, data, name };
	}

	private async goOn(data: IRunExecutionData): Promise<IRun> {
		const workflow = await buildWorkflow(this.definition.nodes, this.definition.connections);
		const engine = new WorkflowExecute(
			additionalDataFor(workflow, this.credential),
			'webhook',
			data,
		);
		const run = await engine.processRunExecutionData(workflow);
		this.runs.push(run);
		return run;
	}
}
