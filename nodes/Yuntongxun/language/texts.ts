/**
 * The language of this build. `npm run build -- --language zh-CN` writes this module anew, from
 * `translations/`; everything else of the package stays the same.
 */
export const LANGUAGE: string = 'en';

/**
 * The texts of that language by their English original, or by `name|original` where the original has
 * two meanings. English needs none.
 */
export const TEXTS: Readonly<Record<string, string>> = {};
