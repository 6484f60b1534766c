import fc from 'fast-check';

/** How often each property is tried: `PROPERTY_RUNS`, or few enough for every build. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 500);

fc.configureGlobal({ numRuns: RUNS });

/** Milliseconds for the slowest property, on a busy machine. */
const MS_PER_RUN = 250;
if (RUNS > 1000) jest.setTimeout(RUNS * MS_PER_RUN);
