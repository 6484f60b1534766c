// For files whose hundreds of executions bring a busy machine to its limit: n8n then misses moments that
// a test counts on. A test of such a file that fails once is tried again; the end of the run names and
// counts those (countRetries.js). No other file imports this.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

export {};
