import { BoundedMap } from '../util/boundedMap';
import type { StopSignal } from './stopSignal';

/** How many nodes this process keeps a pace for. */
const MAX_NODES = 1000;

/** When the next request of a node may start, by a clock that nobody sets. */
const nextStarts = new BoundedMap<string, number>(MAX_NODES);

/** Spaces the starts of a node's requests, over all its runs in this process. */
export class Pace {
	/** Milliseconds from one start to the next. */
	private readonly spacing: number;

	/**
	 * @param node names the node
	 * @param perSecond starts a second; 0 for no limit
	 */
	constructor(
		private readonly node: string,
		perSecond: number,
		private readonly stop: StopSignal,
	) {
		this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
	}

	/**
	 * Books the next start of the node, and waits for it.
	 *
	 * @param pauseMs how long nothing of the node starts from now, because the service is overloaded
	 * @returns whether it starts now: it does not if the run stops first
	 */
	async start(pauseMs = 0): Promise<boolean> {
		const now = performance.now();
		const at = Math.max(nextStarts.get(this.node) ?? 0, now + pauseMs);
		nextStarts.set(this.node, at + this.spacing);
		return await this.stop.pause(at - now);
	}
}
