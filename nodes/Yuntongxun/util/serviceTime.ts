/**
 * How far the service's time is ahead of UTC, in milliseconds: UTC+8 without summer time. Taken from the
 * vendor's samples; the specification names no time zone.
 */
export const SERVICE_OFFSET_MS = 8 * 60 * 60 * 1000;

/**
 * Writes a moment as the service does: `yyyyMMddHHmmss` in its own time (UTC+8), whatever time zone
 * the machine is in. Specification section 5, rule 2, which leaves the zone open.
 */
export function formatServiceTimestamp(moment: Date): string {
	const atService = new Date(moment.getTime() + SERVICE_OFFSET_MS);
	return atService.toISOString().replace(/\D/g, '').slice(0, 14);
}

const SHAPE =
	/^(\d{4})(?:-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d+)?|(\d\d)(\d\d)(\d\d)(\d\d)(\d\d))$/;

/**
 * Converts a date of the service to ISO 8601 with the service's offset.
 *
 * @param text `yyyy-MM-dd HH:mm:ss` or `yyyyMMddHHmmss`, taken to be UTC+8. Specification section 2
 * @returns for example `2015-06-02T15:50:26+08:00`; undefined if the text is not a date
 */
export function toIsoDate(text: string): string | undefined {
	const [, year, month, day, hour, minute, second] = (SHAPE.exec(text) ?? []).filter(Boolean);
	const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	// JavaScript turns June 31 into July 1.
	const moment = new Date(`${iso}Z`);
	const isDate = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso);
	return isDate ? `${iso}+08:00` : undefined;
}

/** An object with a date of the service in ISO 8601 under a name; empty if the text is not a date. */
export function toDateMember(name: string, text: string): Record<string, string> {
	const iso = toIsoDate(text);
	return iso === undefined ? {} : { [name]: iso };
}
