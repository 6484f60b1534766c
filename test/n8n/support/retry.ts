// For files that count on n8n to answer within seconds. A busy machine makes n8n 2 say "Database is not
// ready!" for a while, or stay silent, which is not what they are about. A test of such a file that
// fails once is tried again; the end of the run names and counts those (countRetries.js).
jest.retryTimes(1, { logErrorsBeforeRetry: true });

export {};
