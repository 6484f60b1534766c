import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { isCallEvent } from '../callbacks/callEvent';
import type { CallEventName } from '../callbacks/callEvent';
import { TRIGGER_PATH } from '../callbacks/callbackUrl';
import { DEFAULT_EVENTS } from '../callbacks/notification';
import { getNodeOutput, getWebhookBaseUrl, getWorkflowNodes } from '../util/n8nInternals';

/** The Yuntongxun Triggers of the workflow by node id, disabled ones too. */
function getTriggers(context: IExecuteFunctions): INode[] {
	return getWorkflowNodes(context)
		.filter(({ type }) => type.endsWith('.yuntongxunTrigger'))
		.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The enabled Yuntongxun Triggers of the workflow, by node id. */
export function getEnabledTriggers(context: IExecuteFunctions): INode[] {
	return getTriggers(context).filter(({ disabled }) => disabled !== true);
}

/** The production URL of a trigger as n8n would build it now: its public address may have changed. */
export function buildProductionUrl(context: IExecuteFunctions, trigger: INode): string {
	const workflowId = String(context.getWorkflow().id);
	const base = getWebhookBaseUrl(context);
	return NodeHelpers.getNodeWebhookUrl(base, workflowId, trigger, TRIGGER_PATH);
}

/** Whether a trigger starts for an event, as it stands in the workflow. */
export function hasEvent({ parameters }: INode, event: CallEventName): boolean {
	const { events = DEFAULT_EVENTS } = parameters;
	// An expression may come to anything.
	return !Array.isArray(events) || events.some((each) => each === event);
}

/** Whether the result of a call has started this execution. */
export function isStartedByResult(context: IExecuteFunctions): boolean {
	return getTriggers(context)
		.flatMap(({ name }) => getNodeOutput(context, name))
		.some(({ event }) => isCallEvent(String(event)));
}
