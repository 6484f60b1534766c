/** A map of limited size: when it is full, the entry that was set longest ago goes. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	/** @param maxSize how many entries it holds at most */
	constructor(private readonly maxSize: number) {
		super();
	}

	/** Sets an entry as the newest one. */
	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.maxSize) {
			const [oldest] = this.keys();
			this.delete(oldest);
		}
		return this;
	}
}
