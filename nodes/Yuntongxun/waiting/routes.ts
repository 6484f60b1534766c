import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { buildStartUrl, TOKEN_LIFETIME_MS, TRIGGER_PATH } from '../callbacks/callbackUrl';
import { DEFAULT_EVENTS, EVENT_LABELS, isCallEvent } from '../callbacks/notification';
import type { CallEventName } from '../callbacks/notification';
import { findUnreachableHints } from '../callbacks/reachability';
import type { ApiCredential } from '../client/credential';
import { ExplainedError } from '../language/explainedError';
import { translate } from '../language/translate';
import { getNodeOutput, getWebhookBaseUrl, getWorkflowNodes, N8N_SAYS } from '../util/n8nInternals';
import { postToOwnN8n } from './knock';
import { MAX_AWAITED_CALLS } from './resultTarget';
import type { FoundRoute, ResultTarget } from './resultTarget';
import { buildWaitUrl } from './resumeKey';
import type { WaitingRun } from './waitingRun';

/** A route, or why the call must not be placed. */
export type ResultRoute = FoundRoute | ExplainedError;

/** A call that wants a route. */
export interface RoutedCall {
	target: ResultTarget;
	isDryRun: boolean;
}

/** How long the trigger may take to answer, in milliseconds. */
const ANSWER_WITHIN_MS = 5000;

/**
 * Finds a route for the result of each call. Looks at the workflow before any call is placed, so that
 * what would lose a result is refused before it costs money.
 *
 * @param run that waits, if a call does
 * @param calls those that want a result, in input order
 * @returns the routes, in the same order
 */
export async function findResultRoutes(
	context: IExecuteFunctions,
	account: ApiCredential,
	run: WaitingRun,
	calls: readonly RoutedCall[],
): Promise<ResultRoute[]> {
	const triggers = await findTriggers(context, calls);
	const tools: RouteTools = {
		account,
		run,
		total: run.awaitedCalls + calls.filter(({ target }) => target.kind === 'wait').length,
	};
	return calls.map((call) => {
		const chosen = chooseTrigger(triggers, call);
		return typeof chosen === 'string'
			? buildMissingRoute(OBSTACLES[chosen], call.target)
			: findRoute(tools, call, chosen);
	});
}

/** An enabled trigger of the workflow. */
interface FoundTrigger {
	readonly node: INode;
	/** Its production URL, as n8n would build it now: its public address may have changed. */
	readonly url: string;
	/** Whether it uses the credential of the calls. */
	readonly isOwn: boolean;
	/** Whether n8n takes what comes there, as far as anybody knows. */
	readonly isRegistered: boolean;
}

/** The enabled triggers, by node id. */
async function findTriggers(
	context: IExecuteFunctions,
	calls: readonly RoutedCall[],
): Promise<FoundTrigger[]> {
	const { id, active } = context.getWorkflow();
	const isAsked = active !== true && calls.some((call) => !call.isDryRun);
	const credentialId = context.getNode().credentials?.yuntongxunApi?.id;
	const base = getWebhookBaseUrl(context);

	const enabled = getTriggers(context).filter(({ disabled }) => disabled !== true);
	const found = enabled.map(async (node): Promise<FoundTrigger> => {
		const url = NodeHelpers.getNodeWebhookUrl(base, String(id), node, TRIGGER_PATH);
		const isOwn = node.credentials?.yuntongxunApi?.id === credentialId;
		const isRegistered = !isAsked || !isOwn || (await askWhetherRegistered(context, url));
		return { node, url, isOwn, isRegistered };
	});
	return await Promise.all(found);
}

/** The Yuntongxun Triggers of the workflow by node id, disabled ones too. */
function getTriggers(context: IExecuteFunctions): INode[] {
	return getWorkflowNodes(context)
		.filter(({ type }) => type.endsWith('.yuntongxunTrigger'))
		.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Whether a trigger is registered, for runs by hand, in which n8n does not say whether the workflow is
 * active. Only n8n's own word that it is not counts: n8n may be unable to reach itself.
 */
async function askWhetherRegistered(context: IExecuteFunctions, url: string): Promise<boolean> {
	const result = await postToOwnN8n(context, url, ANSWER_WITHIN_MS);
	if (result.kind === 'failed') return true;
	return result.status !== 404 || !N8N_SAYS.notRegistered.test(result.body);
}

/** The first trigger that a result can go to, or what is in the way. */
function chooseTrigger(
	triggers: readonly FoundTrigger[],
	{ target, isDryRun }: RoutedCall,
): FoundTrigger | keyof typeof OBSTACLES {
	if (triggers.length === 0) return 'noTrigger';
	const own = triggers.filter(({ isOwn }) => isOwn);
	if (own.length === 0) return 'foreign';

	const fitting = own.filter(({ node }) => target.kind === 'wait' || hasEvent(node, target.event));
	if (fitting.length === 0) return 'otherEvents';
	return fitting.find(({ isRegistered }) => isDryRun || isRegistered) ?? 'inactive';
}

/** Whether a trigger starts for an event, as it stands in the workflow. */
function hasEvent({ parameters }: INode, event: CallEventName): boolean {
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

/** What is in the way of a result. */
interface Obstacle {
	/** One clause, without a period. */
	readonly reason: string;
	/** What the user can do about it. */
	readonly remedy: string;
}

const OBSTACLES = {
	noTrigger: {
		reason: 'This workflow has no Yuntongxun Trigger',
		remedy:
			'Add a Yuntongxun Trigger to this workflow: search for Yuntongxun, open Triggers, and choose one that begins with "On voice". Then activate (publish) the workflow.',
	},
	inactive: {
		reason: "This workflow's Yuntongxun Trigger is not active",
		remedy:
			'Activate (publish) this workflow. If it is active, save it again, or delete its Yuntongxun Trigger and add a new one.',
	},
	foreign: {
		reason: "This workflow's Yuntongxun Trigger does not use the credential of this node",
		remedy: 'Choose the same credential in both nodes, and activate (publish) the workflow again.',
	},
	otherEvents: {
		reason: "This workflow's Yuntongxun Trigger does not start for {label}",
		remedy:
			'Choose {label} in the Events of the trigger, and activate (publish) the workflow again.',
	},
} as const satisfies Record<string, Obstacle>;

function buildMissingRoute({ reason, remedy }: Obstacle, target: ResultTarget): ExplainedError {
	const label = translate(EVENT_LABELS[target.event]);
	const values = { reason: translate(reason, { label }) };
	const summary =
		target.kind === 'wait'
			? translate('{reason}, so the call cannot wait for its result', values)
			: translate('{reason}, so the call result cannot start this workflow', values);
	return new ExplainedError(summary, translate(remedy, { label }));
}

/** What all routes of a run share. */
interface RouteTools {
	account: ApiCredential;
	run: WaitingRun;
	/** How many calls wait, those of earlier tries and dry runs included. */
	total: number;
}

function findRoute(tools: RouteTools, call: RoutedCall, { node, url }: FoundTrigger): ResultRoute {
	const { account, run, total } = tools;
	const { target, isDryRun } = call;
	// It is the production URL, so whether this run is one in production makes no difference.
	const hints = findUnreachableHints(url, true);
	if (isDryRun) {
		const { name } = node;
		hints.push(translate('Results would come through {name} at {url}.', { name, url }));
	}
	if (target.kind === 'trigger') {
		return { buildUrl: () => buildStartUrl(url, account), hints };
	}

	if (total > MAX_AWAITED_CALLS) return buildTooManyError(total);
	const { maxWaitMs } = target;
	const buildUrl = () => {
		const expiresAt = Date.now() + maxWaitMs + TOKEN_LIFETIME_MS;
		return buildWaitUrl(url, run.getResumeKey(), expiresAt, account);
	};
	return { buildUrl, maxWaitMs, hints };
}

/** The error for more calls than a run can wait for. */
function buildTooManyError(total: number): ExplainedError {
	const values = { max: MAX_AWAITED_CALLS, total };
	return new ExplainedError(
		translate(
			'Wait for Result works for up to {max} calls at once, and this run would wait for {total}',
			values,
		),
		translate('Put a Loop Over Items node with a batch size of up to {max} in front.', values),
	);
}
