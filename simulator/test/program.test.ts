import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a CommonJS file without types
const { simulator: build } = require('../../gulpfile.js') as { simulator: () => Promise<unknown> };

const BUILT = resolve(__dirname, '../../.cache/package-simulator');
const ADDRESS = /Watch it at (http:\S+)/;
const INSTALL_LIMIT_MS = 120_000;

const run = promisify(execFile);
let folder: string;
let env: NodeJS.ProcessEnv;

// As a user would: packed, installed into an empty folder, and started by its name.
beforeAll(async () => {
	await build();
	folder = await mkdtemp(join(tmpdir(), 'simulator-'));
	env = { ...process.env, HOME: folder, SIMULATOR_CA_FOLDER: undefined };
	await run('npm', ['pack', BUILT, '--pack-destination', folder, '--loglevel=error']);
	const [tarball] = await readdir(folder);
	await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
		cwd: folder,
	});
}, INSTALL_LIMIT_MS);

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

test('the installed program runs in plain Node.js, and anybody can ask it', async () => {
	const program = spawn(
		join(folder, 'node_modules/.bin/yuntongxun-simulator'),
		['--port', '0', '--console-port', '0'],
		{ cwd: folder, env },
	);
	try {
		let printed = '';
		for await (const chunk of program.stdout) {
			printed += String(chunk);
			if (/Ctrl\+C/.test(printed)) break;
		}
		const [, address = ''] = ADDRESS.exec(printed) ?? [];
		const answer = await fetch(`${address}_simulator/settings`);
		expect(await answer.json()).toMatchObject({ singleInList: 'array' });
		const ca = join(folder, '.cache/yuntongxun-simulator/ca.pem');
		expect(printed).toContain(ca);
		expect(await readFile(ca, 'utf8')).toContain('BEGIN CERTIFICATE');
	} finally {
		const ended = once(program, 'exit');
		program.kill();
		await ended;
	}
});

test('tests written in JavaScript can start it themselves', async () => {
	const script = `require('yuntongxun-simulator').startSimulator().then(async (simulator) => {
		console.log(simulator.url, simulator.violations().length);
		await simulator.stop();
	});`;
	const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder, env });
	expect(stdout).toMatch(/^https:\/\/localhost:\d+ 0\n$/);
});

test('the package needs no other, and has the licences of what is inside', async () => {
	const installed = join(folder, 'node_modules/yuntongxun-simulator');
	const files = await readdir(installed, { recursive: true });
	expect(files.sort()).toEqual([
		...['LICENSE.md', 'README.md', 'dist', 'dist/index.js', 'dist/licences.txt', 'dist/main.js'],
		'package.json',
	]);
	const code = await readFile(join(installed, 'dist/main.js'), 'utf8');
	const bundled = new Set(
		[...code.matchAll(/^\s*\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(
			([, name]) => name,
		),
	);
	expect(bundled.size).toBeGreaterThan(5);
	const licences = await readFile(join(installed, 'dist/licences.txt'), 'utf8');
	for (const name of bundled) expect(licences).toContain(`/*! ${name} `);
	const readme = await readFile(join(installed, 'README.md'), 'utf8');
	const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
	expect(links.filter((to) => !/^(?:https:|#)/.test(to))).toEqual([]);
});
