import { SERVICE_OFFSET_MS } from '../util/serviceOffset';

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS };

export type Period = keyof typeof LENGTHS_MS;

/** The clock hour or calendar day of now in the service's time (UTC+8), as `yyyy-MM-dd HH:mm`. */
export function currentPeriod(period: Period): { start: string; end: string } {
	const length = LENGTHS_MS[period];
	const start = Math.floor((Date.now() + SERVICE_OFFSET_MS) / length) * length;
	const format = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
	return { start: format(start), end: format(start + length) };
}
