import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { isCallEvent } from '../../callbacks/callEvent';
import type { CallEventName } from '../../callbacks/callEvent';
import { TRIGGER_PATH } from '../../callbacks/callbackUrl';
import { DEFAULT_EVENTS } from '../../callbacks/notification';
import type { AskedTrigger } from '../../callbacks/triggerQuestion';
import type { ResultWish } from '../../callbacks/wait';
import { getNodeOutput, getWebhookBaseUrl, getWorkflowNodes } from '../../util/n8nInternals';

/** The Yuntongxun Triggers of the workflow, disabled ones too. */
function getTriggers(context: IExecuteFunctions): INode[] {
	return getWorkflowNodes(context).filter(({ type }) => type.endsWith('.yuntongxunTrigger'));
}

/**
 * Of the enabled triggers, by node id: the first with the credential of the call, else the first with
 * any, else the first. One whose Events have the call's goes before the others. Its production URL is
 * built as n8n would build it now: its public address may have changed.
 */
export function selectTrigger(
	context: IExecuteFunctions,
	wish: ResultWish,
): AskedTrigger | undefined {
	const enabled = getTriggers(context)
		.filter(({ disabled }) => !disabled)
		.sort((one, other) => (one.id < other.id ? -1 : 1));
	const starting = enabled.filter((node) => wish.kind === 'trigger' && hasEvent(node, wish.event));
	const candidates = starting.length > 0 ? starting : enabled;

	const own = context.getNode().credentials?.yuntongxunApi?.id;
	const node =
		candidates.find(({ credentials }) => credentials?.yuntongxunApi?.id === own) ??
		candidates.find(({ credentials }) => credentials?.yuntongxunApi) ??
		candidates[0];
	const base = getWebhookBaseUrl(context);
	if (base === '' || node === undefined) return undefined;
	const workflowId = String(context.getWorkflow().id);
	const url = NodeHelpers.getNodeWebhookUrl(base, workflowId, node, TRIGGER_PATH);
	return { workflowId, nodeId: node.id, name: node.name, url };
}

/** Whether a trigger starts for an event, as it stands in the workflow. */
function hasEvent({ parameters }: INode, event: CallEventName): boolean {
	const { events = DEFAULT_EVENTS } = parameters;
	// An expression may come to anything.
	return !Array.isArray(events) || events.some((each) => each === event);
}

/** The numbers of the calls whose results have started this execution, as they were delivered. */
export function findStartingNumbers(context: IExecuteFunctions): string[] {
	return getTriggers(context)
		.flatMap(({ name }) => getNodeOutput(context, name))
		.filter(({ event }) => isCallEvent(String(event)))
		.map(({ number }) => String(number));
}
