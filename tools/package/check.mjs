// Checks a packed tarball, in English or (by its version) in Chinese, for what n8n, npm and licenses require and
// lint cannot see: node tools/package/check.mjs <tarball>
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const [given] = process.argv.slice(2);
if (!given) throw new Error('Usage: node tools/package/check.mjs <tarball>');

const project = process.cwd();
// Below the project, so that the unpacked package finds n8n-workflow as it would inside n8n.
const cache = join(project, '.cache');
mkdirSync(cache, { recursive: true });
const unpacked = mkdtempSync(join(cache, 'unpacked-'));

const read = (file) => readFileSync(join(unpacked, file), 'utf8');
const isChinese = (text) => /\p{Script=Han}/u.test(text);

/** All files below a folder, relative to `from`. */
const listFiles = (folder, from = folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(from, join(entry.parentPath, entry.name)));

/** Modules that n8n provides, and those of Node.js that it allows in verified nodes. */
const PROVIDED = ['n8n-workflow', 'crypto'];
/** A second bundled library would exceed this. */
const MAX_BYTES = 1_000_000;

/** Each source has its file in the tarball, nothing else is there, and n8n has what the files need. */
function checkFiles() {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		listFiles(join(project, folder), project),
	);
	const expected = new Set([
		...['LICENSE.md', 'README.md', 'package.json', 'dist/index.js'],
		...sources.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`),
	]);
	const packed = listFiles(unpacked);
	const bytes = packed.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0);
	const needed = packed
		.filter((file) => file.endsWith('.js'))
		.flatMap((file) => [...read(file).matchAll(/\brequire\(\s*["'`]([^.][^"'`]*)["'`]\s*\)/g)])
		.map(([, name]) => name);
	return [
		...[...expected].filter((file) => !packed.includes(file)).map((file) => `${file} is missing`),
		...packed.filter((file) => !expected.has(file)).map((file) => `${file} is not needed`),
		...needed
			.filter((name) => !PROVIDED.includes(name))
			.map((name) => `n8n does not bring ${name}`),
		...(bytes > MAX_BYTES ? [`${bytes} bytes unpacked, more than ${MAX_BYTES}`] : []),
	];
}

/** What n8n asks of the package.json of a verified node, beside what lint looks at. */
function checkMetadata() {
	const pkg = JSON.parse(read('package.json'));
	const rules = {
		'a repository on GitHub, which provenance is held against':
			pkg.repository.url.startsWith('git+https://github.com/'),
		'no optional dependencies': pkg.optionalDependencies === undefined,
		'version 1 of the API of nodes': pkg.n8n.n8nNodesApiVersion === 1,
	};
	const described = pkg.n8n.nodes.map((file) => JSON.parse(read(file.replace(/js$/, 'json'))).node);
	return [
		...Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`not so: ${rule}`])),
		...['yuntongxun', 'yuntongxunTrigger']
			.filter((node) => !described.includes(`${pkg.name}.${node}`))
			.map((node) => `no .node.json describes ${node}`),
	];
}

/** Files of the English package that hold Chinese: what people search for, and the vendor's own words. */
const WITH_CHINESE = /^(?:README\.md|package\.json|.*(?:\.node|vendorTemplate)\.json)$/;

const checkEnglish = () =>
	listFiles(unpacked)
		.filter((file) => !WITH_CHINESE.test(file) && isChinese(read(file)))
		.map((file) => `${file} holds Chinese`);

/** What a user of the package in Chinese meets beside the forms: npm's page, help links, the canvas. */
function checkChinese() {
	const { description, homepage, n8n } = JSON.parse(read('package.json'));
	const index = createRequire(import.meta.url)(join(unpacked, 'dist/index.js'));
	const subtitles = [index.Yuntongxun, index.YuntongxunTrigger].map(
		(Node) => new Node().description.subtitle,
	);
	const descriptions = n8n.nodes.map((file) => read(file.replace(/js$/, 'json'))).join();
	const helpLinks = [
		homepage,
		new index.YuntongxunApi().documentationUrl,
		...descriptions.match(/https:[^"]+/g),
	];
	const linked = [...read('README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
	return [
		...[description, ...subtitles].filter((text) => !isChinese(text)),
		...helpLinks.filter((link) => !link.includes('/docs/zh-CN/')),
		...linked.filter((to) => !/^(?:https:|#)/.test(to)),
	].map((text) => `not in Chinese, or not there: ${text}`);
}

/** The build puts the license of each bundled package at the top of the bundle. */
const checkLicences = () =>
	/^\/\*! fast-xml-parser [\d.]+, bundled below\n[^/]*?Permission is hereby granted/m.test(
		read('dist/nodes/Yuntongxun/client/xml.js'),
	)
		? []
		: ['There is no licence of fast-xml-parser'];

/** What publint says, suggestions included. */
async function checkPackaging() {
	const options = { pkgDir: unpacked, level: 'suggestion', strict: true, pack: false };
	const { messages, pkg } = await publint(options);
	return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** The rules that n8n's own scanner applies to published packages, over sources and tarball. */
async function scan() {
	const results = [
		await analyzePackage(project, SOURCE_FILE_PATTERNS),
		await analyzePackage(unpacked),
	];
	return results
		.filter(({ passed }) => !passed)
		.map(({ message, details }) => `${message}\n${details ?? ''}`);
}

/** Each gives a list of objections. */
const CHECKS = {
	'list of files': checkFiles,
	'package.json': checkMetadata,
	language: /-zh\.\d+\.tgz$/.test(given) ? checkChinese : checkEnglish,
	'licences of what is bundled': checkLicences,
	publint: checkPackaging,
	"n8n's package scanner": scan,
};

try {
	execFileSync('tar', ['-xzf', resolve(given), '-C', unpacked, '--strip-components=1']);
	for (const [name, check] of Object.entries(CHECKS)) {
		const found = await check();
		if (found.length === 0) console.log(`${name}: passed`);
		else {
			console.log(`${name}:\n${found.map((each) => `  - ${each}`).join('\n')}`);
			process.exitCode = 1;
		}
	}
} finally {
	rmSync(unpacked, { recursive: true, force: true });
}
