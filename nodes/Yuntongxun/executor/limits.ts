import { createHash } from 'crypto';

import type { IDataObject } from 'n8n-workflow';

import { MAX_ENTRIES } from '../execution/claims';
import type { ItemFailure } from '../execution/items';
import { NotBegun } from '../execution/notBegun';
import type { Limit } from '../execution/onceOnly';
import { lineOf } from '../operation/phoneNumber';
import type { ReadyTask } from './validateItem';

/** How often a phone number may be reached through the node. */
export interface RecipientLimit {
	/** Most times within a period. */
	most: number;
	period: 'hour' | 'day';
}

const HOUR_MS = 3_600_000;
const SERVICE_OFFSET_MS = 8 * HOUR_MS;

/** The length of a period, how much of an ISO date names it, and how a message speaks of it. */
const PERIODS = {
	hour: { ms: HOUR_MS, name: 'yyyy-MM-ddTHH'.length, words: 'this hour' },
	day: { ms: 24 * HOUR_MS, name: 'yyyy-MM-dd'.length, words: 'today' },
};

/**
 * The limits of a task: one for each line that it reaches, in the clock hour or calendar day of the
 * service (UTC+8).
 *
 * @param now in milliseconds since 1970
 */
export function limitsOf({ to = [], recipientLimit }: ReadyTask, now = Date.now()): Limit[] {
	if (recipientLimit === undefined) return [];
	const { most, period } = recipientLimit;
	const { ms, name, words } = PERIODS[period];
	const start = Math.floor((now + SERVICE_OFFSET_MS) / ms) * ms;
	const [current, end] = [start, start + ms].map((time) => new Date(time).toISOString());
	const times = most === 1 ? 'once' : `${most} times`;
	return linesOf(to).map((line) => ({
		name: `count of ${period} ${current.slice(0, name)} ${hashOf(line)}`,
		places: most,
		refusal: `${which(to, line)} has been reached ${times} ${words} through this node, as often as Max per Recipient allows. Send again from ${end.slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' ')} (UTC+8) on`,
	}));
}

/** Whether an item's failure says that the line of a limit was in refused requests only. */
export function leftOut({ report }: Pick<ItemFailure, 'report'>, { name }: Limit): boolean {
	const messages = (report.messages ?? []) as IDataObject[];
	const own = messages.filter(({ to }) =>
		String(to)
			.split(',')
			.some((number) => name.endsWith(hashOf(lineOf(number)))),
	);
	return own.length > 0 && own.every(({ accepted }) => accepted === 'no');
}

/**
 * Makes sure that a node can keep all keys and counts of a run.
 *
 * @throws NotBegun if there are too many
 */
export function checkRoom(tasks: readonly ReadyTask[]): void {
	const keys = new Set(tasks.flatMap(({ idempotencyKey }) => idempotencyKey ?? []));
	const counts = new Map<string, number>();
	for (const { to = [], recipientLimit } of tasks) {
		if (recipientLimit === undefined) continue;
		for (const line of linesOf(to)) {
			counts.set(line, Math.min((counts.get(line) ?? 0) + 1, recipientLimit.most));
		}
	}
	const needed = [...counts.values()].reduce((sum, count) => sum + count, keys.size);
	if (needed <= MAX_ENTRIES) return;
	throw new NotBegun(
		`The items of this run need ${needed} idempotency keys and counts of Max per Recipient, and a node keeps ${MAX_ENTRIES}, so nothing was sent. Send the items in several runs, for example with Loop Over Items`,
	);
}

const linesOf = (numbers: readonly string[]) => [...new Set(numbers.map(lineOf))];

/** n8n's database gets no phone number. */
const hashOf = (line: string) => createHash('sha256').update(line).digest('base64url');

function which(to: readonly string[], line: string): string {
	if (to.length === 1) return "The number in 'To'";
	return `Number ${to.findIndex((number) => lineOf(number) === line) + 1} in 'To'`;
}
