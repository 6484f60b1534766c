/** What XML 1.0 cannot write. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Whether the text has no half of a character (lone surrogate): UTF-8 cannot carry one. */
export function isWellFormed(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}

/** Whether XML can carry the text. */
export function fitsXml(text: string): boolean {
	return !NOT_IN_XML.test(text) && isWellFormed(text);
}
