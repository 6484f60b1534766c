/** The service's time zone, UTC+8, whatever the machine's. */
const SERVICE_OFFSET_MS = 8 * 60 * 60 * 1000;

const serviceTimeIso = (epochMs: number): string =>
	new Date(epochMs + SERVICE_OFFSET_MS).toISOString();

/**
 * A moment as `yyyyMMddHHmmss` in UTC+8 (specification 2.3 and 5.2).
 * @param epochMs milliseconds since 1970, UTC
 */
export const compactTime = (epochMs: number): string =>
	serviceTimeIso(epochMs).slice(0, 19).replace(/\D/g, '');

/**
 * A moment as `yyyy-MM-dd HH:mm:ss` in UTC+8 (specification 2.1 and 2.2).
 * @param epochMs milliseconds since 1970, UTC
 */
export const spacedTime = (epochMs: number): string =>
	serviceTimeIso(epochMs).slice(0, 19).replace('T', ' ');

const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

/**
 * Reads `yyyyMMddHHmmss` as a moment in UTC+8 (specification 5, rule 2).
 * @returns milliseconds since 1970 UTC; undefined if the text is not a real date and time
 */
export function readCompactTime(text: string): number | undefined {
	const parts = COMPACT.exec(text);
	if (!parts) return undefined;
	const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
	const epochMs = Date.UTC(year, month - 1, day, hour, minute, second) - SERVICE_OFFSET_MS;
	return compactTime(epochMs) === text ? epochMs : undefined;
}
