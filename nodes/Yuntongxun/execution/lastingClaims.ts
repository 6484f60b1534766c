import type { IExecuteFunctions } from 'n8n-workflow';

import { Claims } from './claims';
import { NotBegun } from './notBegun';

/**
 * How many lasting claims a node can make. The entries of a day are reserved in chunks, each marked
 * by an entry of its own; two days of them fit into the room.
 */
export interface Size {
	chunk: number;
	chunksADay: number;
	/** Most entries that the node keeps. */
	room: number;
}

export const SIZE: Size = { chunk: 100, chunksADay: 98, room: 20_000 };

/** There is no room for another lasting claim today. */
export class StoreFull extends NotBegun {
	override readonly name = 'StoreFull';

	constructor() {
		super('The store of this node is full, so nothing was done');
	}
}

/** Reserved entries that are still unused. */
interface Reserve {
	day: string;
	left: number;
	refill?: Promise<void>;
}

const reserves = new Map<string, Reserve>();

/**
 * Claims that are kept until the end of the day (UTC) after they were made, at least: for what lives
 * no longer than 24 hours. A node makes some 9,800 of them a day; then they are refused, and none is
 * dropped. A node must not make other claims beside them.
 */
export class LastingClaims {
	private made: Claims | undefined;

	private readonly reserve: Reserve;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly size = SIZE,
	) {
		const node = `${context.getWorkflow().id}/${context.getNode().id}`;
		this.reserve = reserves.get(node) ?? { day: '', left: 0 };
		reserves.set(node, this.reserve);
	}

	/** Claims a name. @returns whether it was free @throws StoreFull, or NotBegun as {@link Claims} */
	async claim(name: string): Promise<boolean> {
		return (await this.reserved(async () => (await this.claims.claim(name)) || undefined)) ?? false;
	}

	/**
	 * Claims the lowest free place of a name.
	 *
	 * @param places how many there are
	 * @returns the place, counted from 1; undefined if none is free
	 * @throws StoreFull, or NotBegun as {@link Claims}
	 */
	async claimPlace(name: string, places: number): Promise<number | undefined> {
		return await this.reserved(async () => await this.claims.claimPlace(name, places));
	}

	/** Whether a name is claimed. @throws NotBegun if n8n could not tell */
	async has(name: string): Promise<boolean> {
		return await this.claims.has(name);
	}

	/** Frees entries, so that they can be claimed again; their room stays used. */
	async release(...entries: string[]): Promise<void> {
		await this.claims.release(...entries);
	}

	/** Makes sure of the claims of this run; see {@link Claims.makeSure}. */
	async makeSure(): Promise<void> {
		await this.made?.makeSure();
	}

	/** Made when first needed: the room is larger than that of nodes without lasting claims. */
	private get claims(): Claims {
		this.made ??= new Claims(this.context, this.size.room);
		return this.made;
	}

	/** Uses one reserved entry, and gives it back where nothing was claimed. */
	private async reserved<T>(claim: () => Promise<T | undefined>): Promise<T | undefined> {
		const { reserve } = this;
		while (reserve.day !== today() || reserve.left === 0) {
			reserve.refill ??= this.refill().finally(() => {
				reserve.refill = undefined;
			});
			await reserve.refill;
		}
		reserve.left--;
		const { day } = reserve;
		const claimed = await claim();
		if (claimed === undefined && reserve.day === day) reserve.left++;
		return claimed;
	}

	private async refill(): Promise<void> {
		const day = today();
		const chunk = await this.claims.claimPlace(`entries of ${day}`, this.size.chunksADay);
		if (chunk === undefined) throw new StoreFull();
		Object.assign(this.reserve, { day, left: this.size.chunk });
	}
}

const today = () => new Date().toISOString().slice(0, 'yyyy-MM-dd'.length);
