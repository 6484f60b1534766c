/** What n8n's editor knows of an operation's output, as test/engine/outputSchemas.test.ts makes it. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/**
 * What an output lacks of an earlier one: members that expressions in workflows may read. New members
 * are no break.
 *
 * @param released the schema as it was released
 * @param current the schema as it is now
 * @param path of the schema, for the sentences
 * @returns a sentence for each break
 */
export function findLostMembers(
	released: OutputSchema,
	current: OutputSchema | undefined,
	path: string,
): string[] {
	if (current === undefined) return [`${path} is gone`];
	if (current.type !== released.type) return [`${path} is not what it was`];
	const members = Object.entries(released.properties ?? {}).flatMap(([name, member]) =>
		findLostMembers(member, current.properties?.[name], `${path} ${name}`),
	);
	const { items } = released;
	return items ? [...members, ...findLostMembers(items, current.items, `${path} []`)] : members;
}
