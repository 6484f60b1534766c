/** Lets one holder at a time have a name; the others take turns, first come, first served. */
export class Turns {
	private readonly last = new Map<string, Promise<void>>();

	/**
	 * Waits until nobody else holds any of the names.
	 *
	 * @returns gives the names to the next
	 */
	async take(names: Iterable<string>): Promise<() => void> {
		let end = () => {};
		const mine = new Promise<void>((resolve) => {
			end = resolve;
		});
		// In all lines at once: whoever is ahead of another in one line is ahead in all of them.
		const own = [...new Set(names)];
		const ahead = own.map((name) => this.last.get(name));
		for (const name of own) this.last.set(name, mine);
		await Promise.all(ahead);
		return () => {
			for (const name of own) if (this.last.get(name) === mine) this.last.delete(name);
			end();
		};
	}
}
