/** How far the service's time is ahead of UTC, in milliseconds: UTC+8 without summer time. */
export const SERVICE_OFFSET_MS = 8 * 60 * 60 * 1000;
