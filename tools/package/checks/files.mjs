import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from './filesBelow.mjs';

/** Files that npm adds to those of `files` in package.json. */
const ALWAYS = ['LICENSE.md', 'README.md', 'package.json'];
/** Modules that n8n provides, and those of Node.js that it allows in verified nodes. */
const PROVIDED = ['n8n-workflow', 'crypto'];
/** A second bundled library would exceed this. */
const MAX_BYTES = 1_000_000;

/** Each source has its file in the tarball, and nothing else is there. */
export function files({ project, unpacked }) {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		filesBelow(join(project, folder), project),
	);
	const expected = new Set([
		...ALWAYS,
		'dist/index.js',
		...sources.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`),
	]);
	const packed = filesBelow(unpacked);
	const bytes = packed.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0);
	return [
		...[...expected].filter((file) => !packed.includes(file)).map((file) => `${file} is missing`),
		...packed.filter((file) => !expected.has(file)).map((file) => `${file} is not needed`),
		...packed.filter((file) => file.endsWith('.js')).flatMap((file) => foreign(unpacked, file)),
		...(bytes > MAX_BYTES ? [`${bytes} bytes unpacked, more than ${MAX_BYTES}`] : []),
	];
}

/** Modules that a file imports and no user will have. */
function foreign(unpacked, file) {
	const text = readFileSync(join(unpacked, file), 'utf8');
	return [...text.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)]
		.map(([, name]) => name)
		.filter((name) => !name.startsWith('.') && !PROVIDED.includes(name))
		.map((name) => `${file} needs ${name}, which n8n does not bring`);
}
