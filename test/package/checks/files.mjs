import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from './filesBelow.mjs';

/** What npm adds by itself to what `files` of package.json names. */
const ALWAYS = ['LICENSE.md', 'README.md', 'README.zh-CN.md', 'package.json'];
/** The modules that n8n itself brings, and the part of Node.js that it allows in verified nodes. */
const PROVIDED = ['n8n-workflow', 'crypto'];
/** A limit that a second bundled library would pass. */
const MAX_BYTES = 1_000_000;

/** Nothing missing and nothing unneeded: each source has its file in the tarball, and no more. */
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

/** The modules a file asks for that nobody will have installed. */
function foreign(unpacked, file) {
	const text = readFileSync(join(unpacked, file), 'utf8');
	return [...text.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)]
		.map(([, name]) => name)
		.filter((name) => !name.startsWith('.') && !PROVIDED.includes(name))
		.map((name) => `${file} needs ${name}, which n8n does not bring`);
}
