/** What looks in a text as if an expression had gone wrong. It goes out all the same: an alarm must. */
export type OddityKind = 'object' | 'undefined' | 'placeholder' | 'garbled';

/** Something odd in a text that a person hears or reads. */
export interface OddText {
	kind: OddityKind;
	/** Label of the field. */
	label: string;
}

/** A word of its own between spaces is none: error messages say "of undefined". */
const GLUED = /\Sundefined|undefined\S|^\s*undefined\s*$/;

/**
 * Looks for oddities in the texts of a field.
 *
 * @param isSpoken whether nothing fills in a `{1}`
 */
export function findOddTexts(
	label: string,
	texts: string | readonly string[] = [],
	isSpoken = false,
): OddText[] {
	const all = [texts].flat();
	const looksFor: Record<OddityKind, (text: string) => boolean> = {
		object: (text) => text.includes(String({})),
		undefined: (text) => GLUED.test(text),
		garbled: (text) => text.includes('\ufffd'),
		placeholder: (text) => isSpoken && /\{\d+\}/.test(text),
	};
	const kinds = Object.keys(looksFor) as OddityKind[];
	return kinds.filter((kind) => all.some(looksFor[kind])).map((kind) => ({ kind, label }));
}
