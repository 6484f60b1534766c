import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { CallEventName } from '../../callbacks/callEvent';
import { TRIGGER_PATH } from '../../callbacks/callbackUrl';
import { DEFAULT_EVENTS, EVENT_LABELS } from '../../callbacks/notification';
import { PUBLIC_ADDRESS_VARIABLE } from '../../callbacks/resultUrlHints';
import type { AskedTrigger, TriggerAnswer } from '../../callbacks/triggerQuestion';
import type { ResultWish } from '../../callbacks/wait';
import type { ApiCredential } from '../../client/credential';
import { joinSentences, translate } from '../../language/translate';
import { getWebhookBaseUrl, getWorkflowNodes } from '../../util/n8nInternals';
import { askTrigger } from './askTrigger';
import type { Failure, TriggerState } from './askTrigger';

/** Why a trigger does not take a result, to go on a sentence, and what the user can do about it. */
export interface Obstacle {
	reason: string;
	remedy: string;
}

/** The trigger that a result goes to, or what to tell the user if there is none. */
export type TriggerChoice =
	| { kind: 'fits'; trigger: AskedTrigger }
	/** It did not answer, so it may fit. */
	| ({ kind: 'unanswered'; trigger: AskedTrigger } & Obstacle)
	/** It does not fit, or there is none. */
	| ({ kind: 'none'; trigger?: AskedTrigger } & Obstacle);

/**
 * Chooses a trigger of the workflow for the result of a call, and asks it.
 *
 * @param canWaitDirectly whether there is one waiting call, which needs no trigger
 */
export async function chooseTrigger(
	context: IExecuteFunctions,
	account: ApiCredential,
	wish: ResultWish,
	canWaitDirectly: boolean,
): Promise<TriggerChoice> {
	const trigger = selectTrigger(context, wish);
	if (!trigger) return { kind: 'none', ...NO_TRIGGER };

	const goesOnAnyway = wish.kind === 'trigger' || canWaitDirectly;
	const suffices = (state: TriggerState) =>
		state.kind === 'silent' ? goesOnAnyway : findObstacle(state, wish) === undefined;
	const state = await askTrigger(context, trigger, account, suffices);
	const obstacle = findObstacle(state, wish);
	if (!obstacle) return { kind: 'fits', trigger };
	return { kind: MAY_FIT.includes(state.kind) ? 'unanswered' : 'none', trigger, ...obstacle };
}

/** What says nothing against a trigger. */
const MAY_FIT: ReadonlyArray<TriggerState['kind']> = ['failed', 'silent', 'unreadable'];

/**
 * Of the enabled triggers, by node id: the first with the credential of the call, else the first with
 * any, else the first. One whose Events have the call's goes before the others. Its production URL is
 * built as n8n would build it now: its public address may have changed.
 */
function selectTrigger(context: IExecuteFunctions, wish: ResultWish): AskedTrigger | undefined {
	const base = getWebhookBaseUrl(context);
	const enabled = getWorkflowNodes(context)
		.filter(({ type, disabled }) => type.endsWith('.yuntongxunTrigger') && !disabled)
		.sort((one, other) => (one.id < other.id ? -1 : 1));
	const starting = enabled.filter((node) => wish.kind === 'trigger' && hasEvent(node, wish.event));
	const candidates = starting.length > 0 ? starting : enabled;

	const own = context.getNode().credentials?.yuntongxunApi?.id;
	const node =
		candidates.find(({ credentials }) => credentials?.yuntongxunApi?.id === own) ??
		candidates.find(({ credentials }) => credentials?.yuntongxunApi) ??
		candidates[0];
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

const NO_TRIGGER: Obstacle = {
	reason: 'this workflow has no Yuntongxun Trigger',
	remedy:
		'Add a Yuntongxun Trigger to this workflow: search for Yuntongxun, open Triggers, and choose one that begins with "On voice". Then activate (publish) the workflow.',
};

const NOT_REGISTERED: Obstacle = {
	reason: 'the Yuntongxun Trigger of this workflow is not active',
	remedy:
		'Activate (publish) this workflow. If it is active, save it again, or delete its Yuntongxun Trigger and add a new one.',
};

const FOREIGN: Obstacle = {
	reason: 'a trigger of another workflow takes what is sent to the Yuntongxun Trigger of this one',
	remedy:
		'Delete the Yuntongxun Trigger of this workflow, add a new one, and activate (publish) the workflow: a copied trigger keeps the address of the first.',
};

const OTHER_ACCOUNT: Obstacle = {
	reason: 'the Yuntongxun Trigger of this workflow does not have the account that makes the calls',
	remedy:
		'Choose the same credential in both nodes, and activate (publish) the workflow again. If it is the same, a copy of the trigger in another workflow takes what is sent here: delete the trigger and add a new one.',
};

const UNREADABLE: Obstacle = {
	reason: 'the Yuntongxun Trigger of this workflow cannot read its credential',
	remedy:
		'Open the credential of the trigger and save it again. If it comes from an external store, or an expression fills it in, check that n8n can read it where it takes webhooks.',
};

/** n8n's own protection blocks its public address. */
const BLOCKED: Obstacle = {
	reason: 'this n8n blocks requests to its own public address (N8N_SSRF_PROTECTION_ENABLED)',
	remedy:
		"Ask whoever runs this n8n to add the host of n8n's public address to N8N_SSRF_ALLOWED_HOSTNAMES, or, where that is an IP number, to N8N_SSRF_ALLOWED_IP_RANGES.",
};

/** Why a trigger does not take a result; undefined if it does. */
function findObstacle(state: TriggerState, wish: ResultWish): Obstacle | undefined {
	switch (state.kind) {
		case 'answered':
			return findObstacleInAnswer(state.answer, wish);
		case 'notRegistered':
			return NOT_REGISTERED;
		case 'foreign':
			return OTHER_ACCOUNT;
		case 'unreadable':
			return UNREADABLE;
		case 'silent':
			return describeUnanswered('there was silence for 10 seconds');
		case 'failed':
			return describeFailure(state.failure);
	}
}

/** It passes on results of both kinds of call, but starts only for those of its events. */
function findObstacleInAnswer(
	{ events, isAsked }: TriggerAnswer,
	wish: ResultWish,
): Obstacle | undefined {
	if (!isAsked) return FOREIGN;
	if (wish.kind === 'wait' || events.includes(wish.event)) return undefined;

	const label = translate(EVENT_LABELS[wish.event]);
	return {
		reason: translate('the Yuntongxun Trigger of this workflow does not start for {label}', {
			label,
		}),
		remedy: translate(
			'Choose {label} in the Events of the trigger, and activate (publish) the workflow again.',
			{ label },
		),
	};
}

/** What n8n 2 calls its own refusal to send a request. */
const SSRF_ERROR = 'SsrfBlockedIpError';

/** Codes of Node.js for a certificate that it does not accept. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

function describeFailure(failure: Failure): Obstacle {
	switch (failure.kind) {
		case 'status':
			return describeUnanswered(
				translate('HTTP {status} came from something else', { status: failure.status }),
			);
		case 'error': {
			const { errorName } = failure;
			if (errorName === SSRF_ERROR) return BLOCKED;
			const isCertificate = CERTIFICATE.test(errorName);
			const what = isCertificate ? 'its certificate is not accepted' : 'the connection broke';
			// In the remedy: n8n replaces messages that hold a code of Node.js.
			return describeUnanswered(what, translate('Its name is {errorName}.', { errorName }));
		}
	}
}

function describeUnanswered(what: string, more = ''): Obstacle {
	const advice = translate(
		"Check that n8n's environment variable {variable} is the address at which the internet reaches this n8n, and that n8n itself can reach it, too, with no proxy or log-in page that answers in its place.",
		{ variable: PUBLIC_ADDRESS_VARIABLE },
	);
	return {
		reason: translate("the Yuntongxun Trigger gave no answer at n8n's own public address: {what}", {
			what: translate(what),
		}),
		remedy: joinSentences(advice, more),
	};
}
