const { execFile } = require('node:child_process');
const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { promisify } = require('node:util');
const { build: bundle } = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const DIST = 'dist';
/** The one module that uses fast-xml-parser; the published package has no runtime dependency. */
const XML_MODULE = 'nodes/Yuntongxun/client/xml';

const clean = () => rm(DIST, { recursive: true, force: true });

async function compile() {
	try {
		await promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc')]);
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

exports.clean = clean;
exports.build = series(clean, parallel(series(compile, inlineXmlParser), copy));
/** Builds at once and after every change, until it is stopped. */
exports.dev = () =>
	watch(['index.ts', 'nodes/**', 'credentials/**'], { ignoreInitial: false }, exports.build);
exports.default = exports.build;
