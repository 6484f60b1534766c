/** What n8n's editor knows of an operation's output, as test/engine/operations.test.ts makes it. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** The members of an output that expressions in workflows may read, each by its path and type. */
export function listMembers({ type, properties = {}, items }: OutputSchema, path = ''): string[] {
	const members = Object.entries(properties).flatMap(([name, member]) =>
		listMembers(member, `${path} ${name}`),
	);
	const entries = items ? listMembers(items, `${path} []`) : [];
	return [`${path}: ${type}`, ...members, ...entries];
}
