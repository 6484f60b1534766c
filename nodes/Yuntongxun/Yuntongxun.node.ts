import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { executeNode } from './executor/executeNode';
import { translate } from './language/translate';
import { searchTemplates } from './listSearch/searchTemplates';
import { buildProperties, buildSubtitle } from './operation/properties';
import { RESOURCES } from './resources';
import { findEarlierOutput } from './waiting/parkedWait';
import { answerKnock, RESUME_WEBHOOKS } from './waiting/resumeWebhook';

export class Yuntongxun implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Yuntongxun',
		name: 'yuntongxun',
		icon: { light: 'file:yuntongxun.svg', dark: 'file:yuntongxun.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: buildSubtitle(RESOURCES),
		description: translate(
			'Make calls, send SMS and react to call results with Yuntongxun (Cloopen)',
		),
		defaults: { name: 'Yuntongxun' },
		usableAsTool: true,
		waitingNodeTooltip: translate(
			'Waiting for the result of the call, which the service reports when the call has ended',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'yuntongxunApi', required: true }],
		webhooks: RESUME_WEBHOOKS,
		properties: buildProperties(RESOURCES, 'call'),
	};

	methods = { listSearch: { searchTemplates } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [findEarlierOutput(this) ?? (await executeNode(this, RESOURCES))];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answerKnock(this);
	}
}
