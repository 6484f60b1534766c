import type { HandOverEnd, KeptResult, Standing } from './handOver';
import { isAnswered } from './resultItem';
import { resultKey } from './notification';
import type { Notification } from './notification';

/** Results for one wait, and what the relay knows of it. */
export interface Gathering {
	/** The signed resume address; of several, the one that expires last. */
	address: string;
	/** By their key; the first report of a call counts. */
	results: Map<string, KeptResult>;
	/** When the first result came, or was read from the database, or n8n last failed to answer. */
	since: number;
	/** Of the last attempt to hand over: when it ended, and how long it took, in milliseconds. */
	last?: { at: number; took: number };
	/** How the wait stood then, once it has said so. */
	standing?: Standing;
	/** Attempts since the wait said how it stands, or since news came from another process. */
	attempts: number;
	/** Whether a result has come since the last attempt began, and whether a person answered. */
	news: { any: boolean; answered: boolean };
	/** Whether nothing answered the last attempt in time. */
	isSlow: boolean;
	isUnderWay: boolean;
	/** What n8n's log was told last about this gathering. */
	complaint?: string;
}

/** A gathering without a result yet. */
export function newGathering(address: string, now: number): Gathering {
	return {
		address,
		results: new Map(),
		since: now,
		attempts: 0,
		news: { any: false, answered: false },
		isSlow: false,
		isUnderWay: false,
	};
}

/** Adds one result. @returns whether it is the first report of its call */
export function gather(
	{ results, news }: Gathering,
	notification: Notification,
	result: KeptResult,
): boolean {
	const key = resultKey(notification);
	if (results.has(key)) return false;
	results.set(key, result);
	news.any = true;
	news.answered ||= isAnswered(notification);
	return true;
}

/** Milliseconds between attempts while n8n has not parked the execution. */
const SHORTEST_PAUSE = 300;
const LONGEST_PAUSE = 30_000;

/** The pause grows with the time that has passed: this part of it. */
const PAUSE_SHARE = 1 / 20;

/** What each gathering of this process adds to the shortest pause, in milliseconds. */
const PAUSE_PER_GATHERING = 20;

/** Between attempts while a wait has not all results, in milliseconds: at first, and at most. */
const FIRST_REMINDER = 2000;
const LONGEST_REMINDER = 60_000;

/** What the relay knows beside the gathering itself. */
export interface Surroundings {
	/** What this process knows of the wait, if it was begun here. */
	local?: { parkedAt?: number };
	/** How many gatherings the process has. */
	gatherings: number;
}

/**
 * When the results of a gathering are to be handed over next, in milliseconds since 1970. n8n
 * loads the whole execution for each attempt, so there are few:
 *
 * - before n8n has parked the execution, with pauses that grow; if this process runs the execution
 *   itself, hardly any before the node has returned;
 * - at once when nothing is missing, or when the first answered call is enough and has come;
 * - when the limit passes;
 * - and now and then between, since other processes may hold the rest, and the waiting node adds
 *   up what each of them hands over.
 */
export function nextHandOver(
	{ results, since, last, standing, attempts, news, isSlow }: Gathering,
	{ local, gatherings }: Surroundings,
): number {
	if (standing?.wait !== 'waiting') {
		if (local && local.parkedAt === undefined) return (last?.at ?? since) + LONGEST_PAUSE;
		const start = Math.max(since, local?.parkedAt ?? 0);
		if (last === undefined || last.at < start) return start;
		const shortest = Math.max(SHORTEST_PAUSE, gatherings * PAUSE_PER_GATHERING);
		// News may be the last result, and n8n may have parked the execution by now.
		const longest = news.any ? Math.max(FIRST_REMINDER, shortest) : LONGEST_PAUSE;
		const pause = Math.max(shortest, (last.at - start) * PAUSE_SHARE, isSlow ? FIRST_REMINDER : 0);
		return last.at + Math.min(pause, longest);
	}
	const lastAt = last?.at ?? since;
	const isComplete = standing.missing?.every((key) => results.has(key)) ?? false;
	const isAlarmHeard = standing.firstAnswered === true && news.answered;
	if (news.any && (isComplete || isAlarmHeard)) return lastAt;
	// The process that runs the execution gets all results, unless n8n runs in queue mode.
	const attempt = news.any && local === undefined ? 0 : attempts;
	const reminder = Math.min(
		Math.max(FIRST_REMINDER * 2 ** attempt, (last?.took ?? 0) / PAUSE_SHARE),
		LONGEST_REMINDER,
	);
	return Math.min(lastAt + reminder, Math.max(standing.until ?? Infinity, lastAt + SHORTEST_PAUSE));
}

/** What the relay does after an attempt. */
export interface Consequence {
	/** Whether the results are done with. */
	isOver: boolean;
	/** What n8n's log is told, with the ids of execution and calls, and how loudly. */
	log?: readonly [level: 'info' | 'warn', text: string];
}

/** What follows from each end of an attempt; what is not over is tried again until it expires. */
export const CONSEQUENCES: Readonly<Record<HandOverEnd, Consequence>> = {
	taken: { isOver: true },
	waiting: { isOver: false },
	notYet: { isOver: false },
	over: { isOver: true, log: ['info', 'came after the execution had gone on'] },
	deleted: { isOver: true, log: ['info', 'came for an execution that n8n has deleted'] },
	refused: {
		isOver: true,
		log: [
			'warn',
			"could not be delivered: n8n refused the address. Has the account's token changed?",
		],
	},
	stranger: {
		isOver: false,
		log: [
			'warn',
			"cannot be delivered yet: something that is not n8n answers at n8n's own public address",
		],
	},
	noAnswer: {
		isOver: false,
		log: [
			'warn',
			'cannot be delivered yet: n8n gets no answer at its own public address (WEBHOOK_URL)',
		],
	},
};

/** What follows when a resume address has expired before n8n took the results. */
export const EXPIRED: Consequence = {
	isOver: true,
	log: ['warn', 'could not be delivered before its address expired'],
};
