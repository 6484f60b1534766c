import { TEXTS } from './texts';

/**
 * Translates a text into the language of this build.
 *
 * @param original in English
 * @param name of the form's field it belongs to, for texts with two meanings
 * @returns the original if there is no translation
 */
export function translate(original: string, name = ''): string {
	const named = `${name}|${original}`;
	if (Object.hasOwn(TEXTS, named)) return TEXTS[named];
	return Object.hasOwn(TEXTS, original) ? TEXTS[original] : original;
}

/** Members of a description that n8n shows to people. */
const SHOWN = new Set([
	'action',
	'activationHint',
	'active',
	'description',
	'displayName',
	'errorMessage',
	'header',
	'hint',
	'inactive',
	'message',
	'multipleValueButtonText',
	'noFieldsError',
	'placeholder',
	'plural',
	'singular',
	'valuesLabel',
	'waitingNodeTooltip',
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
		return [key, isShownText ? translate(member, own) : translateMember(member, own)];
	});
	return Object.fromEntries(translated);
}
