/** How long a request and its whole answer may take if nothing else is set, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;
