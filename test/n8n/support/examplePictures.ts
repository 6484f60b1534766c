/**
 * Takes the pictures of the examples, as n8n's editor shows them: `npm run images:examples
 * [-- name …]`. Needs Chromium, where `CHROMIUM` says or at one of the usual places.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startChromium } from '../../browser/support/chromium';
import { startSimulator } from '../../simulator';
import { installN8n } from '../harness/installN8n';
import type { N8nRest, StoredWorkflow, WorkflowDefinition } from '../harness/n8nRest';
import { packTarball } from '../harness/pack';
import { projectFolder } from '../harness/paths';
import { showProgress } from '../harness/progress';
import { demoLogin, startN8n } from '../harness/startN8n';
import { newestSupported } from '../harness/versions';
import { importFilledIn, readExample, type FilledIn, type OtherCredentials } from './examples';
import { CREDENTIAL_TYPE, credentialData, type StoredCredential } from './world';

const EXAMPLES = join(projectFolder, 'examples');
const IMAGES = join(EXAMPLES, 'images');
const VIEWPORT = { width: 1600, height: 1000 };
const MARGIN = 16;
const LOAD_LIMIT_MS = 120_000;

/** Without these a node carries a warning, which is not what the picture is about. */
const SAMPLES: Record<string, unknown> = {
	to: '13800000000',
	templateId: '100001',
	dataTableId: { __rl: true, mode: 'id', value: 'table' },
	workflowId: { __rl: true, mode: 'id', value: 'workflow' },
};

/** Credentials of other services, by the type of the node that takes them. */
const OTHER_CREDENTIALS: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'n8n-nodes-base.webhook': 'httpBasicAuth',
};

/** Everything of the editor that is not the canvas. */
const AROUND_THE_CANVAS = `
	#header, #sidebar, .vue-flow__panel, [data-test-id="banner-stack"], .el-notification,
	[data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"],
	[class*="executionButtons"] { visibility: hidden !important; }
`;

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

async function takePicture(page: Page, url: string, path: string): Promise<void> {
	await page.goto(url, { timeout: LOAD_LIMIT_MS });
	const things = page.locator('.vue-flow__node, .vue-flow__edge-path');
	await page.locator('.vue-flow__node').first().waitFor({ timeout: LOAD_LIMIT_MS });
	await page.addStyleTag({ content: AROUND_THE_CANVAS });
	await page.keyboard.press('Escape');
	await page.keyboard.press('1');
	await page.waitForTimeout(2_000);
	const boxes = await things.evaluateAll((elements) =>
		elements.map((element) => {
			const { left, top, right, bottom } = element.getBoundingClientRect();
			return { left, top, right, bottom };
		}),
	);
	const x = Math.min(...boxes.map(({ left }) => left)) - MARGIN;
	const y = Math.min(...boxes.map(({ top }) => top)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.right)) + MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + 3 * MARGIN;
	await page.screenshot({ path, clip: { x, y, width: right - x, height: bottom - y } });
}

async function main(names: string[]): Promise<void> {
	const installed = await installN8n(newestSupported, showProgress(process.stdout));
	const simulator = await startSimulator();
	const tarball = process.env.YUNTONGXUN_TARBALL ?? (await packTarball());
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
			await takePicture(page, `${n8n.url}/workflow/${workflow.id}`, join(IMAGES, picture));
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
