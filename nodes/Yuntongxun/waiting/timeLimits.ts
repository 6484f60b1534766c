const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long after the limit n8n's own timer fires, in milliseconds. Until then the relay keeps trying. It
 * has to be well above 70 seconds: n8n arms a timer that far ahead and never disarms it, so a timer left
 * over from this wait could end a later wait of the execution.
 */
export const TIMER_AFTER_MS = 3 * MINUTE_MS;

/**
 * How long the address for a result outlives the wait, in milliseconds: of one call, of several.
 * While the relay does not know how long n8n waits, as after a restart, it tries until then.
 */
export const GRACE_MS = { one: 10 * MINUTE_MS, several: 24 * HOUR_MS };
