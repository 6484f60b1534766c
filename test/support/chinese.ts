/**
 * Whether each text has to be there in Chinese: in a release only, so that nobody has to write Chinese
 * to add a field. `GITHUB_REF_TYPE=tag npm test` shows what is missing.
 */
export const isChineseDue = process.env.GITHUB_REF_TYPE === 'tag';
