import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

const PAUSE_MS = 300;

/**
 * The least that a community trigger can do: starts the workflow, answers through n8n. With
 * `resume` in its query it starts nothing and posts to that address until n8n takes it.
 */
export class BareTrigger implements INodeType {
	readonly description: INodeTypeDescription = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow with what is posted to it',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'taken',
				path: 'bare',
			},
		],
		properties: [],
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { resume } = this.getQueryData() as { resume?: string };
		if (resume === undefined) return { workflowData: [[{ json: { at: Date.now() } }]] };
		const hand = async () => {
			for (;;) {
				const status = await this.helpers
					.httpRequest({ url: resume, method: 'POST', body: {}, returnFullResponse: true })
					.then(() => 200)
					.catch(() => 0);
				if (status === 200) return;
				await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
			}
		};
		void hand();
		return { webhookResponse: 'taken' };
	}
}
