import { readFileSync, realpathSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleForm, toParameters } from '../support/exampleForms';
import { freePorts } from '../harness/freePorts';
import { n8nCacheFolder, projectFolder } from '../harness/paths';
import { runCommand } from '../harness/processes';
import type { StartOptions } from '../harness/startN8n';
import { chain } from '../harness/waitWorkflows';
import { ACTION, actionWorkflow, httpRequestNode, node, START } from '../harness/workflows';
import {
	credentialData,
	CREDENTIAL_TYPE,
	describeOnEachN8n,
	storeCredential,
	type StoredCredential,
	type World,
} from '../harness/world';

const NODES = ['n8n-nodes-yuntongxun.yuntongxun', 'n8n-nodes-yuntongxun.yuntongxunTrigger'];

/** One that sends and one that lists: every operation in both formats is an engine test's. */
const FORMS = [exampleForm('call', 'notify'), exampleForm('subAccount', 'getAll')];

function readVersion(file: string): string {
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** What the README tells its reader to type, with the packed package in place of its name. */
function findCommand(tarball: string): string {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const commands = /^(mkdir .*)\n(npm install .*)\.\/n8n-nodes-yuntongxun-\S+\.tgz$/m.exec(readme);
	if (!commands) throw new Error('The README has no command that installs the package');
	const [, makeFolder, install] = commands;
	return `${makeFolder} && ${install}'${tarball}'`;
}

/** The other tests install it as n8n's own installer does. */
const installByReadme: StartOptions['install'] = async (tarball, userFolder, env) => {
	await runCommand('sh', ['-c', findCommand(tarball)], { env: { ...env, HOME: userFolder } });
};

const declare = (world: () => World) => {
	beforeEach(() => world().simulator.reset());

	test('is compiled against the type definitions that this n8n ships', () => {
		const { version, program } = world().n8n.n8n;
		const name = version.startsWith('1.') ? 'n8n-workflow-v1' : 'n8n-workflow';
		const shipped = join(program, '../../../n8n-workflow/package.json');
		const [ours, theirs] = [require.resolve(`${name}/package.json`), shipped].map(readVersion);
		expect(ours).toBe(theirs);
	});

	test('is the only package that the command has installed', async () => {
		const folder = join(world().n8n.userFolder, '.n8n/nodes');
		const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
		const { packages } = JSON.parse(lock) as { packages: object };
		expect(Object.keys(packages)).toContain('node_modules/n8n-nodes-yuntongxun');
		const installed = (await readdir(join(folder, 'node_modules'))).filter(
			(name) => name[0] !== '.',
		);
		expect(installed).toEqual(['n8n-nodes-yuntongxun']);
	});

	test('loads without a message in the log', () => {
		// n8n's own failures name its folder, which may lie below one called like the package.
		const mentions = world()
			.n8n.log.replaceAll(realpathSync(n8nCacheFolder()), '')
			.split('\n')
			.filter((line) => /yuntongxun|Error loading package|not be loaded/i.test(line));
		expect(mentions).toEqual([]);
	});

	test('offers both nodes, the action node as a tool for AI agents, and the credential', async () => {
		const { rest } = world().n8n;
		const types = await rest.nodeTypes();
		const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-yuntongxun.'));
		expect(ours.map(({ name }) => name).sort()).toEqual([NODES[0], `${NODES[0]}Tool`, NODES[1]]);
		const credential = (await rest.credentialTypes()).find(({ name }) => name === CREDENTIAL_TYPE);
		expect(credential?.displayName).toBe('Yuntongxun API');
	});

	test('brings the icons of the nodes and the credential, for both themes', async () => {
		const { rest } = world().n8n;
		const nodes = (await rest.nodeTypes()).filter(({ name }) => NODES.includes(name));
		const credentials = (await rest.credentialTypes()).filter(
			({ name }) => name === CREDENTIAL_TYPE,
		);
		const icons = [...nodes, ...credentials].map(({ iconUrl }) => iconUrl);
		expect(icons).toHaveLength(3);
		for (const icon of icons) {
			const { light, dark } = icon as { light: string; dark: string };
			expect(await rest.file(light)).toContain('<svg');
			expect(await rest.file(dark)).toContain('<svg');
		}
	});

	let xml: StoredCredential;
	beforeAll(async () => {
		xml = await storeCredential(world(), 'XML', { wireFormat: 'xml' });
	});

	test.each(FORMS)(
		'runs $resource $operation in XML, which the parser inside it reads',
		async (form) => {
			const { n8n, simulator } = world();
			simulator.seedSubAccounts(1);
			const workflow = await n8n.rest.createWorkflow(actionWorkflow(xml, toParameters(form)));
			const execution = await n8n.rest.runToEnd(workflow, START);
			expect(execution.error).toBeUndefined();
			const asked = simulator.record.requests.map(({ operation }) => operation);
			expect(asked).toEqual([form.endpoint]);
			for (const { answerFormat } of simulator.record.requests) expect(answerFormat).toBe('xml');
			const [item, ...others] = execution.getItems(ACTION);
			expect(others).toEqual([]);
			expect(item.pairedItem).toMatchObject({ item: 0 });
			expect(item.json).toHaveProperty([form.essential ?? ''], expect.anything());
		},
	);

	/** What n8n's HTTP Request node gets of the service. */
	async function requestByHttp(path: string, more: Record<string, unknown> = {}) {
		const { n8n, simulator, credential } = world();
		const { accountSid } = simulator.credentials;
		const url = `${simulator.url}/2013-12-26/Accounts/${accountSid}/${path}`;
		const http = {
			...httpRequestNode(url, {}, more),
			credentials: { [CREDENTIAL_TYPE]: credential },
		};
		const start = node(START, 'n8n-nodes-base.manualTrigger');
		const workflow = await n8n.rest.createWorkflow(chain('HTTP Request', start, http));
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.error).toBeUndefined();
		return execution.getItems(http.name)[0].json;
	}

	// Which headers a request needs is decided by test/unit/client/usualHeaders.test.ts.
	test("lets n8n's HTTP Request node read the account and call, signed by the credential", async () => {
		const read = await requestByHttp('AccountInfo');
		expect(read).toMatchObject({ statusCode: '000000', Account: { status: '1' } });
		const { appId } = world().simulator.credentials;
		const jsonBody = JSON.stringify({ appId, to: '13800000005', mediaTxt: '您好' });
		const post = { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody };
		const called = await requestByHttp('Calls/LandingCalls', post);
		expect(called).toMatchObject({ statusCode: '000000' });
	});

	// What it says of each account and each code is for test/unit/client/credentialTestRules.test.ts.
	test.each([
		['passes with the right values', () => ({}), 'OK', /./],
		['says that the token is wrong', () => ({ authToken: 'x'.repeat(32) }), 'Error', /token/i],
		[
			'refuses a base URL that is not HTTPS',
			() => ({ baseUrl: world().simulator.url.replace('https:', 'http:') }),
			'Error',
			/https/i,
		],
		[
			// n8n's own words; 2.x shows nothing but the code of Node.js.
			'says that nobody answers at the base URL',
			async () => ({ baseUrl: `https://localhost:${(await freePorts(1))[0]}` }),
			'Error',
			/refused the connection|^ECONNREFUSED$/,
		],
	])('has a credential test that %s', async (_, changes, status, message) => {
		const { n8n, simulator } = world();
		const data = credentialData(simulator, await changes());
		const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
		const result = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
		expect(result).toMatchObject({ status, message: expect.stringMatching(message) as string });
	});
};

describeOnEachN8n('The packed package, installed by the command of the README', declare, {
	install: installByReadme,
});
