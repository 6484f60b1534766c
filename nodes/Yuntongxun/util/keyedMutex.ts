/** Lets one holder at a time have a key; the others wait in line, first come, first served. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<void>>();

	/**
	 * Waits until nobody else holds any of the keys. Who asks for several at once cannot deadlock.
	 *
	 * @returns unlocks the keys
	 */
	async lock(keys: Iterable<string>): Promise<() => void> {
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		// In all lines at once: whoever is ahead of another in one line is ahead in all of them.
		const own = [...new Set(keys)];
		const ahead = own.map((key) => this.last.get(key));
		for (const key of own) this.last.set(key, held);
		await Promise.all(ahead);
		return () => {
			for (const key of own) if (this.last.get(key) === held) this.last.delete(key);
			release();
		};
	}
}
