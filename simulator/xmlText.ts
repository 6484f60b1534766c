const XML_ESCAPES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'\r': '&#13;',
};

/** Text as XML element content. */
export const escapeXml = (text: string): string =>
	text.replace(/[&<>\r]/g, (character) => XML_ESCAPES[character]);
