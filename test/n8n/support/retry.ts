// A busy machine makes n8n 2 say "Database is not ready!" for a while, or stay silent, which is not what these tests
// are about: one that fails once is tried again, and Jest shows why it failed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

export {};
