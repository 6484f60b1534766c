/** Version of the service: the first segment of every path. Specification section 9. */
export const SOFT_VERSION = '2013-12-26';

/** How long a request and its whole answer may take, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;
