import { BoundedMap } from '../util/boundedMap';
import type { KeyStore } from './keyStore';

/** Quotas of all nodes of which this process remembers how many slots are taken. */
const MAX_QUOTAS = 20_000;

/** A slot of a quota. */
export interface Slot {
	entry: string;
	/** Counted from 1. */
	position: number;
	/** Call it when the entry was removed: the slot can be taken again. */
	free(): void;
}

/**
 * How often something may happen: slots that are recorded once each. What this object remembers
 * saves calls. A fresh process asks for all slots anew, more and more at once; those that it records
 * too early it uses next. If it dies before, the quota ends a little early, never late.
 */
class Quota {
	/** Lowest position that was never asked for. */
	private next = 1;

	/** Recorded by a search and not taken yet. */
	private readonly spare: Slot[] = [];

	/** Taken once and removed, or not recorded. */
	private readonly freed: Slot[] = [];

	private searching?: Promise<void>;

	constructor(private readonly name: string) {}

	/**
	 * Takes a free slot. Those who ask at the same moment get different ones.
	 *
	 * @param max how many slots there are
	 * @returns undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	async take(store: KeyStore, max: number): Promise<Slot | undefined> {
		for (;;) {
			while (this.searching) await this.searching;
			const spare = takeUpTo(max, this.spare);
			if (spare !== undefined) return spare;
			const slot = takeUpTo(max, this.freed) ?? this.nextSlots(1, max).at(0);
			if (slot === undefined) return undefined;
			if ((await this.record(store, [slot])).length > 0) return slot;
			this.searching ??= this.search(store, max).finally(() => {
				this.searching = undefined;
			});
		}
	}

	/** Asks for the next slots until one was free: the first 20 one by one, then more at once. */
	private async search(store: KeyStore, max: number): Promise<void> {
		while (this.spare.length === 0 && this.next <= max) {
			const slots = this.nextSlots(Math.max(1, Math.floor(this.next / 10)), max);
			this.spare.push(...(await this.record(store, slots)));
		}
	}

	private nextSlots(count: number, max: number): Slot[] {
		const slots: Slot[] = [];
		for (; slots.length < count && this.next <= max; this.next++) {
			const free = () => void this.freed.push(slot);
			const slot = { entry: `${this.name}#${this.next}`, position: this.next, free };
			slots.push(slot);
		}
		return slots;
	}

	/** @returns the slots that were free */
	private async record(store: KeyStore, slots: Slot[]): Promise<Slot[]> {
		const entries = slots.map(({ entry }) => entry);
		const fresh = await store.record(entries).catch((thrown: unknown) => {
			this.freed.push(...slots);
			throw thrown;
		});
		return slots.filter(({ entry }) => fresh.has(entry));
	}
}

/** Takes a slot that is not beyond the last one out of a list. */
function takeUpTo(max: number, slots: Slot[]): Slot | undefined {
	const at = slots.findIndex(({ position }) => position <= max);
	return at < 0 ? undefined : slots.splice(at, 1)[0];
}

const quotas = new BoundedMap<string, Quota>(MAX_QUOTAS);

/** The quota of a node that has this name, the same in all runs in this process. */
export function quotaOf(node: string, name: string): Quota {
	const key = `${node} ${name}`;
	const quota = quotas.get(key) ?? new Quota(name);
	quotas.set(key, quota);
	return quota;
}
