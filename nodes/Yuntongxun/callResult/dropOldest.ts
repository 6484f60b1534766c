/**
 * Drops the entry that was added first from a map or set that holds more than it may.
 *
 * @param most how many entries it may hold
 */
export function dropOldest<Key>(
	entries: { size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
	most: number,
): void {
	if (entries.size <= most) return;
	const [oldest] = entries.keys();
	entries.delete(oldest);
}
