/** Work that has to end in time. */
interface Deadline {
	/** By a clock that nobody sets, in milliseconds. */
	readonly due: number;
	giveUp(): void;
}

/** They share a timer: one for each would outlive work that ends in time. */
const deadlines = new Set<Deadline>();

/** When that timer passes. */
let wakesAt = Infinity;

function wakeAt(due: number): void {
	if (due >= wakesAt) return;
	wakesAt = due;
	// A signal's timer keeps no process alive.
	const timer = AbortSignal.timeout(Math.max(Math.ceil(due - performance.now()), 0));
	timer.addEventListener('abort', () => wake(due), { once: true });
}

function wake(due: number): void {
	// An earlier one has taken its place.
	if (wakesAt !== due) return;
	wakesAt = Infinity;
	const now = performance.now();
	for (const deadline of deadlines) {
		if (deadline.due > now) {
			wakeAt(deadline.due);
		} else {
			deadlines.delete(deadline);
			deadline.giveUp();
		}
	}
}

/** Waits for work. @throws Error `timeout` if it takes longer, or what the work throws */
export async function endInTime<T>(ms: number, work: Promise<T>): Promise<T> {
	let deadline: Deadline | undefined;
	try {
		return await new Promise((resolve, reject) => {
			deadline = { due: performance.now() + ms, giveUp: () => reject(new Error('timeout')) };
			deadlines.add(deadline);
			wakeAt(deadline.due);
			work.then(resolve, reject);
		});
	} finally {
		if (deadline) deadlines.delete(deadline);
	}
}
