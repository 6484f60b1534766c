import { BoundedMap } from '../util/boundedMap';
import { SERVICE_OFFSET_MS } from '../util/serviceTime';
import type { ProcessedRecords } from './processedRecords';

/** How many quotas, of all nodes, this process keeps counters for. */
const MAX_QUOTAS = 20_000;

/** How often something may happen in a clock minute, clock hour or calendar day, in the service's time. */
export interface Quota {
	max: number;
	period: 'minute' | 'hour' | 'day';
}

const PERIODS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The current period of a quota: its start and end in the service's time (UTC+8), as `yyyy-MM-dd HH:mm`. */
export function getCurrentPeriod(period: Quota['period']): { start: string; end: string } {
	const length = PERIODS_MS[period];
	const start = Math.floor((Date.now() + SERVICE_OFFSET_MS) / length) * length;
	const format = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
	return { start: format(start), end: format(start + length) };
}

/** A slot of a quota that was taken. */
export interface QuotaSlot {
	record: string;
	/** Counted from 1. */
	position: number;
	/** Makes the slot free to take again; call it once the record was removed. */
	free(): void;
}

/**
 * Counts in slots, each of which can be recorded once. What is remembered here only saves calls. After
 * a restart it probes in growing batches and keeps what it has recorded beyond its need. A crash loses
 * that: the quota ends early, never late.
 */
class QuotaCounter {
	/** Lowest position that was never tried. */
	private nextPosition = 1;

	/** Free to take: recorded by a search and not taken yet. */
	private readonly spare: QuotaSlot[] = [];

	/** Free to record again: taken once and removed, or not recorded. */
	private readonly reusable: QuotaSlot[] = [];

	private searching?: Promise<void>;

	constructor(private readonly name: string) {}

	/**
	 * Takes a free slot. Concurrent callers get different ones.
	 *
	 * @param max how many slots there are
	 * @returns undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	async take(records: ProcessedRecords, max: number): Promise<QuotaSlot | undefined> {
		for (;;) {
			while (this.searching) await this.searching;
			const found = takeUpTo(max, this.spare);
			if (found !== undefined) return found;

			const slot = takeUpTo(max, this.reusable) ?? this.createSlots(1, max).at(0);
			if (slot === undefined) return undefined;
			const [recorded] = await this.record(records, [slot]);
			if (recorded !== undefined) return recorded;
			await this.searchOnce(records, max);
		}
	}

	/** Concurrent callers that find their slot taken share one search. */
	private async searchOnce(records: ProcessedRecords, max: number): Promise<void> {
		this.searching ??= this.search(records, max).finally(() => {
			this.searching = undefined;
		});
		await this.searching;
	}

	/** Tries the next slots until one is free: the first 19 one by one, then more at once. */
	private async search(records: ProcessedRecords, max: number): Promise<void> {
		while (this.spare.length === 0 && this.nextPosition <= max) {
			const slots = this.createSlots(Math.max(1, Math.floor(this.nextPosition / 10)), max);
			this.spare.push(...(await this.record(records, slots)));
		}
	}

	private createSlots(count: number, max: number): QuotaSlot[] {
		const slots: QuotaSlot[] = [];
		for (; slots.length < count && this.nextPosition <= max; this.nextPosition++) {
			const slot: QuotaSlot = {
				record: `${this.name}#${this.nextPosition}`,
				position: this.nextPosition,
				free: () => void this.reusable.push(slot),
			};
			slots.push(slot);
		}
		return slots;
	}

	/** @returns the slots that were free */
	private async record(records: ProcessedRecords, slots: QuotaSlot[]): Promise<QuotaSlot[]> {
		const names = slots.map(({ record }) => record);
		const fresh = await records.record(names).catch((error: unknown) => {
			this.reusable.push(...slots);
			throw error;
		});
		return slots.filter(({ record }) => fresh.has(record));
	}
}

/** Takes a slot out of a list, unless its position is beyond the maximum. */
function takeUpTo(max: number, slots: QuotaSlot[]): QuotaSlot | undefined {
	const found = slots.findIndex(({ position }) => position <= max);
	return found < 0 ? undefined : slots.splice(found, 1)[0];
}

const counters = new BoundedMap<string, QuotaCounter>(MAX_QUOTAS);

/** The counter of a node with this name, shared by all runs in this process. */
export function getQuotaCounter(node: string, name: string): QuotaCounter {
	const id = `${node} ${name}`;
	const counter = counters.get(id) ?? new QuotaCounter(name);
	counters.set(id, counter);
	return counter;
}
