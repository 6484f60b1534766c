const { execFile } = require('node:child_process');
const { cp, mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
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
/** The one module that uses fast-xml-parser; the published package has no runtime dependency. */
const XML_MODULE = 'nodes/Yuntongxun/client/xml';

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
		platform: 'node',
		format: 'cjs',
		target: 'node20.19',
		metafile: true,
		logLevel: 'warning',
	});
	const packages = new Set(
		Object.keys(metafile.inputs).flatMap(
			(file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
		),
	);
	const notices = await Promise.all([...packages].sort().map(licenceNotice));
	await writeFile(outfile, [...notices, outputFiles[0].text].join('\n'));
}

async function licenceNotice(folder) {
	const { name, version, license, author } = JSON.parse(
		await readFile(`${folder}/package.json`, 'utf8'),
	);
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

/** Writes the texts of the chosen language; English ones stand in the sources. */
async function writeLanguage() {
	if (language === 'en') return;
	const texts = await readFile(`translations/${language}.json`, 'utf8');
	await writeFile(
		`${DIST}/${LANGUAGE_MODULE}.js`,
		`"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LANGUAGE = ${JSON.stringify(language)};
exports.TEXTS = ${texts.trim()};
`,
	);
}

/** Writes what else the package of another language holds: `npm pack <folder>` packs it. */
async function writePackage() {
	if (language === 'en') return;
	const published = JSON.parse(await readFile('package.json', 'utf8'));
	delete published.scripts;
	delete published.devDependencies;
	published.version += `-${language.split('-')[0]}.0`;
	await mkdir(PACKAGE, { recursive: true });
	await writeFile(`${PACKAGE}/package.json`, `${JSON.stringify(published, null, '\t')}\n`);
	await cp(`docs/${language}/README.md`, `${PACKAGE}/README.md`);
	await cp('LICENSE.md', `${PACKAGE}/LICENSE.md`);
}

exports.clean = clean;
exports.build = series(
	clean,
	parallel(series(compile, inlineXmlParser, writeLanguage), copy, writePackage),
);
/** The simulator as two files that plain Node.js runs, with all that they need inside. */
exports.simulator = () =>
	bundle({
		entryPoints: ['simulator/main.ts', 'simulator/index.ts'],
		outdir: 'simulator/dist',
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20.19',
		legalComments: 'eof',
		logLevel: 'warning',
	});
/** Builds at once and after every change, until it is stopped. */
exports.dev = () =>
	watch(['index.ts', 'nodes/**', 'credentials/**'], { ignoreInitial: false }, exports.build);
exports.default = exports.build;
