import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { installN8n } from './harness/installN8n';
import { packTarball } from './harness/pack';
import { n8nCacheFolder, projectFolder } from './harness/paths';
import { runCommand } from './harness/processes';
import { showProgress } from './harness/progress';
import { startN8n } from './harness/startN8n';
import { describeOnEachN8n, versionsToTest } from './support/world';

const NODES = ['n8n-nodes-yuntongxun.yuntongxun', 'n8n-nodes-yuntongxun.yuntongxunTrigger'];

describeOnEachN8n('The packed package', (world) => {
	test('loads without a word in the log', () => {
		// n8n's own failures name its folder, which may lie below one called like the package.
		const mentions = world()
			.n8n.log.replaceAll(realpathSync(n8nCacheFolder()), '')
			.split('\n')
			.filter((line) => /yuntongxun|Error loading package|not be loaded/i.test(line));
		expect(mentions).toEqual([]);
	});

	test('offers both nodes', async () => {
		const types = await world().n8n.rest.nodeTypes();
		const ours = types.filter(({ name }) => NODES.includes(name));
		expect(ours.map(({ displayName }) => displayName).sort()).toEqual([
			'Yuntongxun',
			'Yuntongxun Trigger',
		]);
	});

	test('offers the action node as a tool for AI agents, and not the trigger', async () => {
		const types = await world().n8n.rest.nodeTypes();
		const tools = types.map(({ name }) => name).filter((name) => /yuntongxun.*Tool$/.test(name));
		expect(tools).toEqual(['n8n-nodes-yuntongxun.yuntongxunTool']);
	});

	test('offers the credential type', async () => {
		const types = await world().n8n.rest.credentialTypes();
		const ours = types.find(({ name }) => name === 'yuntongxunApi');
		expect(ours?.displayName).toBe('Yuntongxun API');
	});

	test('brings the icons of the nodes and the credential along, for both themes', async () => {
		const { rest } = world().n8n;
		const nodes = (await rest.nodeTypes()).filter(({ name }) => NODES.includes(name));
		const credentials = (await rest.credentialTypes()).filter(
			({ name }) => name === 'yuntongxunApi',
		);
		const icons = [...nodes, ...credentials].map(({ iconUrl }) => iconUrl);
		expect(icons).toHaveLength(3);
		for (const icon of icons) {
			const { light, dark } = icon as { light: string; dark: string };
			expect(await rest.file(light)).toContain('<svg');
			expect(await rest.file(dark)).toContain('<svg');
		}
	});
});

const INSTALL_LIMIT_MS = 5 * 60_000;

/** What the README tells its reader to type, with the packed package in place of its name. */
function commandOfReadme(tarball: string): string {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [command] = /^mkdir .*npm install .*n8n-nodes-yuntongxun$/m.exec(readme) ?? [];
	if (!command) throw new Error('The README has no command that installs the package');
	return command.replace(/n8n-nodes-yuntongxun$/, `'${tarball}'`);
}

describe.each(versionsToTest())('The command line of the README, on n8n %s', (version) => {
	test(
		'installs one package, and n8n loads it',
		async () => {
			const n8n = await startN8n({
				n8n: await installN8n(version, showProgress(process.stderr)),
				tarball: process.env.YUNTONGXUN_TARBALL ?? (await packTarball()),
				install: async (tarball, userFolder, env) => {
					const home = { ...env, HOME: userFolder };
					await runCommand('sh', ['-c', commandOfReadme(tarball)], { env: home });
					const lock = join(userFolder, '.n8n/nodes/package-lock.json');
					const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: object };
					expect(Object.keys(packages)).toContain('node_modules/n8n-nodes-yuntongxun');
					const folder = join(userFolder, '.n8n/nodes/node_modules');
					const installed = await runCommand('ls', [folder], { env });
					expect(installed.trim()).toBe('n8n-nodes-yuntongxun');
				},
			});
			try {
				const names = (await n8n.rest.nodeTypes()).map(({ name }) => name);
				expect(names).toEqual(expect.arrayContaining(NODES));
			} finally {
				await n8n.stop();
			}
		},
		INSTALL_LIMIT_MS,
	);
});
