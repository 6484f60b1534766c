import { BoundedMap } from '../util/boundedMap';
import { SERVICE_OFFSET_MS } from '../util/serviceTime';
import type { ProcessedRecords } from './processedRecords';

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

/** What is counted towards a limit: one call, or one number of an SMS. */
export interface Slot {
	/** What n8n's database holds for it, if anything. */
	readonly record?: string;
	/** Whoever took it may have reached somebody. */
	keep(): void;
	/** Makes it free to take again, once its record was removed. */
	freeAfter(removing: Promise<void>): void;
}

/** Counts what a limit allows. */
export interface Counter {
	/** Whether certainly nothing is left, without asking n8n. */
	isUsedUp(max: number): boolean;
	/**
	 * Takes a free slot. Callers side by side get different ones.
	 *
	 * @returns undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	take(records: ProcessedRecords, max: number): Promise<Slot | undefined>;
}

/** A slot that n8n's database records. */
interface StoredSlot extends Slot {
	readonly record: string;
	/** Counted from 1. */
	readonly position: number;
	/** Recorded by a search, and not taken yet. */
	isRecorded: boolean;
}

/**
 * Counts in slots, each of which can be recorded once. What is remembered here only saves calls. After
 * a restart it probes in growing batches and keeps what it has recorded beyond its need. A crash loses
 * that: the limit ends early, never late.
 */
class StoredCounter implements Counter {
	/** Lowest position that was never tried. */
	private nextPosition = 1;

	private readonly free: StoredSlot[] = [];

	/** Round trips that record or remove a slot: each may leave one free. */
	private readonly trips = new Set<Promise<unknown>>();

	private searching?: Promise<void>;

	constructor(private readonly name: string) {}

	isUsedUp(max: number): boolean {
		const isAnyFree = this.free.some(({ position }) => position <= max);
		return this.trips.size === 0 && this.nextPosition > max && !isAnyFree;
	}

	async take(
		records: ProcessedRecords,
		max: number,
	): Promise<(Slot & { position: number }) | undefined> {
		for (;;) {
			while (this.searching) await this.searching;
			const slot = this.pick(max);
			if (slot?.isRecorded) return slot;
			if (slot) {
				const [own] = await this.record(records, [slot]);
				if (own) return own;
				await this.searchOnce(records, max);
			} else if (this.trips.size > 0) {
				await Promise.race(this.trips);
			} else {
				return undefined;
			}
		}
	}

	/** The free slot with the lowest position, recorded or not. */
	private pick(max: number): StoredSlot | undefined {
		this.free.sort((a, b) => a.position - b.position);
		const lowest = this.free.at(0);
		if (lowest && lowest.position <= max) return this.free.shift();
		return this.createSlots(1, max).at(0);
	}

	/** Callers side by side that find their slot taken share one search. */
	private async searchOnce(records: ProcessedRecords, max: number): Promise<void> {
		this.searching ??= this.search(records, max).finally(() => {
			this.searching = undefined;
		});
		await this.searching;
	}

	/** Tries the next slots until one is free: the first 19 one by one, then more at once. */
	private async search(records: ProcessedRecords, max: number): Promise<void> {
		while (!this.free.some(({ isRecorded }) => isRecorded) && this.nextPosition <= max) {
			const slots = this.createSlots(Math.max(1, Math.floor(this.nextPosition / 10)), max);
			this.free.push(...(await this.record(records, slots)));
		}
	}

	private createSlots(count: number, max: number): StoredSlot[] {
		const slots: StoredSlot[] = [];
		for (; slots.length < count && this.nextPosition <= max; this.nextPosition++) {
			slots.push(this.createSlot(this.nextPosition));
		}
		return slots;
	}

	private createSlot(position: number): StoredSlot {
		const slot: StoredSlot = {
			record: `${this.name}#${position}`,
			position,
			isRecorded: false,
			keep: () => undefined,
			freeAfter: (removing) => {
				const removed = removing.then(() => this.giveBack([slot]));
				void this.watch(removed);
			},
		};
		return slot;
	}

	/** @returns the slots that were free */
	private async record(records: ProcessedRecords, slots: StoredSlot[]): Promise<StoredSlot[]> {
		const recording = records.record(slots.map(({ record }) => record));
		void this.watch(recording);
		const fresh = await recording.catch((error: unknown) => {
			this.giveBack(slots);
			throw error;
		});
		const own = slots.filter(({ record }) => fresh.has(record));
		for (const slot of own) slot.isRecorded = true;
		return own;
	}

	private giveBack(slots: StoredSlot[]): void {
		for (const slot of slots) slot.isRecorded = false;
		this.free.push(...slots);
	}

	/** Until it is over, nobody is told that the limit is used up. */
	private async watch(trip: Promise<unknown>): Promise<void> {
		const settled = Promise.allSettled([trip]);
		this.trips.add(settled);
		await settled;
		this.trips.delete(settled);
	}
}

/** Counts what happened in the last 60 seconds, in this process only. */
class MinuteCounter implements Counter {
	/** When each slot becomes free; of one under way nobody knows. */
	private readonly slots: Array<{ freeAt: number }> = [];

	isUsedUp(max: number): boolean {
		const now = Date.now();
		const gone = this.slots.filter(({ freeAt }) => freeAt <= now);
		for (const slot of gone) this.slots.splice(this.slots.indexOf(slot), 1);
		return this.slots.length >= max;
	}

	async take(_records: ProcessedRecords, max: number): Promise<Slot | undefined> {
		if (this.isUsedUp(max)) return undefined;
		const slot = { freeAt: Infinity };
		this.slots.push(slot);
		return await Promise.resolve({
			keep: () => {
				slot.freeAt = Date.now() + PERIODS_MS.minute;
			},
			freeAfter: () => {
				slot.freeAt = 0;
			},
		});
	}

	/** When a slot becomes free, in the service's time. */
	getEnd(): string {
		const now = Date.now();
		const times = this.slots.map(({ freeAt }) => Math.min(freeAt, now + PERIODS_MS.minute));
		// The last second that is not over, in full.
		return formatMoment(Math.min(...times, now + PERIODS_MS.minute) + 999);
	}
}

const stored = new BoundedMap<string, StoredCounter>(MAX_COUNTERS);
const minutes = new BoundedMap<string, MinuteCounter>(MAX_COUNTERS);

/** The counter of a node with this name, shared by all runs in this process. */
export function getStoredCounter(node: string, name: string): StoredCounter {
	const id = `${node} ${name}`;
	const counter = stored.get(id) ?? new StoredCounter(name);
	stored.set(id, counter);
	return counter;
}

/**
 * The counter of a limit in its current period.
 *
 * @param subject what is counted, without anything private
 * @returns with it, when its period ends, in the service's time
 */
export function getCounter(
	node: string,
	{ period }: Limit,
	subject: string,
): { counter: Counter; getEnd: () => string } {
	if (period !== 'minute') {
		const { start, end } = getCurrentPeriod(period);
		const counter = getStoredCounter(node, `${subject} in ${period} ${start}`);
		return { counter, getEnd: () => end };
	}
	const id = `${node} ${subject}`;
	const counter = minutes.get(id) ?? new MinuteCounter();
	minutes.set(id, counter);
	return { counter, getEnd: () => counter.getEnd() };
}
