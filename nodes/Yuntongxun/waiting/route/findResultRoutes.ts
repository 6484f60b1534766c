import type { IExecuteFunctions } from 'n8n-workflow';

import { buildRelayUrl, buildStartUrl } from '../../callbacks/callbackUrl';
import type { ResumeKey } from '../../callbacks/callbackUrl';
import { findUnreachableReason } from '../../callbacks/resultUrlHints';
import { MAX_AWAITED_CALLS } from '../../callbacks/wait';
import type { AwaitedCall, ResultWish, WaitWish } from '../../callbacks/wait';
import type { ApiCredential } from '../../client/credential';
import { joinSentences, translate } from '../../language/translate';
import { chooseTrigger } from './chooseTrigger';
import type { Obstacle, TriggerChoice } from './chooseTrigger';

/** How the result of a call gets to the execution. */
export interface FoundRoute {
	ok: true;
	/** Makes the address for the service. Its life counts from now, so make it when the call is placed. */
	seal(): SealedRoute;
	/** What can keep the result from arriving. */
	hints: string[];
}

/** A route with its address. */
export interface SealedRoute {
	/** The address for the service. */
	respUrl: string;
	/** How to wait; undefined if nothing waits. */
	wait?: AwaitedCall;
}

/** Why a call must not be placed, and what the user can do about it. */
export interface MissingRoute {
	ok: false;
	summary: string;
	remedy: string;
}

export type ResultRoute = FoundRoute | MissingRoute;

/** A call that wants a route. */
export interface RoutedCall {
	wish: ResultWish;
	isDryRun: boolean;
}

/** What a route needs to know of the run that waits. */
export interface RoutedRun {
	/** How many calls of earlier tries wait for their result. */
	readonly acceptedCalls: number;
	/** What it takes to resume it. */
	getResumeKey(): ResumeKey;
	/** The address that takes its results. */
	buildAddress(): string;
}

/** What all routes of a run share. */
interface RouteTools {
	account: ApiCredential;
	run: RoutedRun;
	/** How long the address for a result outlives the wait, in milliseconds. */
	graceMs: number;
	isInProduction: boolean;
}

/**
 * Finds a route for the result of each call. Asks the trigger of the workflow once, before any call
 * is placed, in every mode of execution: what would lose a result is refused before it costs money.
 *
 * @param calls those that want a result, in input order
 * @param callsOfRun how many calls the run places in all
 * @returns the routes, in the same order
 */
export async function findResultRoutes(
	context: IExecuteFunctions,
	account: ApiCredential,
	run: RoutedRun,
	calls: readonly RoutedCall[],
	callsOfRun: number,
): Promise<ResultRoute[]> {
	const { numbers, totals } = countWaiting(calls, run.acceptedCalls);
	const chosen = new Map<string, Promise<TriggerChoice>>();
	const choose = async ({ wish, isDryRun }: RoutedCall) => {
		const id = `${wish.kind} ${wish.event}`;
		const choosing = chosen.get(id) ?? chooseTrigger(context, account, wish, totals.placed <= 1);
		chosen.set(id, choosing);
		return isDryRun ? rehearseChoice(await choosing) : { choice: await choosing, hints: [] };
	};
	const found = await Promise.all(calls.map(choose));
	const choices = found.map(({ choice }) => choice);
	logDoubts(context, calls, choices);

	const graceMs = callsOfRun <= 1 ? GRACE_MS.one : GRACE_MS.several;
	const tools = { account, run, graceMs, isInProduction: context.getMode() !== 'manual' };
	const find = ({ wish, isDryRun }: RoutedCall, position: number): ResultRoute => {
		if (wish.kind === 'trigger') return routeToTrigger(tools, choices[position]);
		const total = isDryRun ? totals.rehearsed : totals.placed;
		return numbers[position] > MAX_AWAITED_CALLS
			? refuseTooMany(total)
			: routeToWait(tools, wish, choices[position], total);
	};
	return calls.map((call, position) => addHints(find(call, position), found[position].hints));
}

/** A dry run is refused only without a trigger; a hint says what was found. */
function rehearseChoice(choice: TriggerChoice): { choice: TriggerChoice; hints: string[] } {
	const { trigger } = choice;
	if (!trigger) return { choice, hints: [] };
	const hint =
		choice.kind === 'fits'
			? translate('Results would come through {name} at {url}.', {
					name: trigger.name,
					url: trigger.url,
				})
			: joinSentences(`${capitalize(translate(choice.reason))}.`, translate(choice.remedy));
	return { choice: { kind: 'fits', trigger }, hints: [hint] };
}

function addHints(route: ResultRoute, hints: readonly string[]): ResultRoute {
	return route.ok ? { ...route, hints: [...route.hints, ...hints] } : route;
}

/**
 * Numbers the calls that wait, since only so many can: those that are placed, and dry runs, which show
 * what would happen if they were real.
 *
 * @param accepted how many of earlier tries wait
 */
function countWaiting(calls: readonly RoutedCall[], accepted: number) {
	const totals = { placed: accepted, rehearsed: 0 };
	const numbers = calls.map(({ wish, isDryRun }) => {
		const kind = isDryRun ? 'rehearsed' : 'placed';
		if (wish.kind === 'wait') totals[kind] += 1;
		return totals[kind];
	});
	return { numbers, totals };
}

/** Tells n8n's log of each trigger that did not answer: nobody sees the hints of a run in production. */
function logDoubts(
	context: IExecuteFunctions,
	calls: readonly RoutedCall[],
	choices: readonly TriggerChoice[],
): void {
	const doubts = choices.flatMap((choice, position) =>
		choice.kind === 'unanswered' && calls[position].wish.kind === 'trigger'
			? [describeDoubt(choice)]
			: [],
	);
	for (const doubt of new Set(doubts)) {
		context.logger.warn(`Yuntongxun: execution ${context.getExecutionId()}: ${doubt}`);
	}
}

function describeDoubt({ reason, remedy }: Obstacle): string {
	const doubt = translate('{reason}, so it is not certain that the result starts this workflow.', {
		reason: capitalize(translate(reason)),
	});
	return joinSentences(doubt, translate(remedy));
}

function refuseTooMany(total: number): ResultRoute {
	return {
		ok: false,
		summary: translate(
			'Wait for Result works for up to {max} calls at once, and this run would wait for {total}',
			{ max: MAX_AWAITED_CALLS, total },
		),
		remedy: translate('Put a Loop Over Items node with a batch size of up to {max} in front.', {
			max: MAX_AWAITED_CALLS,
		}),
	};
}

function routeToTrigger(
	{ account, isInProduction }: RouteTools,
	choice: TriggerChoice,
): ResultRoute {
	if (choice.kind === 'none') {
		const { reason, remedy } = choice;
		return {
			ok: false,
			summary: translate("'When the Call Ends' names the trigger in this workflow, but {reason}", {
				reason: translate(reason),
			}),
			remedy,
		};
	}
	const doubts = choice.kind === 'unanswered' ? [describeDoubt(choice)] : [];
	return {
		ok: true,
		seal: () => ({ respUrl: buildStartUrl(choice.trigger.url, account) }),
		hints: [...findUnreachable(choice.trigger.url, isInProduction), ...doubts],
	};
}

/** @param total how many calls of the run wait */
function routeToWait(
	tools: RouteTools,
	wish: WaitWish,
	choice: TriggerChoice,
	total: number,
): ResultRoute {
	if (choice.kind === 'fits') return routeThroughTrigger(tools, wish, choice.trigger.url);
	if (total <= 1) return routeDirectly(tools, wish, choice);
	return {
		ok: false,
		summary: translate(
			'Waiting for the results of {total} calls at once requires a Yuntongxun Trigger, but {reason}',
			{ total, reason: translate(choice.reason) },
		),
		remedy: choice.remedy,
	};
}

function routeThroughTrigger(
	{ account, run, graceMs, isInProduction }: RouteTools,
	wish: WaitWish,
	url: string,
): ResultRoute {
	const hints = findUnreachable(url, isInProduction);
	const seal = (): SealedRoute => {
		const expiresAt = Date.now() + wish.maxWaitMs + graceMs;
		const respUrl = buildRelayUrl(url, run.getResumeKey(), expiresAt, account);
		return { respUrl, wait: { ...wish, isRelayed: true, doubts: hints } };
	};
	return { ok: true, seal, hints };
}

/** Sends the result of the only waiting call to the execution itself. */
function routeDirectly(
	{ run, isInProduction }: RouteTools,
	wish: WaitWish,
	{ reason, remedy }: Obstacle,
): ResultRoute {
	const address = run.buildAddress();
	const hint = joinSentences(
		translate('{reason}, so the result comes to the waiting execution itself.', {
			reason: capitalize(translate(reason)),
		}),
		translate(WITHOUT_TRIGGER),
		translate(remedy),
	);
	const hints = [...findUnreachable(address, isInProduction), hint];
	const wait = { ...wish, isRelayed: false, doubts: hints };
	return { ok: true, seal: () => ({ respUrl: address, wait }), hints };
}

function findUnreachable(address: string, isInProduction: boolean): string[] {
	const reason = findUnreachableReason(address, isInProduction);
	return reason === undefined ? [] : [reason];
}

/**
 * How long the address for a result outlives the wait, in milliseconds. In a run of several calls the
 * limit counts from the last one, which may be placed long after the one that waits.
 */
const GRACE_MS = { one: 10 * 60_000, several: 24 * 60 * 60_000 };

/** The risk of a single call. Several are refused without a trigger. */
const WITHOUT_TRIGGER =
	"A result that arrives before n8n has stored the waiting execution is lost; this happens when many executions start at once. n8n's own timer can also end a short wait up to a minute late, or end a later wait of the same execution too early. A Yuntongxun Trigger with the same account prevents all of this.";

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
