import type { IExecuteFunctions } from 'n8n-workflow';

import { EVENT_LABELS } from '../../callbacks/notification';
import { PUBLIC_ADDRESS_VARIABLE } from '../../callbacks/resultUrlHints';
import type { AskedTrigger } from '../../callbacks/triggerQuestion';
import type { ResultWish } from '../../callbacks/wait';
import { deriveKey } from '../../client/credential';
import type { ApiCredential } from '../../client/credential';
import { joinSentences, translate } from '../../language/translate';
import { BoundedMap } from '../../util/boundedMap';
import { askTrigger } from './askTrigger';
import type { Unanswered, TriggerState } from './askTrigger';
import { selectTrigger } from './workflowTriggers';

/** Why a trigger does not take a result. */
export interface Obstacle {
	/** Whether it certainly does not take it, or nobody knows. */
	kind: 'unfit' | 'uncertain';
	/** One clause, without a period. */
	reason: string;
	/** What the user can do about it. */
	remedy: string;
}

/** The trigger that a result goes to, or what is in the way. */
export type TriggerChoice =
	| { kind: 'fits'; trigger: AskedTrigger }
	| (Obstacle & { kind: 'uncertain'; trigger: AskedTrigger })
	/** Without a trigger if there is none. */
	| (Obstacle & { kind: 'unfit'; trigger?: AskedTrigger });

/** How long a trigger that fits is not asked again, in milliseconds. */
const FITS_FOR_MS = 60_000;

/** A question to a trigger, and what comes of it. */
interface Asked {
	/** In milliseconds since 1970. */
	at: number;
	choice: Promise<TriggerChoice>;
}

/** Questions without an answer yet, and of those with one the last that says that the trigger fits. */
const asked = new BoundedMap<string, Asked>(1000);

/**
 * Chooses a trigger of the workflow for the result of a call, and asks it. Calls and executions side by
 * side share a question. Only that it fits is remembered, so that nobody who has mended a trigger has to
 * wait.
 */
export async function chooseTrigger(
	context: IExecuteFunctions,
	account: ApiCredential,
	wish: ResultWish,
): Promise<TriggerChoice> {
	const trigger = selectTrigger(context, wish);
	if (!trigger) return { ...describe('noTrigger'), kind: 'unfit' };

	const fingerprint = deriveKey(account, 'fingerprint').toString('base64url');
	const id = JSON.stringify([trigger, fingerprint, wish.kind, wish.event]);
	const last = asked.get(id);
	// From long after means that the clock was set back.
	if (last && Math.abs(Date.now() - last.at) < FITS_FOR_MS) return await last.choice;

	const choice = askTrigger(context, trigger, account).then((state): TriggerChoice => {
		const obstacle = findObstacle(state, wish);
		// In a burst n8n is too busy to answer, and what goes directly then may get lost.
		const fits = !obstacle || (state.kind === 'silent' && last !== undefined);
		if (fits) return { kind: 'fits', trigger };
		asked.delete(id);
		return { ...obstacle, trigger };
	});
	asked.set(id, { at: Date.now(), choice });
	return await choice;
}

const CHECK_ADDRESS =
	"Check that n8n's environment variable {variable} is the address at which the internet reaches this n8n, that n8n itself can reach it too, and that no proxy or login page answers in its place.";

/** All that can be in the way of a result. */
const OBSTACLES = {
	noTrigger: {
		kind: 'unfit',
		reason: 'This workflow has no Yuntongxun Trigger',
		remedy:
			'Add a Yuntongxun Trigger to this workflow: search for Yuntongxun, open Triggers, and choose one that begins with "On voice". Then activate (publish) the workflow.',
	},
	notRegistered: {
		kind: 'unfit',
		reason: "This workflow's Yuntongxun Trigger is not active",
		remedy:
			'Activate (publish) this workflow. If it is active, save it again, or delete its Yuntongxun Trigger and add a new one.',
	},
	copied: {
		kind: 'unfit',
		reason:
			"A trigger in another workflow receives what is sent to this workflow's Yuntongxun Trigger",
		remedy:
			"Delete this workflow's Yuntongxun Trigger, add a new one, and activate (publish) the workflow. A copied trigger keeps the address of the original.",
	},
	foreign: {
		kind: 'unfit',
		reason: "This workflow's Yuntongxun Trigger does not use the account that makes the calls",
		remedy:
			'Choose the same credential in both nodes, and activate (publish) the workflow again. If it already is the same, a copy of the trigger in another workflow receives the results: delete the trigger and add a new one.',
	},
	otherEvents: {
		kind: 'unfit',
		reason: "This workflow's Yuntongxun Trigger does not start for {label}",
		remedy:
			'Choose {label} in the Events of the trigger, and activate (publish) the workflow again.',
	},
	unreadable: {
		kind: 'uncertain',
		reason: "This workflow's Yuntongxun Trigger cannot read its credential",
		remedy:
			"Open the trigger's credential and save it again. If it comes from an external store or an expression, check that n8n can read it where it receives webhooks.",
	},
	blocked: {
		kind: 'uncertain',
		reason: 'This n8n blocks requests to its own public address (N8N_SSRF_PROTECTION_ENABLED)',
		remedy:
			'Ask whoever runs this n8n to add the host of its public address to N8N_SSRF_ALLOWED_HOSTNAMES or, if it is an IP address, to N8N_SSRF_ALLOWED_IP_RANGES.',
	},
	silent: {
		kind: 'uncertain',
		reason: "The Yuntongxun Trigger did not answer within 10 seconds at n8n's own public address",
		remedy: CHECK_ADDRESS,
	},
	replaced: {
		kind: 'uncertain',
		reason:
			"At n8n's own public address, something other than the Yuntongxun Trigger answered with HTTP {status}",
		remedy: CHECK_ADDRESS,
	},
	untrusted: {
		kind: 'uncertain',
		reason: 'n8n does not accept the certificate of its own public address',
		remedy: CHECK_ADDRESS,
	},
	unreachable: {
		kind: 'uncertain',
		reason: 'n8n cannot reach the Yuntongxun Trigger at its own public address',
		remedy: CHECK_ADDRESS,
	},
} as const satisfies Record<Unanswered | 'noTrigger' | 'copied' | 'otherEvents', Obstacle>;

/**
 * Why a trigger does not take a result; undefined if it does. It passes on results of both kinds of
 * call, but starts only for those of its events.
 */
function findObstacle(state: TriggerState, wish: ResultWish): Obstacle | undefined {
	if (state.kind !== 'answered') return describe(state.kind, { ...state });

	const { events, isAsked } = state.answer;
	if (!isAsked) return describe('copied');
	if (wish.kind === 'wait' || events.includes(wish.event)) return undefined;
	return describe('otherEvents', { label: translate(EVENT_LABELS[wish.event]) });
}

/** An obstacle in the language of this build, its blanks filled. */
function describe(
	name: keyof typeof OBSTACLES,
	values: Readonly<Record<string, string | number>> = {},
): Obstacle {
	const { kind, reason, remedy } = OBSTACLES[name];
	const all = { ...values, variable: PUBLIC_ADDRESS_VARIABLE };
	// n8n replaces messages that hold a code of Node.js, so it stands here.
	const cause = values.errorName ? translate('Node.js reports {errorName}.', values) : '';
	return {
		kind,
		reason: translate(reason, all),
		remedy: joinSentences(translate(remedy, all), cause),
	};
}
