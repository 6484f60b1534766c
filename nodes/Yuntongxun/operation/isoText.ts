/** Writes a date as text: JavaScript's in UTC, n8n's `$now` in its own zone. Other values stay. */
export function toIsoText(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Date || Object.prototype.toString.call(value) === '[object Date]') {
		const date = value as Date;
		return Number.isNaN(date.getTime()) ? value : date.toISOString();
	}
	const { isLuxonDateTime, toISO } = value as { isLuxonDateTime?: unknown; toISO?: unknown };
	if (isLuxonDateTime !== true || typeof toISO !== 'function') return value;
	return (toISO.call(value) as unknown) ?? value;
}
