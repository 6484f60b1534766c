import { SERVICE_OFFSET_MS } from '../util/serviceTime';

const HOUR_MS = 3_600_000;

export type Period = 'hour' | 'day';

/** The length of a period, and how much of an ISO date names it. */
const PERIODS = {
	hour: { ms: HOUR_MS, name: 'yyyy-MM-ddTHH'.length },
	day: { ms: 24 * HOUR_MS, name: 'yyyy-MM-dd'.length },
};

/**
 * The clock hour or calendar day of a moment, in the service's time (UTC+8).
 *
 * @param now in milliseconds since 1970
 * @returns `start`, which names the period, and its `end` as `yyyy-MM-dd HH:mm`
 */
export function currentPeriod(period: Period, now = Date.now()): { start: string; end: string } {
	const { ms, name } = PERIODS[period];
	const start = Math.floor((now + SERVICE_OFFSET_MS) / ms) * ms;
	const [first, next] = [start, start + ms].map((time) => new Date(time).toISOString());
	return {
		start: first.slice(0, name),
		end: next.slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' '),
	};
}
