import { BoundedMap } from './boundedMap';

/** Work that has to end in time. */
interface Deadline {
	/** In milliseconds of a clock that nobody sets. */
	readonly due: number;
	giveUp(): void;
}

/** Deadlines of one length. They share a timer, since a timer for each outlives what ends in time. */
class Deadlines {
	/** In the order in which they pass. */
	private readonly waiting = new Set<Deadline>();

	private isTimed = false;

	constructor(private readonly lengthMs: number) {}

	/** @returns takes the deadline back */
	add(giveUp: () => void): () => void {
		const deadline = { due: performance.now() + this.lengthMs, giveUp };
		this.waiting.add(deadline);
		if (!this.isTimed) this.wakeIn(this.lengthMs);
		return () => this.waiting.delete(deadline);
	}

	private wakeIn(ms: number): void {
		this.isTimed = true;
		// A signal's timer keeps no process alive.
		const timer = AbortSignal.timeout(Math.ceil(ms));
		timer.addEventListener('abort', () => this.wake(), { once: true });
	}

	private wake(): void {
		this.isTimed = false;
		const now = performance.now();
		const passed = [...this.waiting].filter(({ due }) => due <= now);
		for (const deadline of passed) {
			this.waiting.delete(deadline);
			deadline.giveUp();
		}
		const [next] = this.waiting;
		if (next !== undefined && !this.isTimed) this.wakeIn(next.due - now);
	}
}

/** How many different lengths are kept; a forgotten one still ends what it holds. */
const MAX_LENGTHS = 100;

const byLength = new BoundedMap<number, Deadlines>(MAX_LENGTHS);

/** Waits for work. @throws Error `timeout` if it takes longer, or what the work throws */
export async function endInTime<T>(ms: number, work: Promise<T>): Promise<T> {
	const deadlines = byLength.get(ms) ?? new Deadlines(ms);
	byLength.set(ms, deadlines);
	let takeBack = () => {};
	try {
		return await new Promise((resolve, reject) => {
			takeBack = deadlines.add(() => reject(new Error('timeout')));
			work.then(resolve, reject);
		});
	} finally {
		takeBack();
	}
}
