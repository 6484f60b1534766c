import type { Simulator } from '../../simulator/index';
import type { WorkflowNode } from '../../test/harness/n8nRest';
import { httpRequestNode, node } from '../../test/harness/workflows';

/** What every notification call says. */
const SPOKEN = 'Your order is ready';

/** The field of an item that holds the number to call. */
export const TO = '={{ $json.to }}';

/** A made-up mobile number for each item. */
export const recipients = (count: number): Array<{ to: string }> =>
	Array.from({ length: count }, (_, index) => ({ to: String(13_800_000_000 + index) }));

/** Our action node. */
export function ourNode(parameters: Record<string, unknown>): WorkflowNode {
	return node('Yuntongxun', 'n8n-nodes-yuntongxun.yuntongxun', parameters);
}

/** Our node, making a notification call for each item. */
export function ourCalls(maxConcurrency: number): WorkflowNode {
	return ourNode({
		resource: 'call',
		operation: 'notify',
		to: TO,
		content: 'text',
		mediaTxt: SPOKEN,
		options: { maxConcurrency },
	});
}

/**
 * The minimal node with the same requests.
 *
 * @param to an expression that n8n evaluates for every item; without it the node reads the item
 */
export function minimalCalls(simulator: Simulator, width: number, to = ''): WorkflowNode {
	const fields = JSON.stringify({ appId: simulator.credentials.appId, mediaTxt: SPOKEN });
	return node('Minimal', 'CUSTOM.minimal', { url: callsUrl(simulator), fields, to, width });
}

/** n8n's HTTP Request node with the same requests, all at once, as it does without batching. */
export function httpRequestCalls(simulator: Simulator): WorkflowNode {
	const { appId } = simulator.credentials;
	const body = `={{ JSON.stringify({ to: $json.to, appId: '${appId}', mediaTxt: '${SPOKEN}' }) }}`;
	const length = JSON.stringify({ to: '13800000000', appId, mediaTxt: SPOKEN }).length;
	return httpRequestNode(
		callsUrl(simulator),
		{ Accept: 'application/json', 'Content-Length': String(length) },
		{
			method: 'POST',
			sendBody: true,
			contentType: 'raw',
			rawContentType: 'application/json;charset=utf-8',
			body,
		},
	);
}

function callsUrl({ url, credentials }: Simulator): string {
	return `${url}/2013-12-26/Accounts/${credentials.accountSid}/Calls/LandingCalls`;
}
