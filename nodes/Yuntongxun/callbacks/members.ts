import { getTextMember } from '../client/codec';
import type { WireObject } from '../client/codec';

/*
 * Members of a notification. The service's documents spell names in several ways, so case does not
 * matter, but the exact spelling comes first.
 */

/** Names that would change the object itself when they are assigned. */
const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** Put before a name that is reserved. */
const PREFIX = 'delivered_';

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

/**
 * Collects what was delivered beside the fields of an item. A member with a reserved or unsafe name is
 * renamed, so that nothing is lost.
 *
 * @param consumed names of members that are in the item already
 * @param reserved names of the item's fields
 */
export function collectOthers(
	members: WireObject,
	consumed: ReadonlyArray<string | undefined>,
	reserved: readonly string[],
): WireObject {
	const others = Object.entries(members).filter(([name]) => !consumed.includes(name));
	const named = others.map(([name, value]) => {
		return [reserved.includes(name) ? findFreeName(members, name) : name, value] as const;
	});
	return renameUnsafe(Object.fromEntries(named));
}

/** A copy of a JSON value, with unsafe names at any depth renamed. */
export function renameUnsafe<Value>(value: Value): Value;
export function renameUnsafe(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((each: unknown) => renameUnsafe(each));
	if (typeof value !== 'object' || value === null) return value;

	const named = Object.entries(value).map(([name, member]) => {
		const safeName = UNSAFE_NAMES.includes(name) ? findFreeName(value, name) : name;
		return [safeName, renameUnsafe<unknown>(member)];
	});
	return Object.fromEntries(named);
}

function findFreeName(members: object, name: string): string {
	const renamed = `${PREFIX}${name}`;
	return Object.hasOwn(members, renamed) ? findFreeName(members, renamed) : renamed;
}
