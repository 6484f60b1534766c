import { getTextMember } from '../client/codec';
import type { WireObject } from '../client/codec';

/*
 * Members of a notification. The service's documents spell names in several ways, so case does not
 * matter, but the exact spelling comes first.
 */

/** Names that would change the object itself when they are assigned. */
const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** The name under which a member was delivered; undefined if it was not. */
export function findName(members: WireObject, name: string): string | undefined {
	if (Object.hasOwn(members, name)) return name;

	const wanted = name.toLowerCase();
	return Object.keys(members).find((each) => each.toLowerCase() === wanted);
}

/** The text of a member, trimmed; empty if no text was delivered. */
export function getText(members: WireObject, name: string): string {
	const found = findName(members, name);
	return found === undefined ? '' : getTextMember(members, found);
}

/** The texts of several members by name, as {@link getText} reads them. */
export function getTexts<Name extends string>(
	members: WireObject,
	names: readonly Name[],
): Record<Name, string> {
	const texts = names.map((name) => [name, getText(members, name)] as const);
	return Object.fromEntries(texts) as Record<Name, string>;
}

/** A copy of a JSON value, at any depth without the names that would change an object. */
export function leaveOutUnsafe<Value>(value: Value): Value;
export function leaveOutUnsafe(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((each: unknown) => leaveOutUnsafe(each));
	if (typeof value !== 'object' || value === null) return value;

	const safe = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.includes(name));
	return Object.fromEntries(safe.map(([name, member]) => [name, leaveOutUnsafe<unknown>(member)]));
}
