import type { IExecuteFunctions } from 'n8n-workflow';

import { BoundedMap } from '../util/boundedMap';
import { nodeKey } from '../util/nodeKey';
import type { KeyStore } from './keyStore';

/** Slots up to this one are asked for one by one, so that a fresh process counts exactly. */
const EXACT = 20;

/** Quotas of all nodes of which this process remembers how many slots are taken. */
const MAX_QUOTAS = 20_000;

/** A slot of a quota that was taken. */
export interface Taken {
	entry: string;
	/** Counted from 1. */
	slot: number;
	quota: Quota;
}

/**
 * How often something may happen: a row of slots, `name#1` to `name#max`, each recorded once. What
 * this object remembers saves calls; without it, in a fresh process, a free slot is searched anew,
 * and beyond the first slots the quota may then end a little early, never late.
 */
export class Quota {
	/** Lowest slot that was never asked for. */
	private next = 1;

	/** Recorded by a search and not taken yet. */
	private readonly spare: number[] = [];

	/** Taken once and removed. */
	private readonly freed: number[] = [];

	/** Every slot that a search has recorded. */
	private readonly found = new Set<number>();

	private searching?: Promise<void>;

	constructor(private readonly name: string) {}

	/**
	 * Takes a free slot. Those who ask at the same moment ask for different ones.
	 *
	 * @param max how many slots there are
	 * @returns undefined if all are taken
	 * @throws what n8n throws
	 */
	async take(store: KeyStore, max: number): Promise<Taken | undefined> {
		for (;;) {
			while (this.searching) await this.searching;
			const spare = takeUpTo(max, this.spare);
			if (spare !== undefined) return this.taken(spare);
			const slot = takeUpTo(max, this.freed) ?? this.unasked(max);
			if (slot === undefined) return undefined;
			if (await this.record(store, slot)) return this.taken(slot);
			this.searching ??= this.search(store, max).finally(() => {
				this.searching = undefined;
			});
		}
	}

	/** Notes that the record of a slot is removed. */
	free(slot: number): void {
		this.freed.push(slot);
	}

	private taken(slot: number): Taken {
		return { entry: this.entry(slot), slot, quota: this };
	}

	private entry(slot: number): string {
		return `${this.name}#${slot}`;
	}

	/** @returns whether the slot was free */
	private async record(store: KeyStore, slot: number): Promise<boolean> {
		let isRecorded = false;
		try {
			const fresh = await store.record([this.entry(slot)]);
			isRecorded = true;
			return fresh.size > 0;
		} finally {
			if (!isRecorded) this.freed.push(slot);
		}
	}

	private unasked(max: number): number | undefined {
		while (this.found.delete(this.next)) this.next++;
		return this.next <= max ? this.next++ : undefined;
	}

	/** Finds the end of the taken slots: 1, 2, 4 … further, then by halves. */
	private async search(store: KeyStore, max: number): Promise<void> {
		let taken = this.next - 1;
		let free = max + 1;
		const probe = async (slot: number) => {
			if (await this.record(store, slot)) {
				this.spare.push(slot);
				this.found.add(slot);
				free = slot;
			} else taken = slot;
		};
		for (let step = 1; taken < max && free > max; step = taken < EXACT ? 1 : step * 2) {
			await probe(Math.min(taken + step, max));
		}
		while (free - taken > 1) await probe(Math.floor((taken + free) / 2));
		this.next = Math.max(this.next, taken + 1);
	}
}

/** Takes a slot that is not beyond the last one out of a list. */
function takeUpTo(max: number, slots: number[]): number | undefined {
	const at = slots.findIndex((slot) => slot <= max);
	return at < 0 ? undefined : slots.splice(at, 1)[0];
}

const quotas = new BoundedMap<string, Quota>(MAX_QUOTAS);

/** The quotas of the node that runs, by name; the same in all its runs in this process. */
export function quotasOf(context: IExecuteFunctions): (name: string) => Quota {
	const node = nodeKey(context);
	return (name) => {
		const key = `${node} ${name}`;
		const quota = quotas.get(key) ?? new Quota(name);
		quotas.set(key, quota);
		return quota;
	};
}
