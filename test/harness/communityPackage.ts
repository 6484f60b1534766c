import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './processes';

interface Manifest {
	name: string;
	version: string;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
	peerDependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}

/**
 * Installs a packed community package into an n8n user folder the way n8n's own installer does
 * (`downloadPackage` of its community-packages service, 1.123 and 2.41 alike): unpacked, stripped
 * of development, peer and optional dependencies, then npm without scripts. `n8n-workflow` is
 * provided by n8n, so a package that lacks a bundled module does not load here either.
 *
 * @param tarball path of the `npm pack` file
 * @param userFolder the folder given to n8n as `N8N_USER_FOLDER`
 * @param env environment to run npm in
 * @throws CommandFailed if the tarball cannot be unpacked or npm refuses
 */
export async function installCommunityPackage(
	tarball: string,
	userFolder: string,
	env: NodeJS.ProcessEnv,
): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n/nodes');
	const { name } = await manifestInside(tarball);
	const folder = join(nodesFolder, 'node_modules', name);
	await mkdir(folder, { recursive: true });
	await runCommand('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const manifestPath = join(folder, 'package.json');
	const manifest = await readJson<Manifest>(manifestPath);
	delete manifest.devDependencies;
	delete manifest.peerDependencies;
	delete manifest.optionalDependencies;
	await writeJson(manifestPath, manifest);
	await runCommand('npm', ['install', ...INSTALL_ARGS], { cwd: folder, env });
	await record(nodesFolder, manifest);
}

const INSTALL_ARGS = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
];

async function manifestInside(tarball: string): Promise<Manifest> {
	const text = await runCommand('tar', ['-xzOf', tarball, 'package/package.json']);
	return JSON.parse(text) as Manifest;
}

async function record(nodesFolder: string, { name, version }: Manifest): Promise<void> {
	const path = join(nodesFolder, 'package.json');
	const list = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeJson(path, list);
}

async function readJson<T>(path: string): Promise<T> {
	return JSON.parse(await readFile(path, 'utf8')) as T;
}

async function writeJson(path: string, value: object): Promise<void> {
	await writeFile(path, JSON.stringify(value, null, 2));
}
