import fc from 'fast-check';

/** How often each property is tried: `PROPERTY_RUNS`, or what every build can afford. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 2000);

fc.configureGlobal({ numRuns: RUNS });

/** Milliseconds for one property at its slowest, on a machine that does other things besides. */
const MS_PER_RUN = 20;
jest.setTimeout(Math.max(60_000, RUNS * MS_PER_RUN));
