import { readFileSync, realpathSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleForm, toParameters } from '../support/exampleForms';
import { freePorts } from '../harness/loopback';
import { n8nCacheFolder, projectFolder } from '../harness/paths';
import { runCommand } from '../harness/processes';
import {
	credentialData,
	CREDENTIAL_TYPE,
	describeOnEachN8n,
	storeCredential,
	type Setup,
} from '../harness/setup';
import type { StartOptions } from '../harness/startN8n';
import {
	ACTION,
	actionWorkflow,
	chain,
	httpRequestNode,
	manual,
	START,
} from '../harness/workflows';

const ACTION_TYPE = 'n8n-nodes-yuntongxun.yuntongxun';

/** One that sends and one that lists: every operation in both formats is an engine test's. */
const FORMS = [exampleForm('call', 'notify'), exampleForm('subAccount', 'getAll')];

const readVersion = (file: string): string =>
	(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

/** Types what the README tells, with the packed package in place of its name: the other tests do as n8n's installer. */
const installByReadme: StartOptions['install'] = async (tarball, userFolder, env) => {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [, makeFolder, install] =
		/^(mkdir .*)\n(npm install .*)\.\/n8n-nodes-yuntongxun-\S+\.tgz$/m.exec(readme)!;
	const command = `${makeFolder} && ${install}'${tarball}'`;
	await runCommand('sh', ['-c', command], { env: { ...env, HOME: userFolder } });
};

const declare = (setup: () => Setup) => {
	beforeEach(() => setup().simulator.reset());

	test('is compiled against the type definitions that this n8n ships', () => {
		const { version, program } = setup().n8n.n8n;
		const name = version.startsWith('1.') ? 'n8n-workflow-v1' : 'n8n-workflow';
		const shipped = join(program, '../../../n8n-workflow/package.json');
		expect(readVersion(require.resolve(`${name}/package.json`))).toBe(readVersion(shipped));
	});

	test('is the only package that the command has installed', async () => {
		const folder = join(setup().n8n.userFolder, '.n8n/nodes');
		const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
		expect(lock).toContain('"node_modules/n8n-nodes-yuntongxun"');
		const installed = await readdir(join(folder, 'node_modules'));
		expect(installed.filter((name) => name[0] !== '.')).toEqual(['n8n-nodes-yuntongxun']);
	});

	test('loads without a message in the log', () => {
		// n8n's own failures name its folder, which may lie below one called like the package.
		const log = setup().n8n.log.replaceAll(realpathSync(n8nCacheFolder()), '');
		expect(log).not.toMatch(/yuntongxun|Error loading package|not be loaded/i);
	});

	test('offers both nodes, the action node as a tool for AI agents, and the credential, with icons for both themes', async () => {
		const { rest } = setup().n8n;
		/** Of the nodes or of the credential types that n8n has loaded. */
		const readTypes = async (kind: string) =>
			JSON.parse(await rest.send('GET', `/types/${kind}.json`)) as Array<{
				name: string;
				displayName: string;
				iconUrl?: { light: string; dark: string };
			}>;
		const ours = (await readTypes('nodes')).filter(({ name }) =>
			name.startsWith('n8n-nodes-yuntongxun.'),
		);
		expect(ours.map(({ name }) => name).sort()).toEqual([
			ACTION_TYPE,
			`${ACTION_TYPE}Tool`,
			`${ACTION_TYPE}Trigger`,
		]);
		const credentials = await readTypes('credentials');
		const [credential] = credentials.filter(({ name }) => name === CREDENTIAL_TYPE);
		expect(credential.displayName).toBe('Yuntongxun API');
		for (const { iconUrl } of [...ours, credential]) {
			for (const icon of [iconUrl?.light, iconUrl?.dark]) {
				expect(await rest.send('GET', `/${icon}`)).toContain('<svg');
			}
		}
	});

	test.each(FORMS)(
		'runs $resource $operation in XML, which the parser inside it reads',
		async (form) => {
			const { n8n, simulator } = setup();
			simulator.seedSubAccounts(1);
			const xml = await storeCredential(setup(), 'XML', { wireFormat: 'xml' });
			const workflow = await n8n.rest.createWorkflow(actionWorkflow(xml, toParameters(form)));
			const execution = await n8n.rest.runToEnd(workflow, START);
			expect(execution.error).toBeUndefined();
			expect(simulator.record.requests).toMatchObject([
				{ operation: form.endpoint, answerFormat: 'xml' },
			]);
			const items = execution.getItems(ACTION);
			expect(items).toMatchObject([{ pairedItem: { item: 0 } }]);
			expect(items[0].json).toHaveProperty([form.essential ?? ''], expect.anything());
		},
	);

	/** What n8n's HTTP Request node gets of the service. */
	async function requestByHttp(path: string, more: Record<string, unknown> = {}) {
		const { n8n, simulator, credential } = setup();
		const { accountSid } = simulator.credentials;
		const url = `${simulator.url}/2013-12-26/Accounts/${accountSid}/${path}`;
		const credentials = { [CREDENTIAL_TYPE]: credential };
		const http = { ...httpRequestNode(url, more), credentials };
		const workflow = await n8n.rest.createWorkflow(chain('HTTP Request', manual(), http));
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.error).toBeUndefined();
		return execution.getItems(http.name)[0].json;
	}

	// Which headers a request needs is decided by test/unit/client/signing.test.ts.
	test("lets n8n's HTTP Request node read the account and call, signed by the credential", async () => {
		const read = await requestByHttp('AccountInfo');
		expect(read).toMatchObject({ statusCode: '000000', Account: { status: '1' } });
		const { appId } = setup().simulator.credentials;
		const jsonBody = JSON.stringify({ appId, to: '13800000005', mediaTxt: '您好' });
		const post = { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody };
		expect(await requestByHttp('Calls/LandingCalls', post)).toMatchObject({
			statusCode: '000000',
		});
	});

	// What it says of each account and each code is for test/unit/client/credentialTestRules.test.ts.
	test.each([
		['passes with the right values', () => ({}), 'OK', /./],
		['says that the token is wrong', () => ({ authToken: 'x'.repeat(32) }), 'Error', /token/i],
		[
			'refuses a base URL that is not HTTPS',
			() => ({ baseUrl: setup().simulator.url.replace('https:', 'http:') }),
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
		const { n8n, simulator } = setup();
		const data = credentialData(simulator, await changes());
		const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
		const result = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
		expect(result).toMatchObject({ status, message: expect.stringMatching(message) as string });
	});
};

describeOnEachN8n('The packed package, installed by the command of the README', declare, {
	install: installByReadme,
});
