import { TEXTS } from './texts';

/**
 * Translates a text into the language of this build, and then fills its blanks.
 *
 * @param original in English
 * @param values by the names of blanks: `count` fills `{count}`. Other braces stay.
 * @returns the original, filled, if there is no translation
 */
export function translate(
	original: string,
	values?: Readonly<Record<string, string | number>>,
): string {
	const text = Object.hasOwn(TEXTS, original) ? TEXTS[original] : original;
	if (values === undefined) return text;
	return text.replace(/\{(\w+)\}/g, (blank, name: string) =>
		Object.hasOwn(values, name) ? String(values[name]) : blank,
	);
}

/** Puts sentences one behind the other, as the language does; empty ones are left out. */
export const joinSentences = (...sentences: readonly string[]): string =>
	sentences.filter(Boolean).join(translate(' '));

/** What a person reads in one line: what happened, and what to do about it, which may be empty. */
export const joinMessage = (summary: string, remedy: string): string =>
	remedy === '' ? summary : translate('{summary}. {remedy}', { summary, remedy });

/** Members of a description that n8n shows to people. */
const SHOWN = new Set([
	'action',
	'activationHint',
	'active',
	'description',
	'displayName',
	'header',
	'inactive',
	'message',
	'multipleValueButtonText',
	'placeholder',
]);

/**
 * Translates all that people read of a description: of a field, a list of fields, or a whole node.
 * Names that workflows store, values and defaults stay.
 *
 * @param described as n8n wants it, in English
 */
export function translateDescription<Described>(described: Described): Described {
	return translateMember(described, '') as Described;
}

/** @param owner name of the nearest field */
function translateMember(value: unknown, owner: string): unknown {
	if (Array.isArray(value)) return value.map((each) => translateMember(each, owner));
	if (typeof value !== 'object' || value === null) return value;

	const { name, value: choice } = value as { name?: unknown; value?: unknown };
	const isChoice = choice !== undefined;
	const own = typeof name === 'string' && !isChoice ? name : owner;
	const translated = Object.entries(value).map(([key, member]) => {
		const isText = SHOWN.has(key) || (key === 'name' && isChoice);
		const isShownText = isText && typeof member === 'string';
		return [key, isShownText ? translateLabel(member, own) : translateMember(member, own)];
	});
	return Object.fromEntries(translated);
}

/**
 * Translates a text of a form.
 *
 * @param name of the field a text belongs to, for texts with two meanings
 */
export function translateLabel(original: string, name: string): string {
	const named = `${name}|${original}`;
	return Object.hasOwn(TEXTS, named) ? TEXTS[named] : translate(original);
}
