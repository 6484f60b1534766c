const HTML_SIGNS: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** n8n shows an error's description as HTML. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => HTML_SIGNS[sign]);
}
