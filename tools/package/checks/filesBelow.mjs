import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All files below a folder, relative to `from`, with `/` between; none if it does not exist. */
export function filesBelow(folder, from = folder) {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(from, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}
