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

/** A limit that is used up until `end`, in the service's time. */
export interface FullLimit {
	limit: Limit;
	end: string;
}

/** What one limit has counted in one period. */
interface Count {
	/** Names it in {@link counts}. */
	readonly name: string;
	used: number;
	/** When the period ends, by a clock that nobody sets. */
	readonly endsAt: number;
}

const PERIODS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The counts of all nodes, that of the latest message last. They are in memory only: a restart of n8n begins anew. */
const counts = new Map<string, Count>();

/**
 * Finds the limit that is used up for a line; of several the one that ends last.
 *
 * @param node names the node
 * @param line the number without an extension
 */
export function findFullLimit(
	node: string,
	limits: readonly Limit[],
	line: string,
): FullLimit | undefined {
	let last: FullLimit | undefined;
	for (const limit of limits) {
		const { used, endsAt } = getCount(node, limit, line);
		if (used < limit.max) continue;
		const end = formatEnd(endsAt);
		if (last === undefined || end > last.end) last = { limit, end };
	}
	return last;
}

/**
 * Counts a call, or one number of an SMS, of which no limit is used up.
 *
 * @returns takes it back
 */
export function countSent(node: string, limits: readonly Limit[], line: string): () => void {
	const own = limits.map((limit) => getCount(node, limit, line));
	for (const count of own) {
		count.used += 1;
		counts.delete(count.name);
		counts.set(count.name, count);
	}
	forgetEnded();
	// What is taken back belongs to the period in which it was counted.
	return () => {
		for (const count of own) count.used -= 1;
	};
}

/** The count of a limit in its current period. A minute begins with what it counts first. */
function getCount(node: string, { by, value, period }: Limit, line: string): Count {
	const subject = { number: line, total: '', value }[by];
	const length = PERIODS_MS[period];
	const time = Date.now() + SERVICE_OFFSET_MS;
	const begun = period === 'minute' ? 0 : time % length;
	const start = period === 'minute' ? 0 : time - begun;
	const name = JSON.stringify([node, by, subject, period, start]);

	const now = performance.now();
	const found = counts.get(name);
	if (found && found.used > 0 && found.endsAt > now) return found;
	return { name, used: 0, endsAt: now + length - begun };
}

/** Forgets the oldest counts as far as their period is over, and none that still holds. */
function forgetEnded(): void {
	const now = performance.now();
	for (const [name, { endsAt }] of counts) {
		if (endsAt > now) return;
		counts.delete(name);
	}
}

/** Writes when a period ends in the service's time (UTC+8), as `yyyy-MM-dd HH:mm:ss`: then it is over. */
function formatEnd(endsAt: number): string {
	const end = Date.now() + SERVICE_OFFSET_MS + endsAt - performance.now();
	return new Date(end + 999).toISOString().slice(0, 19).replace('T', ' ');
}
