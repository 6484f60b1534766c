import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { awaitedAction, executeOperation } from './action';
import { RESUME_WEBHOOKS, resumeWithResult } from './callResult/waiting';
import { RESOURCES } from './resources';
import { propertiesOf, subtitleOf } from './resources/properties';
import { searchSubAccounts } from './resources/subAccount/search';

export class Yuntongxun implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Yuntongxun',
		name: 'yuntongxun',
		icon: { light: 'file:yuntongxun.svg', dark: 'file:yuntongxun.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(RESOURCES),
		description:
			'Call phones, send texts and manage accounts with Yuntongxun (容联云通讯, Cloopen)',
		defaults: { name: 'Yuntongxun' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'yuntongxunApi', required: true }],
		webhooks: RESUME_WEBHOOKS,
		properties: propertiesOf(RESOURCES, 'call'),
	};

	methods = { listSearch: { searchSubAccounts } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeOperation(this)];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeWithResult(this, awaitedAction(this));
	}
}
