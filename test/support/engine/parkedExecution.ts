import { WebhookContext, WorkflowExecute } from 'n8n-core';
import type {
	IRun,
	IRunExecutionData,
	IWebhookData,
	IWebhookDescription,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { FakeResponse } from '../fakeN8n';
import type { Answer } from '../fakeN8n';
import { actionNode, additionalDataFor, buildWorkflow } from './engine';
import type { NodesOfTest, StoredCredential } from './engine';

/** One answer of a parked execution, and what became of it if it resumed. */
export interface Resumed {
	answer: Answer;
	run?: IRun;
}

/**
 * An execution that n8n has parked, as it comes out of n8n's database. Does what n8n does for one
 * request to its resume address.
 */
export class ParkedExecution {
	private readonly stored: string;

	constructor(
		run: IRun,
		private readonly definition: NodesOfTest,
		private readonly credential: StoredCredential,
	) {
		if (run.waitTill === undefined || run.waitTill === null) throw new Error('It is not parked');
		this.stored = JSON.stringify(run.data);
	}

	/** Delivers to the address of the wait, whole. */
	async deliver(url: string, body: string): Promise<Resumed> {
		const { workflow, data, name } = await this.load();
		const node = workflow.getNode(name);
		if (!node) throw new Error('The waiting node is gone');
		const [webhookDescription] = actionNode.description.webhooks as IWebhookDescription[];
		const { pathname, search } = new URL(url);
		const suffix = pathname.split('/')[3] ?? '';
		if (suffix !== webhookDescription.path) return { answer: { status: 404, count: 1 } };
		const response = new FakeResponse();
		const rawBody = Buffer.from(body);
		const request = { originalUrl: pathname + search, headers: {}, rawBody };
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
		if (!workflowData) return { answer: response.answer };
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		entry.data.main = workflowData;
		return { answer: response.answer, run: await this.resumed(data) };
	}

	/** What n8n's timer does when the limit has passed. */
	async timeOut(): Promise<IRun> {
		const { data } = await this.load();
		return await this.resumed(data);
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

	private async resumed(data: IRunExecutionData): Promise<IRun> {
		const workflow = await buildWorkflow(this.definition.nodes, this.definition.connections);
		const engine = new WorkflowExecute(
			additionalDataFor(workflow, this.credential),
			'webhook',
			data,
		);
		return await engine.processRunExecutionData(workflow);
	}
}
