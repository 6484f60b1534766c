import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from './filesBelow.mjs';

/** Licences whose code may be in an MIT package, together with their text. */
const COMPATIBLE = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
/** Sentences that identify each licence, for packages without a licence file. */
const GRANTS = {
	MIT: [
		'Permission is hereby granted, free of charge,',
		'The above copyright notice and this permission notice shall be included',
		'THE SOFTWARE IS PROVIDED "AS IS"',
	],
};
/** esbuild names the file each part of a bundle came from in a comment before it. */
const ORIGIN = /^\s*\/\/ (\S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+))\//gm;
/** Packages that the build bundles: without esbuild's comments the check would find none. */
const KNOWN = 'fast-xml-parser';

/** Every package bundled in `dist` has a compatible licence, and its text is in the same file. */
export function licences({ project, unpacked }) {
	const bundles = filesBelow(unpacked)
		.filter((file) => file.endsWith('.js'))
		.map((file) => ({ file, text: readFileSync(join(unpacked, file), 'utf8') }))
		.flatMap(({ file, text }) =>
			[...new Map([...text.matchAll(ORIGIN)].map(([, folder, name]) => [name, folder]))].map(
				([name, folder]) => ({ file, text, name, folder: join(project, folder) }),
			),
		);
	return [
		...(bundles.some(({ name }) => name === KNOWN) ? [] : [`${KNOWN} was not found in any bundle`]),
		...bundles.flatMap(objections),
	];
}

function objections({ file, text, name, folder }) {
	const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	if (!COMPATIBLE.includes(license)) return [`${name} in ${file} has the licence ${license}`];
	const start = text.indexOf(`/*! ${name} ${version},`);
	if (start < 0) return [`${file} has no notice of ${name} ${version}`];
	const notice = flat(text.slice(start, text.indexOf('*/', start)));
	const own = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
	const wanted = own ? [readFileSync(join(folder, own), 'utf8')] : GRANTS[license];
	if (!wanted) return [`${name} in ${file} comes without the text of its licence, ${license}`];
	return wanted.every((each) => notice.includes(flat(each)))
		? []
		: [`${file} lacks the text of the licence of ${name}`];
}

const flat = (text) => text.replace(/\s+/g, ' ').trim();
