import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

const HOUR_MS = 60 * 60_000;

/**
 * The least that a node can do to wait: parks, and has its own resume address posted to a trigger
 * a while later, through somebody who plays the service.
 */
export class BareWait implements INodeType {
	readonly description: INodeTypeDescription = {
		displayName: 'Bare Wait',
		name: 'bareWait',
		group: ['output'],
		version: 1,
		description: 'Parks the execution until its address is posted to',
		defaults: { name: 'Bare Wait' },
		inputs: ['main'],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'on',
				path: '',
				isFullPath: true,
				restartWebhook: true,
			},
		],
		properties: [{ displayName: 'Service', name: 'service', type: 'string', default: '' }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resume = String(this.evaluateExpression('{{ $execution.resumeUrl }}', 0));
		await this.helpers.httpRequest({
			url: this.getNodeParameter('service', 0) as string,
			method: 'POST',
			body: { resume },
		});
		await this.putExecutionToWait(new Date(Date.now() + HOUR_MS));
		return [this.getInputData().map((item) => ({ ...item }))];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return { workflowData: [[{ json: { at: Date.now() } }]] };
	}
}
