/** Waits for work. @throws Error `timeout` if the deadline comes first, or what the work throws */
export async function withDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
	let giveUp = () => {};
	try {
		return await new Promise((resolve, reject) => {
			giveUp = () => reject(new Error('timeout'));
			deadline.addEventListener('abort', giveUp, { once: true });
			work.then(resolve, reject);
		});
	} finally {
		// The signal outlives a quick answer and would pin it in memory.
		deadline.removeEventListener('abort', giveUp);
	}
}
