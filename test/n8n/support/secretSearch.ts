import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RunningN8n } from '../../harness/startN8n';

/** Something that nobody may find, by a name that can be shown. */
export interface Secret {
	name: string;
	value: string;
}

/** Where code lies, of the package and of n8n's editor, and nothing that comes up while it runs. */
const CODE = ['node_modules', '.cache'];

/** The ways in which a value can be written down. */
function listSpellings(value: string): string[] {
	const spellings = [
		value,
		value.toLowerCase(),
		value.toUpperCase(),
		encodeURIComponent(value),
		JSON.stringify(value).slice(1, -1),
		Buffer.from(value).toString('base64'),
		Buffer.from(value).toString('hex'),
	];
	return [...new Set(spellings)];
}

/** Everything that an n8n keeps and has said, by where it is: each file, and its output. */
export async function collectTraces(n8n: RunningN8n): Promise<Map<string, Buffer>> {
	const traces = new Map([['output', Buffer.from(n8n.log)]]);
	for (const path of await filesBelow(n8n.userFolder)) {
		// A journal of the database can be gone by now: what was in it is in the database.
		const content = await readFile(path).catch(() => undefined);
		if (content) traces.set(relative(n8n.userFolder, path), content);
	}
	return traces;
}

async function filesBelow(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true });
	const lists = entries
		.filter(({ name }) => !CODE.includes(name))
		.map(async (entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return await filesBelow(path);
			return entry.isFile() ? [path] : [];
		});
	return (await Promise.all(lists)).flat();
}

/** Which secrets stand where, in whichever spelling; the values are not told. */
export function findSecrets(traces: Map<string, Buffer>, secrets: Secret[]): string[] {
	const spelled = secrets.map(({ name, value }) => ({ name, spellings: listSpellings(value) }));
	return [...traces].flatMap(([place, content]) =>
		spelled
			.filter(({ spellings }) => spellings.some((each) => content.includes(each)))
			.map(({ name }) => `${name} in ${place}`),
	);
}
