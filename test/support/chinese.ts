/**
 * Whether documents in Chinese have to say what the English ones say. In a pull request they need not:
 * maintainers translate before they merge.
 */
export const isChineseDue = process.env.GITHUB_EVENT_NAME !== 'pull_request';
