import { SERVICE_OFFSET_MS } from '../util/serviceTime';

/** How many calls and SMS a node may make in a period. */
export interface Limit {
	/** To one number, in all, or for one value. */
	by: 'number' | 'total' | 'value';
	/** Only of `value`. */
	value?: string;
	max: number;
	/** 60 seconds from the first that counts, a clock hour, or a calendar day in the service's time. */
	period: 'minute' | 'hour' | 'day';
}

/** What came of counting a call, or one number of an SMS. */
export type Counted =
	/** It counts, until `undo` takes it back. */
	| { isFull: false; undo(): void }
	/** A limit is used up until `end`, in the service's time; of several the one that ends last. */
	| { isFull: true; limit: Limit; end: string };

/** What one limit has counted in one period. */
interface Count {
	used: number;
	/** When the period ends, by a clock that nobody sets. */
	readonly endsAt: number;
	/** The same in the service's time. */
	readonly end: string;
}

const PERIODS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** How many counts this process keeps before it looks for those whose period is over. */
const SWEEP_AT_LEAST = 1000;

/** The counts of all nodes. They are in memory only: a restart of n8n begins anew. */
const counts = new Map<string, Count>();

let sweepAt = SWEEP_AT_LEAST;

/**
 * Counts a call, or one number of an SMS, unless one of the limits is used up.
 *
 * @param node names the node
 * @param line the number without an extension
 */
export function countSent(node: string, limits: readonly Limit[], line: string): Counted {
	const full = findFullLimit(node, limits, line);
	if (full) return full;

	const own = limits.map((limit) => openCount(node, limit, line));
	for (const count of own) count.used += 1;
	// What is taken back belongs to the period in which it was counted.
	const undo = () => {
		for (const count of own) count.used -= 1;
	};
	return { isFull: false, undo };
}

/** Finds the limit that is used up for a line; of several the one that ends last. */
export function findFullLimit(
	node: string,
	limits: readonly Limit[],
	line: string,
): Extract<Counted, { isFull: true }> | undefined {
	let last: Extract<Counted, { isFull: true }> | undefined;
	for (const limit of limits) {
		const count = findCount(node, limit, line);
		if (count === undefined || count.used < limit.max) continue;
		if (last === undefined || count.end > last.end) last = { isFull: true, limit, end: count.end };
	}
	return last;
}

/** The count of a limit in its current period; undefined if nothing counts. */
function findCount(node: string, limit: Limit, line: string): Count | undefined {
	const count = counts.get(nameCount(node, limit, line));
	return count && count.used > 0 && count.endsAt > performance.now() ? count : undefined;
}

function openCount(node: string, limit: Limit, line: string): Count {
	const found = findCount(node, limit, line);
	if (found) return found;

	if (counts.size >= sweepAt) sweep();
	const { length, left } = findPeriod(limit.period);
	// A minute has its last second in full.
	const end = formatMoment(Date.now() + left + (limit.period === 'minute' ? 999 : 0));
	const count: Count = {
		used: 0,
		endsAt: performance.now() + left,
		end: end.slice(0, length),
	};
	counts.set(nameCount(node, limit, line), count);
	return count;
}

/** A name for what a limit counts in its current period. A minute begins with what it counts first. */
function nameCount(node: string, { by, value, period }: Limit, line: string): string {
	const subject = { number: line, total: '', value }[by];
	return JSON.stringify([node, by, subject, period, findPeriod(period).start]);
}

/** The current period: which one it is, how long it lasts from now, and how much of its end to write. */
function findPeriod(period: Limit['period']): { start: number; left: number; length: number } {
	const ms = PERIODS_MS[period];
	if (period === 'minute') return { start: 0, left: ms, length: 19 };
	const now = Date.now() + SERVICE_OFFSET_MS;
	const start = Math.floor(now / ms);
	return { start, left: (start + 1) * ms - now, length: 16 };
}

/** Writes a moment in the service's time (UTC+8), as `yyyy-MM-dd HH:mm:ss`. */
function formatMoment(time: number): string {
	return new Date(time + SERVICE_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** Forgets counts whose period is over, and none that still holds. */
function sweep(): void {
	const now = performance.now();
	for (const [name, { endsAt }] of counts) {
		if (endsAt <= now) counts.delete(name);
	}
	sweepAt = Math.max(SWEEP_AT_LEAST, counts.size * 2);
}
