// n8n writes to its database in the background. A test that fails once is reported, and counts as
// failed if it fails again.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
