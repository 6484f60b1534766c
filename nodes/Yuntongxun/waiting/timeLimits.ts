const MINUTE_MS = 60_000;

/**
 * How long after the limit n8n's own timer fires, in milliseconds. Until then the relay keeps trying. It
 * has to be well above 70 seconds: n8n arms a timer that far ahead and never disarms it, so a timer left
 * over from this wait could end a later wait of the execution.
 */
export const TIMER_AFTER_MS = 3 * MINUTE_MS;
