import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { blocks, read } from '../../tools/documents/markdown';
import { installN8n, type InstalledN8n } from '../harness/installN8n';
import { findTarball } from '../harness/pack';
import { runCommand } from '../harness/processes';
import { Progress } from '../harness/progress';
import { newestSupported } from '../harness/versions';
import { Container } from './support/container';

/*
 * Each command of docs/running-n8n.md for containers, as it stands there, in the folders of n8n's image and as
 * its user. What only Docker can show is not tried: see support/docker.
 */

const LIMIT_MS = 10 * 60_000;
const PACKAGE = 'n8n-nodes-yuntongxun';
const NODES = ['yuntongxun', 'yuntongxunTool', 'yuntongxunTrigger'];
const HOME = 'home/node/.n8n';
const INSTALLED = `${HOME}/nodes/node_modules/${PACKAGE}`;

const install = read('docs/running-n8n.md');

/** The only block of the document that has all of these words. */
function findBlock(...words: string[]): string {
	const found = blocks(install).filter(({ code }) => words.every((word) => code.includes(word)));
	expect(found).toHaveLength(1);
	return found[0].code;
}

let n8n: InstalledN8n;
/** A folder of the host, with the package's file in it. */
let folder: string;
const containers: Container[] = [];

beforeAll(async () => {
	n8n = await installN8n(newestSupported, new Progress(process.stderr));
	folder = await mkdtemp(join(tmpdir(), 'n8n-host-'));
	const tarball = await findTarball();
	expect(install).toContain(basename(tarball));
	await cp(tarball, join(folder, basename(tarball)));
}, LIMIT_MS);
afterAll(async () => {
	for (const container of containers) await container.remove();
	await rm(folder, { recursive: true, force: true });
});

async function createContainer(): Promise<Container> {
	const container = await Container.create(n8n);
	containers.push(container);
	return container;
}

/** Starts the n8n of a container, and stops it. @returns the names of our nodes in it, and what it lists */
async function findNodes(
	container: Container,
	...how: Parameters<Container['start']>
): Promise<{ ours: string[]; listed: unknown[] }> {
	const running = await container.start(...how);
	try {
		const names = (await running.rest.nodeTypes()).map(({ name }) => name);
		return {
			ours: names.filter((name) => /yuntongxun/i.test(name)).sort(),
			listed: await running.rest.communityPackages(),
		};
	} finally {
		await running.kill();
	}
}

const named = (prefix: string): string[] => NODES.map((name) => `${prefix}.${name}`);

test(
	'A running container: n8n has the nodes, and lists no package; and they can be removed',
	async () => {
		const container = await createContainer();
		await container.runOnHost(findBlock('docker cp'), folder);
		expect(await container.events()).toEqual(['restart']);
		expect(statSync(container.path(INSTALLED)).uid).toBe(1000);
		expect(await findNodes(container)).toEqual({ ours: named(PACKAGE), listed: [] });

		await container.runOnHost(findBlock('docker exec', 'rm -rf'), folder);
		expect(await container.events()).toEqual(['restart', 'restart']);
		await mkdir(container.path('opt/custom'));
		const [tarball] = await readdir(folder);
		await runCommand('tar', ['-xzf', join(folder, tarball), '-C', container.path('opt/custom')]);
		const custom = { N8N_CUSTOM_EXTENSIONS: '/opt/custom' };
		expect((await findNodes(container, custom)).ours).toEqual(named('CUSTOM'));
	},
	LIMIT_MS,
);

test(
	'Compose, after a folder of root kept n8n from starting: with what helps, and the commands, it has the nodes',
	async () => {
		const container = await createContainer();
		mkdirSync(container.path(`${HOME}/nodes`));
		await expect(container.start()).rejects.toThrow(
			/EACCES: permission denied[^]*nodes\/package\.json/,
		);
		await container.runOnHost(findBlock('chown'), folder);

		await mkdir(join(folder, 'n8n'));
		await writeFile(join(folder, 'n8n/compose.yml'), '');
		await container.runOnHost(findBlock('compose.yml up'), folder);
		expect(await container.events()).toEqual(['restart', 'up', 'restart']);
		const settings = await readFile(join(folder, 'n8n/.env'), 'utf8');
		expect(settings).toBe('N8N_UNVERIFIED_PACKAGES_ENABLED=true\n');
		expect((await findNodes(container)).ours).toEqual(named(PACKAGE));
	},
	LIMIT_MS,
);

test(
	'An image of one’s own has the nodes at its first start and after an update',
	async () => {
		const container = await createContainer();
		const dockerfile = findBlock('FROM ').trim().split('\n');
		await writeFile(join(folder, 'start.sh'), findBlock('/docker-entrypoint.sh "$@"'));
		const env: Record<string, string> = {};
		let entrypoint: string[] = [];
		for (const line of dockerfile) {
			const [instruction, ...rest] = line.split(' ');
			if (instruction === 'COPY') await container.copy(join(folder, rest[0]), rest[1]);
			else if (instruction === 'ENV') Object.assign(env, Object.fromEntries([rest[0].split('=')]));
			else if (instruction === 'ENTRYPOINT') entrypoint = JSON.parse(rest.join(' ')) as string[];
			else expect(instruction).toBe('FROM');
		}
		expect((await findNodes(container, env, entrypoint)).ours).toEqual(named(PACKAGE));
		const manifest = container.path(`${INSTALLED}/package.json`);
		await writeFile(manifest, '{}');
		await container.run('node', ...entrypoint.slice(2), '--version');
		expect(await readFile(manifest, 'utf8')).toContain(PACKAGE);
		expect(existsSync(container.path(`${INSTALLED}/dist/index.js`))).toBe(true);
	},
	LIMIT_MS,
);
