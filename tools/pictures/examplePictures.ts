/**
 * Takes the pictures of the examples, as n8n's editor shows them: `npx tsx test/withCa.ts tsx tools/pictures/examplePictures.ts
 * [-- name …]`. Needs Chromium, where `CHROMIUM` says or at one of the usual places.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startChromium } from '../../test/harness/chromium';
import { startSimulator } from '../../simulator/index';
import { installN8n } from '../../test/harness/installN8n';
import type { N8nRest, StoredWorkflow, WorkflowDefinition } from '../../test/harness/n8nRest';
import { findTarball } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import { showProgress } from '../../test/harness/progress';
import { demoLogin, startN8n } from '../../test/harness/startN8n';
import { newestSupported } from '../../test/harness/versions';
import { takeCanvasPicture } from './canvasPicture';
import {
	importFilledIn,
	readExample,
	type FilledIn,
	type OtherCredentials,
} from '../../test/harness/examples';
import { CREDENTIAL_TYPE, credentialData, type StoredCredential } from '../../test/harness/world';

const EXAMPLES = join(projectFolder, 'examples');
const IMAGES = join(EXAMPLES, 'images');
const VIEWPORT = { width: 1600, height: 1000 };

/** Without these the picture would show a warning on a node. */
const SAMPLES: Record<string, unknown> = {
	to: '13800000000',
	templateId: '100001',
	dataTableId: { __rl: true, mode: 'id', value: 'table' },
	workflowId: { __rl: true, mode: 'id', value: 'workflow' },
};

/** Credentials of other services, by node type. */
const OTHER_CREDENTIALS: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'n8n-nodes-base.webhook': 'httpBasicAuth',
};

function samplesFor({ nodes }: WorkflowDefinition): FilledIn {
	const isEmpty = (value: unknown) =>
		value === '' || (value as { value?: unknown } | undefined)?.value === '';
	return Object.fromEntries(
		nodes.map(({ name, parameters }) => [
			name,
			Object.fromEntries(
				Object.entries(SAMPLES).filter(
					([field]) => field in parameters && isEmpty(parameters[field]),
				),
			),
		]),
	);
}

function otherCredentials({ nodes }: WorkflowDefinition): OtherCredentials {
	return Object.fromEntries(
		nodes
			.filter(({ type }) => type in OTHER_CREDENTIALS)
			.map(({ name, type }) => [
				name,
				{ [OTHER_CREDENTIALS[type]]: { id: 'other', name: 'Other service' } },
			]),
	);
}

async function imported(
	rest: N8nRest,
	credential: StoredCredential,
	file: string,
): Promise<StoredWorkflow> {
	const example = await readExample(file);
	const others = otherCredentials(example);
	return await importFilledIn(rest, credential, example, samplesFor(example), others);
}

async function main(names: string[]): Promise<void> {
	const installed = await installN8n(newestSupported, showProgress(process.stdout));
	const simulator = await startSimulator();
	const tarball = await findTarball();
	const n8n = await startN8n({ n8n: installed, tarball, caFile: simulator.caFile });
	const browser = await startChromium();
	try {
		const name = 'Yuntongxun';
		const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, name, credentialData(simulator));
		const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: 'light' });
		await context.request.post(`${n8n.url}/rest/login`, {
			data: { emailOrLdapLoginId: demoLogin.email, password: demoLogin.password },
		});
		const page = await context.newPage();
		await mkdir(IMAGES, { recursive: true });
		const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.json'));
		for (const file of files) {
			const picture = file.replace('.json', '.png');
			if (names.length > 0 && !names.some((each) => picture.startsWith(each))) continue;
			const workflow = await imported(n8n.rest, { id, name }, file);
			await takeCanvasPicture(page, `${n8n.url}/workflow/${workflow.id}`, join(IMAGES, picture));
			console.log(picture);
		}
	} finally {
		await browser.close();
		await n8n.stop();
		await simulator.stop();
	}
}

main(process.argv.slice(2)).catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
