import type { IExecuteFunctions } from 'n8n-workflow';

import { buildRelayUrl, buildStartUrl } from '../../callbacks/callbackUrl';
import type { ResumeKey } from '../../callbacks/callbackUrl';
import { findUnreachableHints } from '../../callbacks/resultUrlHints';
import { MAX_AWAITED_CALLS } from '../../callbacks/wait';
import type { AwaitedCall, ResultWish, WaitWish } from '../../callbacks/wait';
import type { ApiCredential } from '../../client/credential';
import { joinMessage, joinSentences, translate } from '../../language/translate';
import { chooseTrigger } from './chooseTrigger';
import type { Obstacle, TriggerChoice } from './chooseTrigger';

/** How the result of a call gets to the execution. */
export interface FoundRoute {
	ok: true;
	/** Builds the address for the service. Its life counts from now, so build it when the call is placed. */
	buildUrl(): string;
	/** How the call waits; undefined if nothing does. */
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
	/** How many calls wait, those of earlier tries and dry runs included. */
	total: number;
	/** How long the address for a result outlives the wait, in milliseconds. */
	graceMs: number;
	isInProduction: boolean;
	/** What n8n's log is told: nobody sees the hints of a run in production. */
	warnings: Set<string>;
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
	// Once for all calls that want the same: choosing copies the node and derives a key.
	const chosen = new Map<string, Promise<TriggerChoice>>();
	const choose = async ({ wish }: RoutedCall) => {
		const id = `${wish.kind} ${wish.event}`;
		const choosing = chosen.get(id) ?? chooseTrigger(context, account, wish);
		chosen.set(id, choosing);
		return await choosing;
	};
	const choices = await Promise.all(calls.map(choose));

	const waiting = calls.filter(({ wish }) => wish.kind === 'wait');
	const tools: RouteTools = {
		account,
		run,
		total: run.acceptedCalls + waiting.length,
		graceMs: callsOfRun <= 1 ? GRACE_MS.one : GRACE_MS.several,
		isInProduction: context.getMode() !== 'manual',
		warnings: new Set(),
	};
	const routes = calls.map(({ wish, isDryRun }, position) => {
		const find = (choice: TriggerChoice) => findRoute(tools, wish, choice);
		return isDryRun ? rehearse(choices[position], find) : find(choices[position]);
	});
	for (const warning of tools.warnings) {
		context.logger.warn(`Yuntongxun: execution ${context.getExecutionId()}: ${warning}`);
	}
	return routes;
}

/** What the answer of a trigger leads to: the call goes by a route, or is refused. */
function findRoute(tools: RouteTools, wish: ResultWish, choice: TriggerChoice): ResultRoute {
	const { total } = tools;
	switch (wish.kind) {
		case 'trigger':
			return choice.kind === 'unfit'
				? refuseCall('{reason}, so the call result cannot start this workflow', { ...choice })
				: routeToTrigger(tools, choice);
		case 'wait':
			if (total > MAX_AWAITED_CALLS) return refuseCall(TOO_MANY.summary, { ...TOO_MANY, total });
			if (choice.kind === 'fits') return routeThroughTrigger(tools, wish, choice.trigger.url);
			return total > 1
				? refuseCall('{reason}, so this run cannot wait for the results of {total} calls at once', {
						...choice,
						total,
					})
				: routeDirectly(tools, wish, choice);
	}
}

/** A dry run is refused only without a trigger; a hint says what was found. */
function rehearse(
	choice: TriggerChoice,
	find: (choice: TriggerChoice) => ResultRoute,
): ResultRoute {
	const { trigger } = choice;
	if (!trigger) return find(choice);
	const { name, url } = trigger;
	const hint =
		choice.kind === 'fits'
			? translate('Results would come through {name} at {url}.', { name, url })
			: joinMessage(choice.reason, choice.remedy);
	const route = find({ kind: 'fits', trigger });
	return route.ok ? { ...route, hints: [...route.hints, hint] } : route;
}

/** @param summary may name the reason, and how many calls of the run wait in all */
function refuseCall(
	summary: string,
	{ reason = '', remedy, total = 0 }: { reason?: string; remedy: string; total?: number },
): MissingRoute {
	const values = { reason, total, max: MAX_AWAITED_CALLS };
	return { ok: false, summary: translate(summary, values), remedy: translate(remedy, values) };
}

/** Sends the result to a trigger that it starts, even if nobody knows whether that takes it. */
function routeToTrigger(
	{ account, isInProduction, warnings }: RouteTools,
	choice: Exclude<TriggerChoice, { kind: 'unfit' }>,
): FoundRoute {
	const { url } = choice.trigger;
	const hints = findUnreachableHints(url, isInProduction);
	if (choice.kind === 'uncertain') {
		const { reason, remedy } = choice;
		const warning = translate('{reason}, so the result may not start this workflow.', { reason });
		hints.push(joinSentences(warning, remedy));
		warnings.add(joinSentences(warning, remedy));
	}
	return { ok: true, buildUrl: () => buildStartUrl(url, account), hints };
}

/** Sends the result to a trigger that passes it on. */
function routeThroughTrigger(
	{ account, run, graceMs, isInProduction }: RouteTools,
	wish: WaitWish,
	url: string,
): FoundRoute {
	const hints = findUnreachableHints(url, isInProduction);
	const buildUrl = () => {
		const expiresAt = Date.now() + wish.maxWaitMs + graceMs;
		return buildRelayUrl(url, run.getResumeKey(), expiresAt, account);
	};
	return { ok: true, buildUrl, wait: { ...wish, isRelayed: true, hints }, hints };
}

/** Sends the result of the only waiting call to the execution itself. */
function routeDirectly(
	{ run, isInProduction }: RouteTools,
	wish: WaitWish,
	{ reason, remedy }: Obstacle,
): FoundRoute {
	const resultUrl = run.buildAddress();
	const hint = joinSentences(
		translate('{reason}, so the result goes directly to the waiting execution.', { reason }),
		translate(WITHOUT_TRIGGER),
		remedy,
	);
	const hints = [...findUnreachableHints(resultUrl, isInProduction), hint];
	const wait = { ...wish, isRelayed: false, hints };
	return { ok: true, buildUrl: () => resultUrl, wait, hints };
}

/** More calls than a run can wait for. */
const TOO_MANY = {
	summary:
		'Wait for Result works for up to {max} calls at once, and this run would wait for {total}',
	remedy: 'Put a Loop Over Items node with a batch size of up to {max} in front.',
};

/**
 * How long the address for a result outlives the wait, in milliseconds. In a run of several calls the
 * limit counts from the last one, which may be placed long after the one that waits.
 */
const GRACE_MS = { one: 10 * 60_000, several: 24 * 60 * 60_000 };

/** The risk of a single call. Several are refused without a trigger. */
const WITHOUT_TRIGGER =
	"A result that arrives before n8n has stored the waiting execution is lost; this happens when many executions start at once. n8n's own timer can also end a short wait up to a minute late, or end a later wait of the same execution too early. A Yuntongxun Trigger with the same account prevents all of this.";
