import { realpathSync } from 'node:fs';
import { n8nCacheFolder } from './harness/paths';
import { describeOnEachN8n } from './support/world';

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
