import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { TRIGGER_PATH } from './callbacks/callbackUrl';
import { ACKNOWLEDGEMENT } from './callbacks/webhookExchange';
import { translate, translateDescription } from './language/translate';
import { triggerProperties } from './trigger/properties';
import { receiveNotification } from './trigger/receive';

/** What stands below the node on the canvas: its events, in words short enough not to be cut. */
function buildEventsSubtitle(): string {
	const labels = {
		voiceNotification: translate('Notification'),
		voiceVerification: translate('Verification'),
		smsReport: translate('SMS Report'),
		smsReply: translate('SMS Reply'),
		other: translate('Other'),
	};
	const separator = JSON.stringify(translate(', '));
	return `={{ $parameter["events"].map((event) => (${JSON.stringify(labels)})[event]).join(${separator}) }}`;
}

export class YuntongxunTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Yuntongxun Trigger',
		name: 'yuntongxunTrigger',
		icon: { light: 'file:yuntongxun.svg', dark: 'file:yuntongxun.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: buildEventsSubtitle(),
		// The nodes panel shows both nodes as one, with this description.
		description: translate(
			'Make calls, send SMS and react to call results with Yuntongxun (Cloopen)',
		),
		defaults: { name: 'Yuntongxun Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'yuntongxunApi', required: false }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// n8n sends this when an execution starts, not what the node returns.
				responseData: ACKNOWLEDGEMENT,
				path: TRIGGER_PATH,
			},
		],
		triggerPanel: translateDescription({
			header: 'Receive call results, SMS reports and replies',
			executionsHelp: {
				inactive:
					'Click the button above, and use the Test URL as the Result URL of a call or in the Yuntongxun console. The internet must reach it.',
				active:
					'The service reports to the Production URL; each run is under Executions. To try a change first, click the button above and use the Test URL.',
			},
			activationHint:
				'Once the workflow is active (published), its calls find this trigger by themselves. For other calls, and for SMS in the Yuntongxun console, use the Production URL. Calls that wait need the credential here.',
		}),
		properties: translateDescription(triggerProperties),
	};

	// n8n's lint for community nodes demands these. Nothing is registered: each call names its own address.
	webhookMethods = {
		default: {
			checkExists: async () => false,
			create: async () => true,
			delete: async () => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveNotification(this);
	}
}
