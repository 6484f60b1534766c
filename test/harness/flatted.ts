/**
 * Undoes the "flatted" form in which n8n hands out an execution's data: a JSON array in which
 * every object, array and string inside another is the text of its index in that array.
 *
 * @param text the `data` of `GET /rest/executions/:id`
 * @returns the first entry, whole; parts that were shared or circular are so again
 * @throws SyntaxError if the text is not JSON
 */
export function parseFlatted(text: string): unknown {
	const table = JSON.parse(text) as unknown[];
	const known = new Map<number, unknown>();

	const entry = (index: number): unknown => {
		if (known.has(index)) return known.get(index);
		const raw = table[index];
		if (Array.isArray(raw)) {
			const list: unknown[] = [];
			known.set(index, list);
			for (const each of raw) list.push(member(each));
			return list;
		}
		if (raw !== null && typeof raw === 'object') {
			const object: Record<string, unknown> = {};
			known.set(index, object);
			for (const [name, each] of Object.entries(raw)) object[name] = member(each);
			return object;
		}
		return raw;
	};
	const member = (value: unknown): unknown =>
		typeof value === 'string' ? entry(Number(value)) : value;

	return entry(0);
}
