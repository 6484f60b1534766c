/** What measuring may be wrong by, in milliseconds. */
const NOISE_MS = 30;

/** The processor time that reading takes, in milliseconds: the best of three, if the first is not short. */
function measure(read: () => unknown): number {
	let best = Infinity;
	for (let tries = 0; tries < 3 && best >= NOISE_MS; tries++) {
		const start = process.cpuUsage();
		try {
			read();
		} catch {
			// A refusal is as good as a value here.
		}
		const { user, system } = process.cpuUsage(start);
		best = Math.min(best, (user + system) / 1000);
	}
	return best;
}

/**
 * Holds that reading a text takes twice as long if it is twice as long, whatever the machine: with a pattern that has
 * several ways through it, it takes four times as long.
 */
export function expectLinear<Text>(
	length: number,
	write: (length: number) => Text,
	read: (text: Text) => unknown,
): void {
	const [half, whole] = [length / 2, length].map(write);
	const most = () => 3 * measure(() => read(half)) + NOISE_MS;
	const taken = measure(() => read(whole));
	if (taken > NOISE_MS) expect(taken).toBeLessThan(most());
}
