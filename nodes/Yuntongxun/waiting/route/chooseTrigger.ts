import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallEventName } from '../../callbacks/callEvent';
import { TRIGGER_PATH } from '../../callbacks/callbackUrl';
import { EVENT_LABELS } from '../../callbacks/notification';
import { PUBLIC_ADDRESS_VARIABLE } from '../../callbacks/resultUrlHints';
import type { AskedTrigger, TriggerAnswer } from '../../callbacks/triggerQuestion';
import type { ResultWish } from '../../callbacks/wait';
import type { ApiCredential } from '../../client/credential';
import { joinSentences, translate } from '../../language/translate';
import { getWebhookBaseUrl, getWorkflowNodes } from '../../util/n8nInternals';
import { askTrigger } from './askTrigger';
import type { Failure, TriggerState } from './askTrigger';

/** A trigger of the workflow, and what is known of it. */
export interface KnownTrigger {
	url: string;
	state: TriggerState;
}

/** Why a trigger does not take a result, to go on a sentence, and what the user can do about it. */
export interface Obstacle {
	reason: string;
	remedy: string;
}

/** The trigger that a result goes to, or what to tell the user if there is none. */
export type TriggerChoice =
	| { kind: 'fits'; url: string }
	/** It did not answer, so it may fit. */
	| ({ kind: 'unanswered'; url: string } & Obstacle)
	| ({ kind: 'none' } & Obstacle);

/**
 * The enabled triggers of the workflow, by node id. Their production URLs are built as n8n would build
 * them now: its public address may have changed.
 */
export function findTriggers(context: IExecuteFunctions): AskedTrigger[] {
	const base = getWebhookBaseUrl(context);
	if (base === '') return [];
	const workflowId = String(context.getWorkflow().id);
	return getWorkflowNodes(context)
		.filter(({ type, disabled }) => type.endsWith('.yuntongxunTrigger') && !disabled)
		.sort((one, other) => (one.id < other.id ? -1 : 1))
		.map((node) => ({
			workflowId,
			nodeId: node.id,
			url: NodeHelpers.getNodeWebhookUrl(base, workflowId, node, TRIGGER_PATH),
		}));
}

/**
 * Asks all triggers at the same time.
 *
 * @param canWaitDirectly whether there is one waiting call, which needs no trigger
 */
export async function askTriggers(
	context: IExecuteFunctions,
	account: ApiCredential,
	triggers: readonly AskedTrigger[],
	wishes: readonly ResultWish[],
	canWaitDirectly: boolean,
): Promise<KnownTrigger[]> {
	const suffices = (state: TriggerState) =>
		wishes.every((wish) => {
			const goesOnAnyway = wish.kind === 'trigger' || canWaitDirectly;
			return state.kind === 'silent' ? goesOnAnyway : findObstacle(state, wish) === undefined;
		});
	return await Promise.all(
		triggers.map(async (trigger) => {
			return { url: trigger.url, state: await askTrigger(context, trigger, account, suffices) };
		}),
	);
}

/** What says nothing against a trigger. */
const MAY_FIT: ReadonlyArray<TriggerState['kind']> = ['failed', 'silent', 'unreadable'];

/** The first trigger that fits, or else the first that did not answer and so may fit. */
export function chooseTrigger(triggers: readonly KnownTrigger[], wish: ResultWish): TriggerChoice {
	const judged = triggers.map((trigger) => {
		return { ...trigger, obstacle: findObstacle(trigger.state, wish) };
	});
	const fitting = judged.find(({ obstacle }) => obstacle === undefined);
	if (fitting) return { kind: 'fits', url: fitting.url };

	const unanswered = judged.find(({ state }) => MAY_FIT.includes(state.kind));
	const { url, obstacle = NO_TRIGGER } = unanswered ?? judged[0] ?? {};
	return unanswered && url
		? { kind: 'unanswered', url, ...obstacle }
		: { kind: 'none', ...obstacle };
}

/** A dry run asks nobody: it shows the address for the case that the trigger fits. */
export function assumeFitting([first]: readonly AskedTrigger[]): TriggerChoice {
	return first ? { kind: 'fits', url: first.url } : { kind: 'none', ...NO_TRIGGER };
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
	remedy: 'Choose the same credential in both nodes, and activate (publish) the workflow again.',
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
			return wish.kind === 'wait'
				? findObstacleForWait(state.answer)
				: findObstacleForTrigger(state.answer, wish.event);
		case 'notRegistered':
			return NOT_REGISTERED;
		case 'foreign':
			return FOREIGN;
		case 'unreadable':
			return UNREADABLE;
		case 'silent':
			return describeUnanswered('there was silence for 10 seconds');
		case 'failed':
			return describeFailure(state.failure);
	}
}

/** It passes on results of both kinds of call, but only of its own account. */
function findObstacleForWait({ holdsAccount }: TriggerAnswer): Obstacle | undefined {
	return holdsAccount ? undefined : OTHER_ACCOUNT;
}

function findObstacleForTrigger(
	{ events, holdsAccount, requiresSignedUrl }: TriggerAnswer,
	event: CallEventName,
): Obstacle | undefined {
	if (!events.includes(event)) {
		const label = translate(EVENT_LABELS[event]);
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
	return requiresSignedUrl && !holdsAccount ? OTHER_ACCOUNT : undefined;
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
