/** To be written. */
export const PAGE_POLICY = "default-src 'none'";
export const CONSOLE_PAGE = '<!doctype html><title>Simulator</title>';
