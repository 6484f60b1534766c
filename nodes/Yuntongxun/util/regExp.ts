/** Writes text so that a regular expression matches it and nothing else. */
export function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
