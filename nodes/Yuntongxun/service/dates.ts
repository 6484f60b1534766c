const SHAPES = [
	/^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d+)?$/,
	/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/,
];

/**
 * A date as the service writes it, in ISO 8601 with the service's offset.
 *
 * @param text `yyyy-MM-dd HH:mm:ss` or `yyyyMMddHHmmss`, UTC+8. Specification section 2
 * @returns such as `2015-06-02T15:50:26+08:00`; undefined where the text is no date
 */
export function isoDateOf(text: string): string | undefined {
	const parts = SHAPES.map((shape) => shape.exec(text)).find(Boolean);
	if (!parts) return undefined;
	const [, year, month, day, hour, minute, second] = parts;
	const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	// The parser of dates rolls 31 June over to 1 July.
	const moment = new Date(`${iso}Z`);
	return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso)
		? `${iso}+08:00`
		: undefined;
}
