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
/** The build puts a notice of each bundled package at the top of the bundle. */
const NOTICE = /^\/\*! (\S+) (\S+), bundled below\n([^]*?)\*\//gm;
/** A package that the build bundles: if it has no notice, the notices are gone. */
const KNOWN = 'fast-xml-parser';

/** Every package bundled in `dist` has a compatible licence, and its text is in the same file. */
export function licences({ project, unpacked }) {
	const notices = filesBelow(unpacked)
		.filter((file) => file.endsWith('.js'))
		.flatMap((file) => [...readFileSync(join(unpacked, file), 'utf8').matchAll(NOTICE)])
		.map(([, name, version, text]) => ({ name, version, text }));
	return [
		...(notices.some(({ name }) => name === KNOWN) ? [] : [`There is no notice of ${KNOWN}`]),
		...notices.flatMap((notice) => objections(project, notice)),
	];
}

function objections(project, { name, version, text }) {
	const folder = join(project, 'node_modules', name);
	const installed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	if (installed.version !== version) return [`The notice of ${name} is of ${version}`];
	const { license } = installed;
	if (!COMPATIBLE.includes(license)) return [`${name} has the licence ${license}`];
	const own = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
	const wanted = own ? [readFileSync(join(folder, own), 'utf8')] : GRANTS[license];
	if (!wanted) return [`${name} comes without the text of its licence, ${license}`];
	return wanted.every((each) => flat(text).includes(flat(each)))
		? []
		: [`The text of the licence of ${name} is missing`];
}

const flat = (text) => text.replace(/\s+/g, ' ').trim();
