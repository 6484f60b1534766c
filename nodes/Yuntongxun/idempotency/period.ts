import { SERVICE_OFFSET_MS } from '../util/serviceTime';

const LENGTHS_MS = { hour: 3_600_000, day: 86_400_000 };

/** The clock hour or calendar day of now in the service's time (UTC+8), as `yyyy-MM-dd HH:mm`. */
export function currentPeriod(period: 'hour' | 'day'): { start: string; end: string } {
	const length = LENGTHS_MS[period];
	const start = Math.floor((Date.now() + SERVICE_OFFSET_MS) / length) * length;
	const format = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
	return { start: format(start), end: format(start + length) };
}
