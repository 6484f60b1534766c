/** What became of work: its value, or what it threw. */
export type Settled<Value> = { value: Value } | { thrown: unknown };

/** Waits for work to end, well or not. Never rejects. */
export async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
	try {
		return { value: await work };
	} catch (thrown) {
		return { thrown };
	}
}
