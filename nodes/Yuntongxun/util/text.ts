const HTML_SIGNS: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for n8n, which shows the description of an error as HTML. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => HTML_SIGNS[sign]);
}

/** The words of anything that was thrown. */
export function getWords(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : 'Something unexpected happened';
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
