// n8n writes to its database in the background, at its own pace. What fails once is told, and
// counts as failed when it fails again.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
