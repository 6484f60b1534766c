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

/** Delivers one request to the trigger's webhook. */
export async function runTrigger(test: TriggerTest): Promise<TriggerRun> {
	const { body, parameters = {}, contentType } = test;
	const { url = '/webhook/4f9c/yuntongxun', credential = {} } = test;
	const bytes = Buffer.from(body);
	const request = {
		method: 'POST',
		originalUrl: url,
		headers: contentType === undefined ? {} : { 'content-type': contentType },
		query: {},
		params: {},
		body: bytes.toString(),
		contentType: contentType?.split(';')[0],
		rawBody: bytes,
	};
	const response = new FakeResponse();
	const own: INode = {
		...node('Trigger', TYPES.trigger, parameters),
		webhookId: '4f9c',
		...test.trigger,
	};
	if (!test.credential) delete own.credentials;
	const workflow = await buildWorkflow([own], {}, test.workflowId);
	const known = workflow.getNode(own.name);
	if (!known) throw new Error('The workflow has lost its trigger');
	const [webhookDescription] = triggerNode.description.webhooks as IWebhookDescription[];
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: known.name,
		path: '4f9c/yuntongxun',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalDataFor(workflow, {}),
	};
	const context = new WebhookContext(
		workflow,
		known,
		additionalDataFor(workflow, credential, {
			httpRequest: request as unknown as Request,
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
