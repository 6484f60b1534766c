import { BoundedMap } from '../util/boundedMap';
import { SERVICE_OFFSET_MS } from '../util/serviceTime';

/** How many limits, of all nodes, this process keeps counters for. */
const MAX_COUNTERS = 20_000;

/** How many calls and SMS a node may make in a period. */
export interface Limit {
	/** To one number, in all, or for one value. */
	by: 'number' | 'total' | 'value';
	/** Only of `value`. */
	value?: string;
	max: number;
	/** Any 60 seconds, a clock hour, or a calendar day in the service's time. */
	period: 'minute' | 'hour' | 'day';
}

const PERIODS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Writes a moment in the service's time (UTC+8), as `yyyy-MM-dd HH:mm:ss`. */
const formatMoment = (time: number) =>
	new Date(time + SERVICE_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

/** The clock hour or calendar day in the service's time: its start and end, as `yyyy-MM-dd HH:mm`. */
export function getCurrentPeriod(period: 'hour' | 'day'): { start: string; end: string } {
	const length = PERIODS_MS[period];
	const begun = Math.floor((Date.now() + SERVICE_OFFSET_MS) / length) * length;
	const format = (time: number) => formatMoment(time - SERVICE_OFFSET_MS).slice(0, 16);
	return { start: format(begun), end: format(begun + length) };
}

/** What a request holds while nobody else has it. */
export interface Holdable {
	/** Its name in n8n's database; undefined if it is in memory only. */
	readonly record?: string;
	/** Whether it is ours: n8n had not recorded it before, or need not. */
	isHeld: boolean;
}

/** Stands for a number and its idempotency key. */
export interface Key extends Holdable {
	readonly record: string;
}

/** What is counted towards a limit: one call, or one number of an SMS. */
export interface Slot extends Holdable {
	readonly counter: Counter;
	/** Which one of its counter, from 1. */
	readonly position: number;
}

/** Counts what a limit allows. Only `takeSlots` picks slots, so that between two steps nobody else does. */
export interface Counter {
	/** Whether there is no slot to pick. */
	isUsedUp(max: number): boolean;
	/**
	 * Picks the lowest slot that may be free. Call it only where the counter is not used up.
	 *
	 * @param more how many further ones to try in the same round trip, if none is known to be free
	 */
	pick(max: number, more: number): Slot[];
	/** Nobody needs the slot: it can be picked again at once. */
	putBack(slot: Slot): void;
	/** The message may have gone out, so its slot stays used. */
	keep(): void;
	/** The slots that are recorded, though they were put back. */
	listSpares(): Slot[];
	/** When a slot becomes free at the latest, in the service's time. */
	getEnd(): string;
}

/**
 * Counts in slots, each of which n8n's database can record once. What is remembered here only saves
 * round trips: in a fresh process every slot may be free until its record turns out to be there.
 */
class StoredCounter implements Counter {
	/** Lowest position that was never tried. */
	private nextPosition = 1;

	/** Put back, below `nextPosition`: the highest first. */
	private readonly free: Slot[] = [];

	constructor(
		private readonly name: string,
		private readonly end: string,
	) {}

	isUsedUp(max: number): boolean {
		const lowest = this.free.at(-1)?.position ?? this.nextPosition;
		return lowest > max;
	}

	pick(max: number, more: number): Slot[] {
		const known = this.free.pop();
		if (known) return [known];
		const count = Math.min(1 + more, max + 1 - this.nextPosition);
		return Array.from({ length: count }, () => this.createSlot());
	}

	putBack(slot: Slot): void {
		const at = this.free.findIndex(({ position }) => position < slot.position);
		this.free.splice(at < 0 ? this.free.length : at, 0, slot);
	}

	keep(): void {
		// Its record stays.
	}

	listSpares(): Slot[] {
		return this.free.filter(({ isHeld }) => isHeld);
	}

	getEnd(): string {
		return this.end;
	}

	private createSlot(): Slot {
		const position = this.nextPosition;
		this.nextPosition += 1;
		return { counter: this, position, record: `${this.name}#${position}`, isHeld: false };
	}
}

/** Counts what happened in the last 60 seconds, in this process only, by a clock that nobody sets. */
class MinuteCounter implements Counter {
	private underWay = 0;

	/** When each slot that was used becomes free, the next one first. */
	private readonly ends: number[] = [];

	isUsedUp(max: number): boolean {
		const now = performance.now();
		while (this.ends.length > 0 && this.ends[0] <= now) this.ends.shift();
		return this.underWay + this.ends.length >= max;
	}

	pick(): Slot[] {
		this.underWay += 1;
		return [{ counter: this, position: this.underWay + this.ends.length, isHeld: true }];
	}

	putBack(): void {
		this.underWay -= 1;
	}

	keep(): void {
		this.underWay -= 1;
		this.ends.push(performance.now() + PERIODS_MS.minute);
	}

	listSpares(): Slot[] {
		return [];
	}

	getEnd(): string {
		const now = performance.now();
		const [next = now + PERIODS_MS.minute] = this.ends;
		// The last second that is not over, in full.
		return formatMoment(Date.now() + Math.max(next - now, 0) + 999);
	}
}

const counters = new BoundedMap<string, Counter>(MAX_COUNTERS);

/** The counter of this id, shared by all runs in this process. */
function getCounter(id: string, create: () => Counter): Counter {
	const counter = counters.get(id) ?? create();
	counters.set(id, counter);
	return counter;
}

/**
 * The counter of a node with this name in n8n's database.
 *
 * @param end of its period, in the service's time; none where it counts for ever
 */
export function getStoredCounter(node: string, name: string, end = ''): Counter {
	return getCounter(`${node} ${name}`, () => new StoredCounter(name, end));
}

/**
 * Finds counters of a limit in its current period.
 *
 * @returns gives the one of a subject: what is counted, without anything private
 */
export function findCounters(node: string, { period }: Limit): (subject: string) => Counter {
	if (period === 'minute') {
		return (subject) => getCounter(`${node} ${subject}`, () => new MinuteCounter());
	}
	const { start, end } = getCurrentPeriod(period);
	return (subject) => getStoredCounter(node, `${subject} in ${period} ${start}`, end);
}
