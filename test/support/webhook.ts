import type { Socket } from 'node:net';

import { WebhookContext } from 'n8n-core';
import type {
	INode,
	INodeExecutionData,
	IWebhookData,
	IWebhookDescription,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { additionalDataFor, buildWorkflow, triggerNode } from './engine';
import type { StoredCredential } from './engine';
import { FakeResponse } from './fakeN8n';
import type { Answer } from './fakeN8n';

type Request = NonNullable<IWorkflowExecuteAdditionalData['httpRequest']>;
type Response = NonNullable<IWorkflowExecuteAdditionalData['httpResponse']>;

/** A request to the webhook of a trigger. */
interface Delivery {
	trigger: INode;
	body: string | Buffer;
	/** Path and query, as they arrive. */
	url?: string;
	/** The connection on which it comes. */
	socket?: Socket;
	/** Another workflow each time unless given. */
	workflowId?: string;
	/** Of the trigger; without one it takes results from anybody. */
	credential?: StoredCredential;
}

/** What comes of it. */
export interface Delivered {
	answer: Answer;
	/** Items that start an execution; undefined where none is started. */
	items?: INodeExecutionData[];
}

/** What n8n hands over of a request. */
function buildRequest({ body, socket, url = '/webhook/4f9c/yuntongxun' }: Delivery): Request {
	const rawBody = Buffer.from(body);
	const given = { originalUrl: url, rawBody, socket };
	return { method: 'POST', headers: {}, query: {}, params: {}, ...given } as unknown as Request;
}

/** Delivers one request to the trigger's webhook. */
export async function runTrigger(delivery: Delivery): Promise<Delivered> {
	const { credential, workflowId } = delivery;
	const trigger = credential ? delivery.trigger : { ...delivery.trigger, credentials: undefined };
	const response = new FakeResponse();
	const workflow = await buildWorkflow([trigger], {}, workflowId);
	const [webhookDescription] = triggerNode.description.webhooks as IWebhookDescription[];
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: trigger.name,
		path: `${trigger.webhookId}/yuntongxun`,
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalDataFor(workflow, {}),
	};
	const context = new WebhookContext(
		workflow,
		workflow.getNode(trigger.name) as INode,
		additionalDataFor(workflow, credential ?? {}, {
			httpRequest: buildRequest(delivery),
			httpResponse: response as unknown as Response,
		}),
		'trigger',
		webhookData,
		[],
		null,
	);
	const { workflowData, webhookResponse } = await triggerNode.webhook.call(context);
	// n8n answers a delivery that starts an execution by the webhook's description.
	response.endLikeN8n(workflowData ? webhookDescription.responseData : webhookResponse);
	return { answer: response.answer, items: workflowData?.flat() };
}
