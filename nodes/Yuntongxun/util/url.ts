/** Parses an absolute URL; undefined if the text is not one. */
export function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
