const { execFile } = require('node:child_process');
const { cp, mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { posix } = require('node:path');
const { parseArgs, promisify } = require('node:util');
const { build: bundle } = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const { language } = parseArgs({
	options: { language: { type: 'string', default: 'en' } },
	strict: false,
	allowPositionals: true,
}).values;
/** The folder of the package: the English one is built in place. */
const PACKAGE = language === 'en' ? '.' : `.cache/package-${language}`;
const DIST = `${PACKAGE}/dist`;
/** The one module that a build for another language writes anew. */
const LANGUAGE_MODULE = 'nodes/Yuntongxun/language/texts';
/** What leads from n8n's editor to the documents. */
const HELP_LINKS = [
	'nodes/Yuntongxun/Yuntongxun.node.json',
	'nodes/Yuntongxun/YuntongxunTrigger.node.json',
	'credentials/YuntongxunApi.credentials.js',
];
/** The one module that uses fast-xml-parser; the published package has no runtime dependency. */
const XML_MODULE = 'nodes/Yuntongxun/client/xml';
/** Parts of fast-xml-parser that turn text into numbers and judge declared entities: {@link XML_MODULE} wants neither. */
const UNUSED_BY_XML = {
	strnum: 'export default () => { throw new Error("strnum is not bundled"); }',
	'is-unsafe':
		'export const HTML = {}, XML = {}, isUnsafe = () => { throw new Error("is-unsafe is not bundled"); }',
};

/** Licences whose code may be in an MIT package, together with their text. */
const COMPATIBLE = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

const clean = () => rm(DIST, { recursive: true, force: true });

async function compile() {
	try {
		await promisify(execFile)(process.execPath, [
			require.resolve('typescript/bin/tsc'),
			...['--outDir', DIST],
		]);
	} catch (failure) {
		throw new Error(`TypeScript refused the sources:\n${failure.stdout || failure.message}`);
	}
}

/** Bundles fast-xml-parser and what it needs, with their licences at the top of the file. */
async function inlineXmlParser() {
	const outfile = `${DIST}/${XML_MODULE}.js`;
	const { metafile, outputFiles } = await bundle({
		entryPoints: [`${XML_MODULE}.ts`],
		outfile,
		write: false,
		bundle: true,
		minifySyntax: true,
		minifyWhitespace: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20.19',
		metafile: true,
		logLevel: 'warning',
		plugins: [leaveOut(UNUSED_BY_XML)],
	});
	await writeFile(outfile, [...(await licenceNotices(metafile)), outputFiles[0].text].join('\n'));
}

/** Puts other code in the place of packages. @param packages what stands for each, by name */
const leaveOut = (packages) => ({
	name: 'leave-out',
	setup({ onResolve, onLoad }) {
		const filter = new RegExp(`^(?:${Object.keys(packages).join('|')})$`);
		onResolve({ filter }, ({ path }) => ({ path, namespace: 'left-out' }));
		onLoad({ filter, namespace: 'left-out' }, ({ path }) => ({ contents: packages[path] }));
	},
});

/** The licences of all packages in a bundle. */
async function licenceNotices({ inputs }) {
	const packages = new Set(
		Object.keys(inputs).flatMap(
			(file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
		),
	);
	return await Promise.all([...packages].sort().map(licenceNotice));
}

async function licenceNotice(folder) {
	const { name, version, license, author } = JSON.parse(
		await readFile(`${folder}/package.json`, 'utf8'),
	);
	if (!COMPATIBLE.includes(license)) throw new Error(`${name} has the licence ${license}`);
	const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
	const terms = file
		? await readFile(`${folder}/${file}`, 'utf8')
		: `Copyright (c) ${author.name ?? author}\n\n${await licenceText(license)}`;
	return `/*! ${name} ${version}, bundled below\n\n${terms.trim()}\n*/`;
}

/** The licence text for a package that names its licence but has no file: our own. */
async function licenceText(license) {
	if (license !== 'MIT')
		throw new Error(`A bundled package has no text for its licence ${license}`);
	const own = await readFile('LICENSE.md', 'utf8');
	return own.slice(own.indexOf('Permission is hereby granted'));
}

const copy = () =>
	src(['nodes/**/*.{svg,json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest(DIST),
	);

const readTexts = async () => JSON.parse(await readFile(`translations/${language}.json`, 'utf8'));

/** Writes the texts of the chosen language; English ones stand in the sources. */
async function writeLanguage() {
	if (language === 'en') return;
	await writeFile(
		`${DIST}/${LANGUAGE_MODULE}.js`,
		`"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LANGUAGE = ${JSON.stringify(language)};
exports.TEXTS = ${JSON.stringify(await readTexts(), null, '\t')};
`,
	);
}

/** Lets the help links of both nodes and of the credential lead to pages in the chosen language. */
async function writeHelpLinks() {
	if (language === 'en') return;
	const texts = await readTexts();
	for (const file of HELP_LINKS) {
		const text = await readFile(`${DIST}/${file}`, 'utf8');
		const translated = text.replace(/https:\/\/github\.com\/[^"'\s]+(?=["'])/g, (link) => {
			if (!Object.hasOwn(texts, link)) throw new Error(`${file}: no translation of ${link}`);
			return texts[link];
		});
		await writeFile(`${DIST}/${file}`, translated);
	}
}

/** Writes what else the package of another language holds: `npm pack <folder>` packs it. */
async function writePackage() {
	if (language === 'en') return;
	const published = JSON.parse(await readFile('package.json', 'utf8'));
	delete published.scripts;
	delete published.devDependencies;
	const readme = `docs/${language}/README.md`;
	const { homepage, description, version } = published;
	await mkdir(PACKAGE, { recursive: true });
	await writeJson(`${PACKAGE}/package.json`, {
		...published,
		version: `${version}-${language.split('-')[0]}.0`,
		description: (await readTexts())[description],
		homepage: homepage.replace('#readme', `/blob/HEAD/${readme}`),
	});
	await writeFile(`${PACKAGE}/README.md`, await readWithWholeLinks(readme));
	await cp('LICENSE.md', `${PACKAGE}/LICENSE.md`);
}

const writeJson = (file, value) => writeFile(file, `${JSON.stringify(value, null, '\t')}\n`);

/** A document whose links to files of the project are whole addresses: pictures as they are shown. */
async function readWithWholeLinks(file) {
	const { homepage } = JSON.parse(await readFile('package.json', 'utf8'));
	const repository = homepage.replace('#readme', '');
	const text = await readFile(file, 'utf8');
	return text.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_, mark, words, to) => {
		const path = posix.join(posix.dirname(file), to);
		return `${mark}[${words}](${repository}/${mark ? 'raw' : 'blob'}/HEAD/${path})`;
	});
}

exports.build = series(
	clean,
	parallel(series(compile, inlineXmlParser, writeLanguage), copy, writePackage),
	writeHelpLinks,
);
/** Builds at once and after every change, until it is stopped. */
exports.dev = () =>
	watch(['index.ts', 'nodes/**', 'credentials/**'], { ignoreInitial: false }, exports.build);
