import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { CallEventName } from '../callbacks/callEvent';
import { buildRelayAddress, TRIGGER_PATH } from '../callbacks/callbackUrl';
import { EVENT_LABELS } from '../callbacks/eventLabels';
import { findUnreachableReason, PUBLIC_ADDRESS_VARIABLE } from '../callbacks/resultUrlHints';
import { SIGNED_URL_LIFETIME_MS, signUrl } from '../callbacks/signedUrl';
import { MAX_AWAITED_CALLS } from '../callbacks/wait';
import type { AwaitedCall, ResultWish, WaitWish } from '../callbacks/wait';
import type { ApiCredential } from '../client/credential';
import { GRACE_MS } from './timeLimits';
import { askTrigger } from './triggerQuestion';
import type { AskedTrigger, TriggerState } from './triggerQuestion';
import type { WaitingRun } from './waitingRun';

/** How the result of a call gets to the execution. */
export interface FoundRoute {
	ok: true;
	/** The signed address for the service. */
	respUrl: string;
	/** How to wait; undefined if nothing waits. */
	wait?: AwaitedCall;
	/** What can keep the result from arriving. */
	hints: string[];
}

/** Why a call must not be placed, and what the user can do about it. */
export interface MissingRoute {
	ok: false;
	summary: string;
	remedy: string;
}

export type ResultRoute = FoundRoute | MissingRoute;

/** A call that wants a route. A dry run asks nobody. */
export interface RoutedCall {
	wish: ResultWish;
	isDryRun: boolean;
}

/** What n8n's contexts have beyond their interface. */
type Insides = IExecuteFunctions & {
	workflow?: { nodes?: Record<string, INode> };
	additionalData?: { webhookBaseUrl?: string };
};

/**
 * Finds a route for the result of each call. Asks the triggers of the workflow once, before any call
 * is placed, in every mode of execution: what would lose a result is refused before it costs money.
 *
 * @param run the waiting side of this run; calls of its earlier tries count as well
 * @param calls those that want a result, in input order
 * @returns the routes, in the same order
 */
export async function findResultRoutes(
	context: IExecuteFunctions,
	account: ApiCredential,
	run: WaitingRun,
	calls: readonly RoutedCall[],
): Promise<ResultRoute[]> {
	const triggers = findTriggers(context);
	const isAnyReal = calls.some(({ isDryRun }) => !isDryRun);
	const known = isAnyReal ? await askTriggers(context, account, triggers) : [];

	const waiting = calls.filter(({ wish }) => wish.kind === 'wait');
	const dryRuns = waiting.filter(({ isDryRun }) => isDryRun);
	const real = new CallCount(run.acceptedCalls, waiting.length - dryRuns.length);
	const dry = new CallCount(0, dryRuns.length);
	return calls.map(({ wish, isDryRun }) => {
		const choice = isDryRun ? assumeReady(triggers) : chooseTrigger(known, wish);
		const count = isDryRun ? dry : real;
		const writer = new RouteWriter(context, account, run, count.total);
		if (wish.kind === 'trigger') return writer.toTrigger(choice);
		return count.admitNext() ? writer.toWait(wish, choice) : refuseTooMany(count.total);
	});
}

/**
 * Counts the waiting calls of a run against the limit: those that are placed, or those of a dry run,
 * which shows what would happen if it were real.
 */
class CallCount {
	/** How many there are in all. */
	readonly total: number;

	/**
	 * @param admitted how many of earlier tries were accepted
	 * @param added how many this try adds
	 */
	constructor(
		private admitted: number,
		added: number,
	) {
		this.total = admitted + added;
	}

	/** Whether one more is within the limit; if so, it counts. */
	admitNext(): boolean {
		if (this.admitted >= MAX_AWAITED_CALLS) return false;
		this.admitted += 1;
		return true;
	}
}

/** A trigger in the same workflow, and what is known of it. */
type KnownTrigger = AskedTrigger & { state: TriggerState };

async function askTriggers(
	context: IExecuteFunctions,
	account: ApiCredential,
	triggers: readonly AskedTrigger[],
): Promise<KnownTrigger[]> {
	return await Promise.all(
		triggers.map(async (trigger) => {
			const state = await askTrigger(context, trigger, account);
			return { ...trigger, state };
		}),
	);
}

/**
 * The enabled triggers of the workflow, by node id. Their production URLs are built as n8n would build
 * them now: its public address may have changed.
 */
function findTriggers(context: Insides): AskedTrigger[] {
	const base = context.additionalData?.webhookBaseUrl;
	if (!base) return [];
	const workflowId = String(context.getWorkflow().id);
	return Object.values(context.workflow?.nodes ?? {})
		.filter(({ type, disabled }) => type.endsWith('.yuntongxunTrigger') && !disabled)
		.sort((one, other) => (one.id < other.id ? -1 : 1))
		.map((node) => ({
			workflowId,
			nodeId: node.id,
			url: NodeHelpers.getNodeWebhookUrl(base, workflowId, node, TRIGGER_PATH),
		}));
}

/** The trigger that a result goes to, or what to tell the user if there is none. */
type Choice =
	{ kind: 'ready' | 'unanswered'; url: string } | { kind: 'none'; reason: string; remedy: string };

/** The first trigger that fits, or else the first that did not answer and so may fit. */
function chooseTrigger(triggers: readonly KnownTrigger[], wish: ResultWish): Choice {
	const fitting = triggers.find(({ state }) => findMisfit(state, wish) === undefined);
	if (fitting) return { kind: 'ready', url: fitting.url };
	const silent = triggers.find(({ state }) => state.kind === 'unanswered');
	if (silent) return { kind: 'unanswered', url: silent.url };
	const [first] = triggers;
	const misfit = (first && findMisfit(first.state, wish)) ?? NO_TRIGGER;
	return { kind: 'none', ...misfit };
}

/** A dry run asks nobody: it shows the address for the case that the trigger is ready. */
function assumeReady([first]: readonly AskedTrigger[]): Choice {
	return first ? { kind: 'ready', url: first.url } : { kind: 'none', ...NO_TRIGGER };
}

interface Misfit {
	reason: string;
	remedy: string;
}

const NO_TRIGGER: Misfit = {
	reason: 'this workflow has no Yuntongxun Trigger',
	remedy:
		'Add a Yuntongxun Trigger to this workflow: search for Yuntongxun, open Triggers, and choose one that begins with "On voice". Then activate (publish) the workflow.',
};

const NOT_REGISTERED: Misfit = {
	reason: 'the Yuntongxun Trigger of this workflow is not active',
	remedy:
		'Activate (publish) this workflow. If it is active, save it again, or delete its Yuntongxun Trigger and add a new one.',
};

const FOREIGN: Misfit = {
	reason: 'a trigger of another workflow takes what is sent to the Yuntongxun Trigger of this one',
	remedy:
		'Delete the Yuntongxun Trigger of this workflow, add a new one, and activate (publish) the workflow: a copied trigger keeps the address of the first.',
};

const UNANSWERED: Misfit = {
	reason: "the Yuntongxun Trigger gave no answer at n8n's own public address",
	remedy: `Check that n8n's environment variable ${PUBLIC_ADDRESS_VARIABLE} is the address at which the internet reaches this n8n, and that n8n itself can reach it, too.`,
};

const OTHER_ACCOUNT: Misfit = {
	reason: 'the Yuntongxun Trigger of this workflow does not have the account that makes the calls',
	remedy: 'Choose the same credential in both nodes, and activate (publish) the workflow again.',
};

/** Why a trigger does not fit; undefined if it does. */
function findMisfit(state: TriggerState, wish: ResultWish): Misfit | undefined {
	switch (state.kind) {
		case 'ready':
			return wish.kind === 'wait'
				? findMisfitForWait(state)
				: findMisfitForTrigger(state, wish.event);
		case 'notRegistered':
			return NOT_REGISTERED;
		case 'foreign':
			return FOREIGN;
		case 'unanswered':
			return UNANSWERED;
	}
}

type ReadyTrigger = Extract<TriggerState, { kind: 'ready' }>;

/** A relay takes results of both kinds of call, but only of its own account. */
function findMisfitForWait({ holdsAccount }: ReadyTrigger): Misfit | undefined {
	return holdsAccount ? undefined : OTHER_ACCOUNT;
}

function findMisfitForTrigger(
	{ events, holdsAccount, requiresSignedUrl }: ReadyTrigger,
	event: CallEventName,
): Misfit | undefined {
	if (!events.includes(event)) {
		return {
			reason: `the Yuntongxun Trigger of this workflow does not start for ${EVENT_LABELS[event]}`,
			remedy: `Choose ${EVENT_LABELS[event]} in the Events of the trigger, and activate (publish) the workflow again.`,
		};
	}
	return requiresSignedUrl && !holdsAccount ? OTHER_ACCOUNT : undefined;
}

const RESULT_FIELD_LABEL = "'When the Call Ends'";

function refuseTooMany(total: number): ResultRoute {
	return {
		ok: false,
		summary: `Wait for Result works for up to ${MAX_AWAITED_CALLS} calls at once, and this run would wait for ${total}`,
		remedy: `Put a Loop Over Items node with a batch size of up to ${MAX_AWAITED_CALLS} in front.`,
	};
}

/** Builds the route of a call. */
class RouteWriter {
	private readonly isInProduction: boolean;

	/** @param waitingCalls how many calls of the run wait */
	constructor(
		context: IExecuteFunctions,
		private readonly account: ApiCredential,
		private readonly run: WaitingRun,
		private readonly waitingCalls: number,
	) {
		this.isInProduction = context.getMode() !== 'manual';
	}

	toTrigger(choice: Choice): ResultRoute {
		if (choice.kind === 'none') {
			const { reason, remedy } = choice;
			return {
				ok: false,
				summary: `${RESULT_FIELD_LABEL} names the trigger in this workflow, but ${reason}`,
				remedy,
			};
		}
		return {
			ok: true,
			respUrl: this.sign(choice.url, Date.now() + SIGNED_URL_LIFETIME_MS),
			hints: this.getHints(choice.url, choice.kind === 'unanswered' ? [UNANSWERED_TRIGGER] : []),
		};
	}

	toWait(wish: WaitWish, choice: Choice): ResultRoute {
		const isOne = this.waitingCalls <= 1;
		const expiresAt = Date.now() + wish.maxWaitMs + (isOne ? GRACE_MS.one : GRACE_MS.several);
		const resumeAddress = this.sign(this.run.buildAddress(), expiresAt);
		if (choice.kind === 'ready') {
			const hints = this.getHints(choice.url);
			return {
				ok: true,
				respUrl: this.sign(buildRelayAddress(choice.url, resumeAddress), expiresAt),
				wait: { ...wish, relayedTo: resumeAddress, doubts: hints },
				hints,
			};
		}

		const { reason, remedy } = choice.kind === 'none' ? choice : UNANSWERED;
		if (!isOne) {
			return {
				ok: false,
				summary: `Waiting for the results of ${this.waitingCalls} calls at once requires a Yuntongxun Trigger, but ${reason}`,
				remedy,
			};
		}
		const hint = `${capitalize(reason)}, so the result comes to the waiting execution itself. ${WITHOUT_TRIGGER} ${remedy}`;
		const hints = this.getHints(resumeAddress, [hint]);
		return { ok: true, respUrl: resumeAddress, wait: { ...wish, doubts: hints }, hints };
	}

	private sign(url: string, expiresAt: number): string {
		return signUrl(url, this.account.authToken, expiresAt);
	}

	private getHints(address: string, more: string[] = []): string[] {
		const unreachable = findUnreachableReason(address, this.isInProduction);
		return unreachable === undefined ? more : [unreachable, ...more];
	}
}

const UNANSWERED_TRIGGER = `${capitalize(UNANSWERED.reason)}, so it is not certain that the result starts this workflow. ${UNANSWERED.remedy}`;

/** The risk of a single call. Several are refused without a trigger. */
const WITHOUT_TRIGGER =
	"A result that arrives before n8n has stored the waiting execution is lost; this happens when many executions start at once. n8n's own timer can also end a short wait up to a minute late, or end a later wait of the same execution too early. A Yuntongxun Trigger with the same account prevents all of this.";

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
