const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How much later than the relay n8n's own timer ends a wait, in milliseconds; the relay tries until
 * then. n8n arms its timers up to 70 seconds ahead and never disarms them: a nearer one could end a
 * later wait of the execution.
 */
export const TIMER_AFTER_MS = 3 * MINUTE_MS;

/**
 * How long the address for a result outlives the wait, in milliseconds: of one call, of several.
 * While the relay does not know how long n8n waits, as after a restart, it tries until then.
 */
export const GRACE_MS = { one: 10 * MINUTE_MS, several: 24 * HOUR_MS };
