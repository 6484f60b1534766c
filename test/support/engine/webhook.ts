import { WebhookContext } from 'n8n-core';
import type {
	INode,
	INodeExecutionData,
	INodeParameters,
	IWebhookData,
	IWebhookDescription,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { FakeResponse } from '../fakeN8n';
import type { Answer } from '../fakeN8n';
import { additionalDataFor, node, triggerNode, TYPES, buildWorkflow } from './engine';
import type { StoredCredential } from './engine';

type Request = NonNullable<IWorkflowExecuteAdditionalData['httpRequest']>;
type Response = NonNullable<IWorkflowExecuteAdditionalData['httpResponse']>;

export interface TriggerTest {
	body: string | Buffer;
	parameters?: INodeParameters;
	/** Path and query, as they arrive. */
	url?: string;
	/** The trigger itself; one of this name with the webhook id 4f9c unless given. */
	trigger?: INode;
	/** Another workflow each time unless given. */
	workflowId?: string;
	/** Of the trigger; without one it takes results from anybody. */
	credential?: StoredCredential;
	/** Undefined for a request without the header. */
	contentType?: string;
}

export interface TriggerRun {
	answer: Answer;
	/** Items that start an execution; undefined where none is started. */
	items?: INodeExecutionData[];
}

/** What n8n hands over of a request. */
function buildRequest({ body, contentType, url = '/webhook/4f9c/yuntongxun' }: TriggerTest) {
	const rawBody = Buffer.from(body);
	const request = {
		method: 'POST',
		originalUrl: url,
		headers: contentType === undefined ? {} : { 'content-type': contentType },
		query: {},
		params: {},
		body: rawBody.toString(),
		contentType: contentType?.split(';')[0],
		rawBody,
	};
	return request as unknown as Request;
}

function buildTrigger({ parameters, trigger, credential }: TriggerTest): INode {
	const own: INode = {
		...node('Trigger', TYPES.trigger, parameters),
		webhookId: '4f9c',
		...trigger,
	};
	if (!credential) delete own.credentials;
	return own;
}

/** Delivers one request to the trigger's webhook. */
export async function runTrigger(test: TriggerTest): Promise<TriggerRun> {
	const response = new FakeResponse();
	const trigger = buildTrigger(test);
	const workflow = await buildWorkflow([trigger], {}, test.workflowId);
	const [webhookDescription] = triggerNode.description.webhooks as IWebhookDescription[];
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: trigger.name,
		path: '4f9c/yuntongxun',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalDataFor(workflow, {}),
	};
	const context = new WebhookContext(
		workflow,
		workflow.getNode(trigger.name) as INode,
		additionalDataFor(workflow, test.credential ?? {}, {
			httpRequest: buildRequest(test),
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
