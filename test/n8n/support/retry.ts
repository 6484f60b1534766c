// n8n writes to its database in the background. A test that fails once is tried again; the end of the
// run names and counts those (countRetries.js).
jest.retryTimes(1, { logErrorsBeforeRetry: true });
